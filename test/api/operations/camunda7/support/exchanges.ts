/** Requests of external task clients that Operaton and a host both answer. */
import { eventually } from '../../../../support/eventually.js';
import { FETCH, LOCK_MS, WORKER, type Exchange, type TypedVariables } from './exchange.js';

const OTHER = 'another-worker';
const of = ({ id }: { id: string }, end: string) => `/external-task/${id}/${end}`;
const text = (value: string) => ({ type: 'String', value });
/** After a lock of this time, the next statement of a side finds it expired. */
const SHORT_LOCK_MS = 1_000;

async function untilExpired({ lockExpirationTime }: { lockExpirationTime: string }): Promise<void> {
  const end = Date.parse(lockExpirationTime.replace(/([+-]\d\d)(\d\d)$/, '$1:$2'));
  await eventually(
    async () => Date.now(),
    (now) => now > end + 50,
  );
}

/** Without Json and Object, for which an engine needs a plugin. */
const everyType: TypedVariables = {
  text: text('a'),
  empty: text(''),
  yes: { type: 'Boolean', value: true },
  short: { type: 'Short', value: 3 },
  whole: { type: 'Integer', value: -7 },
  long: { type: 'Long', value: 4_000_000_000 },
  fraction: { type: 'Double', value: 1.5 },
  round: { type: 'Double', value: 2 },
  none: { type: 'Null', value: null },
  noText: { type: 'String', value: null },
  at: { type: 'Date', value: '2026-01-05T09:00:00.000+0100' },
};

const fetching: Exchange = {
  name: 'fetching',
  variables: everyType,
  async play({ ask, task, topic }) {
    const first = topic('first');
    const body = (more: object = {}, ofTopic: object = {}) => ({
      workerId: WORKER,
      maxTasks: 1,
      topics: [{ topicName: first, lockDuration: LOCK_MS, ...ofTopic }],
      ...more,
    });
    await ask('a topic that no one has', FETCH, body({}, { topicName: 'nobody' }));
    const { id } = await task('first');
    await ask('a task that another worker has', FETCH, body({ workerId: OTHER }));
    await ask('its unlocking', of({ id }, 'unlock'), undefined);
    await ask('a task with all variables', FETCH, body());
    await ask('its unlocking again', of({ id }, 'unlock'), undefined);
    await ask('a task with two variables', FETCH, body({}, { variables: ['text', 'missing', 'whole'] }));
    await ask('its last unlocking', of({ id }, 'unlock'), undefined);
    await ask('with a filter that fits', FETCH, body({}, { businessKey: 'fetching' }));
    await ask('no topics', FETCH, body({ topics: [] }));
    await ask('no list of topics', FETCH, body({ topics: undefined }));
    await ask('no worker', FETCH, body({ workerId: undefined }));
    await ask('no number of tasks', FETCH, body({ maxTasks: undefined }));
    await ask('0 tasks', FETCH, body({ maxTasks: 0 }));
    await ask('-1 tasks', FETCH, body({ maxTasks: -1 }));
    await ask('a lock of -1 ms', FETCH, body({}, { lockDuration: -1 }));
    await ask('a lock of 0 ms', FETCH, body({}, { lockDuration: 0 }));
    await ask('no lock', FETCH, body({}, { lockDuration: undefined }));
    await ask('no name of a topic', FETCH, body({}, { topicName: undefined }));
    await ask('a wait of -1 ms', FETCH, body({ asyncResponseTimeout: -1 }));
    await ask('a wait of an hour', FETCH, body({ asyncResponseTimeout: 3_600_000, workerId: undefined }));
  },
};

const unknown: Exchange = {
  name: 'an unknown task',
  async play({ ask }) {
    for (const id of ['unknown', '4c1f60dc-0000-0000-0000-000000000000']) {
      await ask(`complete ${id}`, of({ id }, 'complete'), { workerId: WORKER });
      await ask(`failure ${id}`, of({ id }, 'failure'), { workerId: WORKER, retries: 1, retryTimeout: 0 });
      await ask(`bpmnError ${id}`, of({ id }, 'bpmnError'), { workerId: WORKER, errorCode: 'KNOWN' });
      await ask(`extendLock ${id}`, of({ id }, 'extendLock'), { workerId: WORKER, newDuration: LOCK_MS });
      await ask(`unlock ${id}`, of({ id }, 'unlock'), undefined);
    }
  },
};

const wrongOwner: Exchange = {
  name: 'the task of another worker',
  async play({ ask, task }) {
    const found = await task('first');
    await ask('complete', of(found, 'complete'), { workerId: OTHER });
    await ask('failure', of(found, 'failure'), { workerId: OTHER, retries: 1, retryTimeout: 0 });
    await ask('bpmnError', of(found, 'bpmnError'), { workerId: OTHER, errorCode: 'KNOWN' });
    await ask('extendLock', of(found, 'extendLock'), { workerId: OTHER, newDuration: LOCK_MS });
    await ask('complete without a worker', of(found, 'complete'), {});
    await ask('failure without a worker', of(found, 'failure'), { retries: 1 });
    await ask('bpmnError without a worker', of(found, 'bpmnError'), { errorCode: 'KNOWN' });
    await ask('extendLock without a worker', of(found, 'extendLock'), { newDuration: LOCK_MS });
    await ask('unlock', of(found, 'unlock'), undefined);
    await ask('complete after unlock', of(found, 'complete'), { workerId: WORKER });
    const again = await task('first', OTHER);
    await ask('complete by the next worker', of(again, 'complete'), { workerId: OTHER });
  },
};

const completing: Exchange = {
  name: 'completing',
  async play({ ask, task, topic }) {
    const found = await task('first');
    const complete = (step: string, body: object) => ask(step, of(found, 'complete'), { workerId: WORKER, ...body });
    const odd = (step: string, variable: object) => complete(step, { variables: { odd: variable } });
    await odd('a text as Integer', { type: 'Integer', value: 'abc' });
    await odd('a text as Boolean', { type: 'Boolean', value: 'x' });
    await odd('a large number as Integer', { type: 'Integer', value: 2 ** 40 });
    await odd('no time as Date', { type: 'Date', value: 'tomorrow' });
    await odd('an unknown type', { type: 'Blob', value: 'x' });
    await odd('a value of type Null', { type: 'Null', value: 'x' });
    await complete('each type', { variables: everyType });
    await complete('a second time', { variables: everyType });
    await complete('a second time with others', {});
    await task('second').then((next) => ask('unlocking the next task', of(next, 'unlock'), undefined));
    await ask('the next task', FETCH, {
      workerId: WORKER,
      maxTasks: 1,
      topics: [{ topicName: topic('second'), lockDuration: LOCK_MS }],
    });
  },
};

const converting: Exchange = {
  name: 'a number as String',
  async play({ ask, task }) {
    const variables = { odd: { type: 'String', value: 1 } };
    const found = await task('first');
    await ask('complete', of(found, 'complete'), { workerId: WORKER, variables });
  },
};

const untyped: Exchange = {
  name: 'values without a type',
  async play({ ask, task, topic }) {
    const variables = { text: { value: 'a' }, yes: { value: false }, whole: { value: 7 }, fraction: { value: 1.5 } };
    const found = await task('first');
    await ask('complete', of(found, 'complete'), { workerId: WORKER, variables, localVariables: null });
    await task('second').then((next) => ask('unlock', of(next, 'unlock'), undefined));
    await ask('the next task', FETCH, {
      workerId: WORKER,
      maxTasks: 1,
      topics: [{ topicName: topic('second'), lockDuration: LOCK_MS }],
    });
  },
};

const expiring: Exchange = {
  name: 'an expired lock',
  async play({ ask, task }) {
    const found = await task('first', WORKER, SHORT_LOCK_MS);
    await untilExpired(found);
    await ask('extendLock', of(found, 'extendLock'), { workerId: WORKER, newDuration: LOCK_MS });
    await ask('failure', of(found, 'failure'), { workerId: WORKER, retries: 2, retryTimeout: 0 });
    const again = await task('first', WORKER, SHORT_LOCK_MS);
    await untilExpired(again);
    await ask('complete by another', of(again, 'complete'), { workerId: OTHER });
    await ask('complete', of(again, 'complete'), { workerId: WORKER });
  },
};

const extending: Exchange = {
  name: 'extending',
  async play({ ask, task }) {
    const found = await task('first');
    const extend = (step: string, newDuration: unknown) =>
      ask(step, of(found, 'extendLock'), { workerId: WORKER, newDuration });
    await extend('by a minute', LOCK_MS);
    await extend('by -1 ms', -1);
    await extend('by 0 ms', 0);
    await extend('by nothing', undefined);
    await extend('by a text', 'long');
  },
};

const failing: Exchange = {
  name: 'failing',
  async play({ ask, task, topic }) {
    const found = await task('first');
    const fail = (step: string, body: object) => ask(step, of(found, 'failure'), { workerId: WORKER, ...body });
    await fail('-1 retries', { retries: -1, retryTimeout: 0 });
    await fail('a timeout of -1 ms', { retries: 2, retryTimeout: -1 });
    await fail('2 retries', { errorMessage: 'no stock', errorDetails: 'at line 1', retries: 2, retryTimeout: 0 });
    await task('first').then((next) => ask('unlocking the task', of(next, 'unlock'), undefined));
    const topics = [{ topicName: topic('first'), lockDuration: LOCK_MS }];
    await ask('the task again', FETCH, { workerId: WORKER, maxTasks: 1, topics });
    await fail('1 retry in an hour', { errorMessage: 'no stock', retries: 1, retryTimeout: 3_600_000 });
    await ask('fetching before its time', FETCH, { workerId: WORKER, maxTasks: 1, topics });
  },
};

const failingWithVariables: Exchange = {
  name: 'variables of a failure',
  async play({ ask, task }) {
    const found = await task('first');
    const failure = { workerId: WORKER, retries: 2, retryTimeout: 0, variables: { a: text('x') } };
    await ask('failure', of(found, 'failure'), failure);
  },
};

const late: Exchange = {
  name: 'completing after a failure',
  async play({ ask, task }) {
    const found = await task('first');
    await ask('failure', of(found, 'failure'), { workerId: WORKER, retries: 2, retryTimeout: 0 });
    await ask('complete', of(found, 'complete'), { workerId: WORKER });
  },
};

const exhausting: Exchange = {
  name: 'failing for the last time',
  async play({ ask, task, topic }) {
    const found = await task('first');
    const fail = { workerId: WORKER, errorMessage: 'no stock', retries: 0, retryTimeout: 0 };
    await ask('no retries', of(found, 'failure'), fail);
    for (const each of ['first', 'failed', 'caught'] as const)
      await ask(`fetching of ${each}`, FETCH, {
        workerId: WORKER,
        maxTasks: 1,
        topics: [{ topicName: topic(each), lockDuration: LOCK_MS }],
      });
  },
};

const known: Exchange = {
  name: 'an error that is caught',
  async play({ ask, task }) {
    const found = await task('first');
    const error = { workerId: WORKER, errorCode: 'KNOWN', errorMessage: 'none left', variables: { left: text('0') } };
    await ask('without a code', of(found, 'bpmnError'), { workerId: WORKER });
    await ask('with a code', of(found, 'bpmnError'), error);
    await ask('a second time', of(found, 'bpmnError'), error);
    const { variables } = await task('caught');
    if (variables.left.value !== '0') throw new Error('The variable of the error is missing');
  },
};

const other: Exchange = {
  name: 'an error of another code',
  async play({ ask, task }) {
    const found = await task('first');
    await ask('bpmnError', of(found, 'bpmnError'), { workerId: WORKER, errorCode: 'OTHER' });
    await task('failed');
  },
};

const telling: Exchange = {
  name: 'messages',
  async play({ ask, task, key }) {
    // The instance waits for the message once its first task is there.
    await task('first');
    const tell = (step: string, body: object) => ask(step, '/message', body);
    const messageName = `${key}-told`;
    const correlationKeys = { orderID: text(key) };
    await tell('no name and no key', {});
    await tell('no name', { correlationKeys });
    await tell('a name that no one waits for', { messageName: 'nobody', correlationKeys });
    await tell('a key that no one has', { messageName, correlationKeys: { orderID: text('other') } });
    await tell('a business key that no one has', { messageName, businessKey: 'other' });
    await tell('an unknown type', { messageName, correlationKeys: { orderID: { type: 'Blob', value: 'x' } } });
    await tell('a key that one instance has', { messageName, correlationKeys, processVariables: { heard: text('x') } });
    const { variables } = await task('heard');
    if (variables.heard.value !== 'x') throw new Error('The variable of the message is missing');
    await tell('a second time', { messageName, correlationKeys });
    await tell('a message that starts a process', { messageName: `${key}-opened`, processVariables: { a: text('y') } });
    const begun = await task('begun');
    if (begun.variables.a.value !== 'y') throw new Error('The variable of the start is missing');
  },
};

const tellingMore: Exchange = {
  name: 'messages by other members',
  async play({ ask, task, key }) {
    await task('first');
    const messageName = `${key}-told`;
    const correlationKeys = { orderID: text(key) };
    await ask('to all', '/message', { messageName, correlationKeys: { orderID: text('other') }, all: true });
    await ask('a result', '/message', { messageName, correlationKeys, resultEnabled: true });
  },
};

const byBusinessKey: Exchange = {
  name: 'messages by business key',
  async play({ ask, task, key }) {
    await task('first');
    await ask('the one of an instance', '/message', { messageName: `${key}-told`, businessKey: key });
    await task('heard');
  },
};

export const exchanges: readonly Exchange[] = [
  fetching,
  unknown,
  wrongOwner,
  completing,
  converting,
  untyped,
  expiring,
  extending,
  failing,
  failingWithVariables,
  late,
  exhausting,
  known,
  other,
  telling,
  tellingMore,
  byBusinessKey,
];
