/** Execution listeners: jobs before an element begins, and before it is left. */
import { describe, expect, it } from 'vitest';
import type { Variables } from '@perdure/engine/contract/json.js';
import { redactFact } from '@perdure/engine/redaction/facts.js';
import { openWaits } from '@perdure/engine/state/open-waits.js';
import {
  adHocSubProcess,
  boundaryEvent,
  callActivity,
  catchEvent,
  compensatedBy,
  endEvent,
  eventBasedGateway,
  eventSubProcess,
  exclusiveGateway,
  executionListeners,
  extensions,
  multiInstance,
  on,
  parallelGateway,
  receiveTask,
  root,
  scriptTask,
  serviceTask,
  standardLoop,
  startEvent,
  subProcess,
  task,
  throwEvent,
  userTask,
} from '@perdure/testkit/models';
import { MemoryHost, type MemoryInstance } from '../../../packages/testkit/memory-host.js';
import { simpleModel } from '../../support/models.js';
import { between, migrate, oneTask } from '../support/migrating.js';
import { cancel, modify, refused, start as startBefore } from '../support/modifying.js';

const BOTH = { listeners: { start: ['before'], end: ['after'] } };

async function started(xml: string, variables: Variables = {}) {
  const host = await MemoryHost.deploy(xml);
  return { host, instance: host.start('p', variables) };
}

/** The types of the open jobs, oldest first. */
const open = (instance: MemoryInstance, host: MemoryHost) =>
  host
    .facts(instance)
    .flatMap((fact) => (fact.kind === 'JOB_CREATED' && instance.state.waits[fact.job] ? [fact.taskType] : []));

/** Ends the open job of this type. */
function done(host: MemoryHost, instance: MemoryInstance, type: string, variables?: Variables) {
  return host.command(instance, {
    kind: 'COMPLETE_JOB',
    execution: numberOf(host, instance, type),
    ...(variables && { variables }),
  });
}

function failed(
  host: MemoryHost,
  instance: MemoryInstance,
  type: string,
  more: { message?: string; variables?: Variables } = {},
) {
  return host.command(instance, {
    kind: 'THROW_JOB_ERROR',
    execution: numberOf(host, instance, type),
    errorCode: 'BROKEN',
    ...more,
  });
}

function numberOf(host: MemoryHost, instance: MemoryInstance, type: string): number {
  const created = host
    .facts(instance)
    .find((fact) => fact.kind === 'JOB_CREATED' && fact.taskType === type && instance.state.waits[fact.job]);
  if (created?.kind !== 'JOB_CREATED') throw new Error(`No job ${type} is open: ${open(instance, host).join(', ')}`);
  return created.job;
}

/** Completes the jobs of these types, in order, and nothing else is open in between. */
function through(host: MemoryHost, instance: MemoryInstance, ...types: string[]) {
  for (const type of types) {
    expect(open(instance, host)).toEqual([type]);
    done(host, instance, type);
  }
}

/** A listener of the process itself. */
const ofProcess = (xml: string, listeners: { start?: string[]; end?: string[] }) =>
  xml.replace('isExecutable="true">', `isExecutable="true">${extensions(executionListeners(listeners))}`);

describe('execution listeners', () => {
  it('run one after another around the work of an activity', async () => {
    const { host, instance } = await started(
      oneTask(serviceTask('a', { listeners: { start: ['s1', 's2'], end: ['e1', 'e2'] } })),
    );
    through(host, instance, 's1', 's2', 'a', 'e1', 'e2');
    expect(instance.state.status).toBe('COMPLETED');
  });

  it('are jobs that name their kind and event, with the headers of the element and their own', async () => {
    const listener = `<zeebe:executionListeners><zeebe:executionListener eventType="start" type="=x" retries="=2 + 3"><zeebe:taskHeaders><zeebe:header key="a" value="listener"/></zeebe:taskHeaders></zeebe:executionListener></zeebe:executionListeners>`;
    const { host, instance } = await started(
      oneTask(serviceTask('a', { headers: { a: 'element', b: 'element' }, extensions: listener })),
      { x: 'named' },
    );
    expect(host.facts(instance).find(({ kind }) => kind === 'JOB_CREATED')).toMatchObject({
      node: 'a',
      taskType: 'named',
      retries: 5,
      listener: { kind: 'EXECUTION', eventType: 'start' },
      headers: { a: 'listener', b: 'element' },
    });
    expect(openWaits(instance.model, instance.state)).toMatchObject([
      { kind: 'job', node: 'a', listener: { kind: 'EXECUTION', eventType: 'start' } },
    ]);
  });

  it('do not change the facts of an element without them', async () => {
    const { host, instance } = await started(oneTask(serviceTask('a')));
    host.completeJob(instance, 'a');
    expect(JSON.stringify(host.facts(instance))).not.toMatch(/listen/i);
  });

  it.each([
    ['an undefined task', task('a', BOTH)],
    ['a script task', scriptTask('a', '=1', 'x', BOTH)],
    ['a throw event', throwEvent('a', '', BOTH)],
    ['a sub-process', subProcess('a', [startEvent('is'), endEvent('ie')], 'i1: is -> ie', BOTH)],
    ['an ad-hoc sub-process', adHocSubProcess('a', task('t'), [], { ...BOTH, activeElements: '=["t"]' })],
  ])('run before and after %s', async (_what, xml) => {
    const { host, instance } = await started(oneTask(xml));
    through(host, instance, 'before', 'after');
    expect(instance.state.status).toBe('COMPLETED');
  });

  it('run at the start and the end of the process', async () => {
    const { host, instance } = await started(
      ofProcess(oneTask(serviceTask('a')), { start: ['before'], end: ['after'] }),
    );
    done(host, instance, 'before', { set: 1 });
    expect(host.variables(instance)).toEqual({ set: 1 });
    through(host, instance, 'a');
    done(host, instance, 'after', { last: 2 });
    expect(instance.state.status).toBe('COMPLETED');
    expect(host.variables(instance)).toEqual({ set: 1, last: 2 });
  });

  it('run at the end of start and boundary events, and at end events', async () => {
    const xml = simpleModel(
      [
        userTask('a'),
        boundaryEvent('late', 'a', on.timer('PT1H'), { listeners: { end: ['noticed'] } }),
        endEvent('e', '', BOTH),
      ],
      ['f1: s -> a', 'f2: a -> e', 'f3: late -> e'],
    ).replace('<bpmn:startEvent id="s"/>', startEvent('s', '', { listeners: { end: ['begun'] } }));
    const { host, instance } = await started(xml);
    through(host, instance, 'begun');
    host.advance(3_600_000);
    through(host, instance, 'noticed', 'before', 'after');
    expect(instance.state.status).toBe('COMPLETED');
  });

  it('run before a gateway decides, and their variables decide', async () => {
    const { host, instance } = await started(
      simpleModel(
        [
          exclusiveGateway('x', { listeners: { start: ['rate'] } }),
          serviceTask('good'),
          serviceTask('bad'),
          endEvent('e'),
        ],
        ['f1: s -> x', 'f2: x -> good =rating > 5', 'f3: x -> bad =rating <= 5', 'f4: good -> e', 'f5: bad -> e'],
      ),
    );
    done(host, instance, 'rate', { rating: 7 });
    expect(open(instance, host)).toEqual(['good']);
    expect(host.variables(instance)).toEqual({});
  });

  it('run once when a parallel gateway joins', async () => {
    const { host, instance } = await started(
      simpleModel(
        [
          parallelGateway('fork'),
          serviceTask('a'),
          serviceTask('b'),
          parallelGateway('join', { listeners: { start: ['joined'] } }),
          endEvent('e'),
        ],
        ['f1: s -> fork', 'f2: fork -> a', 'f3: fork -> b', 'f4: a -> join', 'f5: b -> join', 'f6: join -> e'],
      ),
    );
    host.completeJob(instance, 'a');
    expect(open(instance, host)).toEqual(['b']);
    host.completeJob(instance, 'b');
    through(host, instance, 'joined');
    expect(instance.state.status).toBe('COMPLETED');
  });

  it('run for each instance of a multi-instance activity, and their variables are in its output', async () => {
    const { host, instance } = await started(
      oneTask(
        serviceTask('a', {
          ...BOTH,
          loop: multiInstance('=[1,2]', { sequential: true, output: '=rated', into: 'all' }),
        }),
      ),
    );
    for (const item of [1, 2]) {
      through(host, instance, 'before', 'a');
      done(host, instance, 'after', { rated: item * 10 });
    }
    expect(host.variables(instance)).toEqual({ all: [10, 20] });
  });

  it('run in each round of a loop', async () => {
    const { host, instance } = await started(oneTask(task('a', { ...BOTH, loop: standardLoop({ maximum: 2 }) })));
    through(host, instance, 'before', 'after', 'before', 'after');
    expect(instance.state.status).toBe('COMPLETED');
  });

  it('run around a called instance', async () => {
    const host = await MemoryHost.deploy(
      oneTask(callActivity('a', 'q', BOTH)),
      oneTask(serviceTask('inner'), 'inner').replace('id="p"', 'id="q"'),
    );
    const instance = host.start('p');
    through(host, instance, 'before');
    host.completeJob(host.child(instance, 'a'), 'inner');
    through(host, instance, 'after');
    expect(instance.state.status).toBe('COMPLETED');
  });

  it('run at an event sub-process with the variables of its event', async () => {
    const xml = simpleModel(
      [
        userTask('a'),
        endEvent('e'),
        eventSubProcess(
          'handle',
          [startEvent('h', on.message('M')), serviceTask('work'), endEvent('he')],
          ['h1: h -> work', 'h2: work -> he'],
          BOTH,
        ),
      ],
      ['f1: s -> a', 'f2: a -> e'],
      root.message('M'),
    );
    const { host, instance } = await started(xml);
    host.publishMessage('M', undefined, { text: 'hello' });
    through(host, instance, 'before');
    expect(host.facts(instance).findLast(({ kind }) => kind === 'JOB_CREATED')).toMatchObject({
      taskType: 'work',
      localVariables: { text: 'hello' },
    });
    through(host, instance, 'work', 'after');
    expect(instance.state.status).toBe('COMPLETED');
  });

  it('run at an event after an event-based gateway once it has occurred, with its variables', async () => {
    const xml = simpleModel(
      [
        eventBasedGateway('g', { listeners: { start: ['ask'] } }),
        catchEvent('m', on.message('M'), { ...BOTH, outputs: { got: '=text' } }),
        receiveTask('r', 'N'),
        endEvent('e'),
      ],
      ['f1: s -> g', 'f2: g -> m', 'f3: g -> r', 'f4: m -> e', 'f5: r -> e'],
      [root.message('M'), root.message('N')],
    );
    const { host, instance } = await started(xml);
    expect(host.waiting(instance)).toEqual(['job g']);
    through(host, instance, 'ask');
    host.publishMessage('M', undefined, { text: 'hello' });
    through(host, instance, 'before', 'after');
    expect(host.variables(instance)).toEqual({ got: 'hello' });
    expect(instance.state.status).toBe('COMPLETED');
  });

  it('run at a compensation handler', async () => {
    const handler = serviceTask('undo', { isForCompensation: true, ...BOTH });
    const { host, instance } = await started(
      simpleModel(
        [task('a'), handler, compensatedBy('a', 'undo'), throwEvent('back', on.compensation()), endEvent('e')],
        ['f1: s -> a', 'f2: a -> back', 'f3: back -> e'],
      ),
    );
    through(host, instance, 'before', 'undo', 'after');
    expect(instance.state.status).toBe('COMPLETED');
  });

  it('take no result', async () => {
    const { host, instance } = await started(oneTask(adHocSubProcess('a', task('t'), [], { job: 'drive', ...BOTH })));
    expect(
      host.command(instance, {
        kind: 'COMPLETE_JOB',
        execution: numberOf(host, instance, 'before'),
        result: { isCompletionConditionFulfilled: true },
      }),
    ).toMatchObject({ status: 'REJECTED', code: 'BAD_REQUEST', message: expect.stringContaining('takes no result') });
    through(host, instance, 'before');
    host.completeJob(instance, 'a', {}, { isCompletionConditionFulfilled: true });
    through(host, instance, 'after');
    expect(instance.state.status).toBe('COMPLETED');
  });
});

describe('variables of execution listeners', () => {
  it('see the input mappings at the start, where they are set locally before the element evaluates anything', async () => {
    const { host, instance } = await started(
      oneTask(scriptTask('a', '=given + added', 'sum', { inputs: { given: '=x' }, ...BOTH })),
      { x: 1 },
    );
    expect(host.facts(instance).findLast(({ kind }) => kind === 'JOB_CREATED')).toMatchObject({
      localVariables: { given: 1 },
    });
    done(host, instance, 'before', { added: 2 });
    done(host, instance, 'after', { last: true });
    expect(host.variables(instance)).toEqual({ x: 1, sum: 3, last: true });
  });

  it('see the output mappings at the end, and go where those do', async () => {
    const { host, instance } = await started(
      oneTask(serviceTask('a', { inputs: { local: '=1' }, outputs: { result: '=answer' }, ...BOTH })),
    );
    through(host, instance, 'before');
    done(host, instance, 'a', { answer: 42 });
    expect(host.variables(instance)).toEqual({ result: 42 });
    done(host, instance, 'after', { local: 2, result: 43 });
    expect(host.variables(instance)).toEqual({ result: 43, local: 2 });
  });

  it('make their element listen only after the start: its timers and keys can depend on them', async () => {
    const xml = simpleModel(
      [userTask('a', { listeners: { start: ['plan'] } }), boundaryEvent('late', 'a', on.timer('=wait')), endEvent('e')],
      ['f1: s -> a', 'f2: a -> e', 'f3: late -> e'],
    );
    const { host, instance } = await started(xml);
    expect(host.waiting(instance)).toEqual(['job a']);
    done(host, instance, 'plan', { wait: 'PT1H' });
    expect(host.waiting(instance)).toEqual(['timer late', 'userTask a']);
  });

  it('that have no room are an incident, and the listener runs again', async () => {
    const { host, instance } = await started(oneTask(serviceTask('a', BOTH)));
    done(host, instance, 'before', { big: 'x'.repeat(1024 * 1024) });
    expect(host.incidents(instance)).toMatchObject([{ node: 'a', errorCode: 'VARIABLES_TOO_LARGE' }]);
    host.resolve(instance, 'a');
    through(host, instance, 'before', 'a', 'after');
    expect(instance.state.status).toBe('COMPLETED');
  });
});

describe('variables of a listener of the process', () => {
  const listened = ofProcess(oneTask(serviceTask('a')), { start: ['before'], end: ['after'] });

  it.each(['before', 'after'])('that have no room halt the instance, and %s runs again', async (type) => {
    const { host, instance } = await started(listened);
    if (type === 'after') through(host, instance, 'before', 'a');
    done(host, instance, type, { big: 'x'.repeat(1024 * 1024) });
    expect(host.incidents(instance)).toMatchObject([{ node: 'p', errorCode: 'VARIABLES_TOO_LARGE' }]);
    host.resolve(instance, 'p');
    through(host, instance, type, ...(type === 'before' ? ['a', 'after'] : []));
    expect(instance.state.status).toBe('COMPLETED');
  });

  it('stay with the open job when the instance is halted for another reason', async () => {
    const { host, instance } = await started(listened);
    const job = numberOf(host, instance, 'before');
    host.command(instance, { kind: 'SET_VARIABLES', variables: { big: 'x'.repeat(1024 * 1024) } });
    for (const { node } of host.incidents(instance)) host.resolve(instance, node, { big: null });
    expect(numberOf(host, instance, 'before')).toBe(job);
  });
});

describe('a failing execution listener', () => {
  const caught = simpleModel(
    [
      serviceTask('a', { listeners: { start: ['s1', 's2'], end: ['e1', 'e2'] } }),
      boundaryEvent('all', 'a', on.error()),
      endEvent('e'),
    ],
    ['f1: s -> a', 'f2: a -> e', 'f3: all -> e'],
  );

  it('is an incident at its element with its type, which nothing catches', async () => {
    const { host, instance } = await started(caught);
    through(host, instance, 's1');
    failed(host, instance, 's2', { message: 'no network', variables: { tried: 3 } });
    expect(host.incidents(instance)).toMatchObject([
      { node: 'a', errorCode: 's2', message: 'The start listener s2 of a failed with BROKEN: no network' },
    ]);
    expect(host.completed(instance)).toEqual(['s']);
  });

  it('runs again when that is resolved, without those that are done', async () => {
    const { host, instance } = await started(caught);
    through(host, instance, 's1');
    failed(host, instance, 's2');
    host.resolve(instance, 'a', { repaired: true });
    through(host, instance, 's2', 'a', 'e1');
    failed(host, instance, 'e2');
    expect(host.incidents(instance)).toMatchObject([{ node: 'a', errorCode: 'e2' }]);
    host.resolve(instance, 'a');
    through(host, instance, 'e2');
    expect(instance.state.status).toBe('COMPLETED');
  });

  it('does its work once more and no less when the instance is paused in between', async () => {
    const { host, instance } = await started(caught);
    failed(host, instance, 's1');
    host.suspend(instance);
    host.resolve(instance, 'a');
    expect(host.waiting(instance)).toEqual([]);
    host.resume(instance);
    through(host, instance, 's1', 's2', 'a', 'e1', 'e2');
    expect(instance.state.status).toBe('COMPLETED');
  });

  it('whose type cannot be evaluated is an incident that a boundary event for all errors does not catch', async () => {
    const xml = caught.replace('type="s1"', 'type="=missing + 1"');
    const { host, instance } = await started(xml);
    expect(host.incidents(instance)).toMatchObject([{ node: 'a', errorType: 'FeelError' }]);
    host.resolve(instance, 'a', { missing: 'x' });
    expect(host.incidents(instance)).toMatchObject([{ node: 'a', errorType: 'FeelError' }]);
  });

  it('at the process is an incident of the process, and it runs again', async () => {
    const { host, instance } = await started(
      ofProcess(oneTask(serviceTask('a')), { start: ['before'], end: ['after'] }),
    );
    failed(host, instance, 'before');
    host.resolve(instance, 'p');
    through(host, instance, 'before', 'a');
    failed(host, instance, 'after');
    expect(host.incidents(instance)).toMatchObject([{ node: 'p', errorCode: 'after' }]);
    host.resolve(instance, 'p');
    through(host, instance, 'after');
    expect(instance.state.status).toBe('COMPLETED');
  });

  it('does not make the activity repeat its work when no sequence flow can be taken after it', async () => {
    const xml = simpleModel(
      [serviceTask('a', { listeners: { end: ['after'] } }), endEvent('e')],
      ['f1: s -> a', 'f2: a -> e =ok = true'],
    );
    const { host, instance } = await started(xml, { ok: false });
    through(host, instance, 'a', 'after');
    expect(host.incidents(instance)).toMatchObject([{ errorType: 'GatewayNoMatch' }]);
    host.command(instance, { kind: 'SET_VARIABLES', variables: { ok: true } });
    host.resolve(instance, 'a');
    expect(instance.state.status).toBe('COMPLETED');
  });
});

describe('an element whose execution listeners run', () => {
  const guarded = simpleModel(
    [
      subProcess(
        'sub',
        [startEvent('is'), serviceTask('a', BOTH), endEvent('ie')],
        ['i1: is -> a', 'i2: a -> ie'],
        BOTH,
      ),
      boundaryEvent('late', 'sub', on.timer('PT1H')),
      endEvent('e'),
    ],
    ['f1: s -> sub', 'f2: sub -> e', 'f3: late -> e'],
  );

  it('is interrupted with its job by an event around it', async () => {
    const { host, instance } = await started(guarded);
    done(host, instance, 'before');
    expect(open(instance, host)).toEqual(['before']);
    host.advance(3_600_000);
    expect(instance.state.status).toBe('COMPLETED');
    expect(host.facts(instance)).toContainEqual(expect.objectContaining({ kind: 'JOB_CANCELED' }));
  });

  it('listens to nothing anymore while its last ones run', async () => {
    const { host, instance } = await started(guarded);
    for (const type of ['before', 'before', 'a', 'after']) done(host, instance, type);
    expect(host.waiting(instance)).toEqual(['job sub']);
    host.advance(3_600_000);
    through(host, instance, 'after');
    expect(host.completed(instance)).toContain('sub');
  });

  it('is canceled at once with the instance', async () => {
    const { host, instance } = await started(guarded);
    host.command(instance, { kind: 'CANCEL_INSTANCE' });
    expect(instance.state.status).toBe('CANCELED');
    expect(instance.state.waits).toEqual({});
  });

  it('keeps a result that arrives during a pause until the resume', async () => {
    const { host, instance } = await started(guarded);
    host.suspend(instance);
    expect(
      host.send(instance, { kind: 'COMPLETE_JOB', execution: numberOf(host, instance, 'before') }),
    ).toBeUndefined();
    host.resume(instance);
    expect(host.waiting(instance)).toEqual(['timer late', 'job a']);
  });

  it('takes no token inside, because it has not begun or is about to end', async () => {
    const { host, instance } = await started(guarded);
    expect(refused(host, instance, startBefore('a'))).toEqual([
      expect.stringContaining('the execution listeners at the start of sub run'),
    ]);
    for (const type of ['before', 'before', 'a', 'after']) done(host, instance, type);
    expect(refused(host, instance, startBefore('a'))).toEqual([
      expect.stringContaining('the execution listeners at the end of sub run'),
    ]);
  });

  it('can be left by a modification, which cancels the job', async () => {
    const { host, instance } = await started(guarded);
    modify(host, instance, startBefore('e'), cancel('sub'));
    expect(instance.state.status).toBe('COMPLETED');
  });

  it('is entered by a modification with its listeners; those of a scope that is opened around it do not run', async () => {
    const { host, instance } = await started(
      simpleModel(
        [
          serviceTask('first'),
          subProcess(
            'sub',
            [startEvent('is'), serviceTask('a', BOTH), endEvent('ie')],
            ['i1: is -> a', 'i2: a -> ie'],
            BOTH,
          ),
          endEvent('e'),
        ],
        ['f1: s -> first', 'f2: first -> sub', 'f3: sub -> e'],
      ),
    );
    modify(host, instance, startBefore('a'), cancel('first'));
    through(host, instance, 'before', 'a', 'after', 'after');
    expect(instance.state.status).toBe('COMPLETED');
  });

  it('of an ad-hoc sub-process activates nothing', async () => {
    const { host, instance } = await started(
      oneTask(adHocSubProcess('a', [serviceTask('t')], [], { ...BOTH, until: '=done = true' })),
    );
    const trigger = () => host.command(instance, { kind: 'TRIGGER_AD_HOC', node: 'a', nodeID: 't' });
    expect(trigger()).toMatchObject({ status: 'REJECTED', code: 'CONFLICT' });
    through(host, instance, 'before');
    host.command(instance, { kind: 'SET_AD_HOC_VARIABLES', node: 'a', variables: { done: true } });
    expect(open(instance, host)).toEqual(['after']);
    expect(trigger()).toMatchObject({ status: 'REJECTED', code: 'CONFLICT' });
    host.command(instance, { kind: 'SET_AD_HOC_VARIABLES', node: 'a', variables: { done: true } });
    through(host, instance, 'after');
    expect(instance.state.status).toBe('COMPLETED');
  });

  it('keeps the variables of its event out of what a redaction leaves', async () => {
    const fact = {
      kind: 'ELEMENT_DATA_SET' as const,
      element: 2,
      data: { listening: { event: 'start', at: 0 }, payload: { secret: 1 } },
    };
    expect(JSON.stringify(redactFact(fact, new Set(['secret'])))).not.toContain('"secret":1');
  });
});

describe('migration of an element whose execution listeners run', () => {
  const two = (first: string[], second: string[], phase: 'start' | 'end' = 'start') =>
    between(
      oneTask(serviceTask('a', { listeners: { [phase]: first } })),
      oneTask(serviceTask('a', { listeners: { [phase]: second } })),
    );

  it('keeps the job of a listener that the new version has, at another place too', async () => {
    const { host, instance } = await two(['s1', 's2'], ['s0', 's1', 's3']);
    migrate(host, instance);
    through(host, instance, 's1', 's3', 'a');
    expect(instance.state.status).toBe('COMPLETED');
  });

  it('cancels the job of one that it does not have, and the element continues after those that have run', async () => {
    const { host, instance } = await two(['s1', 's2'], ['s1', 's3']);
    through(host, instance, 's1');
    migrate(host, instance);
    expect(host.facts(instance)).toContainEqual(
      expect.objectContaining({
        kind: 'JOB_CANCELED',
        reason: 'the instance was migrated to a version without the listener',
      }),
    );
    through(host, instance, 's3', 'a');
    expect(instance.state.status).toBe('COMPLETED');
  });

  it('leaves an element whose last listener is gone', async () => {
    const { host, instance } = await between(
      oneTask(serviceTask('a', { listeners: { end: ['after'] } })),
      oneTask(serviceTask('a')),
    );
    host.completeJob(instance, 'a');
    migrate(host, instance);
    expect(instance.state.status).toBe('COMPLETED');
  });

  it('continues after the resume of a paused instance', async () => {
    const { host, instance } = await two(['s1'], ['s2']);
    host.suspend(instance);
    migrate(host, instance);
    expect(host.waiting(instance)).toEqual([]);
    host.resume(instance);
    through(host, instance, 's2', 'a');
  });

  it('resolves the incident of a missing listener by continuing without it', async () => {
    const { host, instance } = await two(['s1'], ['s2']);
    failed(host, instance, 's1');
    migrate(host, instance);
    expect(host.incidents(instance)).toHaveLength(1);
    host.resolve(instance, 'a');
    through(host, instance, 's2', 'a');
  });

  it('opens no boundary event of the new version, because the element does not listen', async () => {
    const version = (more: string) =>
      simpleModel(
        [serviceTask('a', BOTH), endEvent('e'), more],
        ['f1: s -> a', 'f2: a -> e', ...(more === '' ? [] : ['f3: late -> e'])],
      );
    const { host, instance } = await between(version(''), version(boundaryEvent('late', 'a', on.timer('PT1H'))));
    migrate(host, instance);
    expect(host.waiting(instance)).toEqual(['job a']);
    through(host, instance, 'before');
    expect(host.waiting(instance)).toEqual(['timer late', 'job a']);
  });

  it('works for an element without work of a job worker', async () => {
    const { host, instance } = await between(oneTask(task('a', BOTH)), oneTask(task('a', BOTH)));
    migrate(host, instance);
    through(host, instance, 'before', 'after');
    expect(instance.state.status).toBe('COMPLETED');
  });
});
