/** Each question of a version, and what answers it. */
import type { Decisions } from '@perdure/backtest';
import type { Variables } from '@perdure/engine/contract/json.js';
import { expect, it } from 'vitest';
import {
  adHocSubProcess,
  boundaryEvent,
  businessRuleTask,
  catchEvent,
  endEvent,
  exclusiveGateway,
  multiInstance,
  on,
  parallelGateway,
  root,
  scriptTask,
  serviceTask,
  subProcess,
  startEvent,
  taskListeners,
  userTask,
} from '@perdure/testkit/models';
import { simpleModel } from '../support/models.js';
import { item, record } from './support/recording.js';

const MINUTE = 60_000;

it('a message is kept until the version asks for it, and is not there before it was sent', async () => {
  const roots = [root.message('M')];
  const heard = catchEvent('heard', on.message('M'));
  const catching = simpleModel(
    [heard, serviceTask('work'), endEvent('e')],
    ['f1: s -> heard', 'f2: heard -> work', 'f3: work -> e'],
    roots,
  );
  const recording = await record(catching, (host, instance) => {
    host.advance(MINUTE);
    host.publishMessage('M', undefined, { said: 1 });
    host.advance(MINUTE);
    host.completeJob(instance, 'work');
  });
  const pausing = (duration: string) =>
    simpleModel(
      [heard, catchEvent('first', on.timer(duration)), serviceTask('work'), endEvent('e')],
      ['f0: s -> first', 'f1: first -> heard', 'f2: heard -> work', 'f3: work -> e'],
      roots,
    );
  const path = { outcome: 'OTHER_PATH', first: { nodeID: 's', occurrence: 1, expected: ['heard'], found: ['first'] } };
  expect(await item(recording, pausing('PT1H'))).toMatchObject({ ...path, durationMs: 61 * MINUTE });
  expect(await item(recording, pausing('PT1S'))).toMatchObject({ ...path, durationMs: 2 * MINUTE });
});

it('the order of branches does not matter: a longer timer that lets one end after the other is the same', async () => {
  const branches = (duration: string) =>
    simpleModel(
      [
        parallelGateway('fork'),
        catchEvent('one', on.timer(duration)),
        scriptTask('after', '=1', 'x'),
        serviceTask('two'),
        parallelGateway('join'),
        endEvent('e'),
      ],
      [
        'a: s -> fork',
        'b: fork -> one',
        'c: one -> after',
        'd: after -> join',
        'g: fork -> two',
        'h: two -> join',
        'i: join -> e',
      ],
    );
  const recording = await record(branches('PT1M'), (host, instance) => {
    host.advance(2 * MINUTE);
    host.completeJob(instance, 'two');
  });
  expect(await item(recording, branches('PT5M'))).toEqual({
    workflowID: 'i1',
    outcome: 'SAME',
    durationMs: 5 * MINUTE,
    durationBeforeMs: 2 * MINUTE,
  });
});

it('a shorter deadline fires where the recorded one was canceled, if the answer came too late for it', async () => {
  const deadline = (duration: string) =>
    simpleModel(
      [serviceTask('work'), boundaryEvent('late', 'work', on.timer(duration)), endEvent('e'), endEvent('escalated')],
      ['f1: s -> work', 'f2: work -> e', 'f3: late -> escalated'],
    );
  const recording = await record(deadline('PT1H'), (host, instance) => {
    host.advance(10 * MINUTE);
    host.completeJob(instance, 'work');
  });
  expect((await item(recording, deadline('PT2H'))).outcome).toBe('SAME');
  expect((await item(recording, deadline('PT11M'))).outcome).toBe('SAME');
  expect(await item(recording, deadline('PT9M'))).toMatchObject({
    outcome: 'OTHER_PATH',
    first: { nodeID: 'work', occurrence: 1, expected: ['e'], found: ['late'] },
    durationMs: 9 * MINUTE,
  });
});

it('a race that an answer won against a timer that was late stays won', async () => {
  const race = (more: string[], flows: string[]) =>
    simpleModel(
      [
        serviceTask('work'),
        boundaryEvent('late', 'work', on.timer('PT1M')),
        endEvent('e'),
        endEvent('escalated'),
        ...more,
      ],
      ['f1: s -> work', 'f2: work -> e', 'f3: late -> escalated', ...flows],
    );
  const plain = race([], []);
  const recording = await record(plain, (host, instance) => {
    host.now += 2 * MINUTE;
    host.completeJob(instance, 'work');
  });
  expect((await item(recording, plain)).outcome).toBe('SAME');
  const reminded = race(
    [boundaryEvent('remind', 'work', on.timer('PT90S'), { interrupting: false }), endEvent('reminded')],
    ['f4: remind -> reminded'],
  );
  expect((await item(recording, reminded)).outcome).toBe('SAME');
});

it('answers stay with their items of a loop when a sub-process is put around the work', async () => {
  const each = multiInstance('=[1,2,3]', { output: '=done', into: 'results' });
  const plain = simpleModel([serviceTask('work', { loop: each }), endEvent('e')], ['f1: s -> work', 'f2: work -> e']);
  const recording = await record(plain, (host, instance) => {
    const jobs = Object.values(instance.state.waits);
    for (const [index, { id }] of jobs.entries())
      host.command(instance, { kind: 'COMPLETE_JOB', execution: id, variables: { done: index } });
  });
  const wrapped = simpleModel(
    [
      subProcess(
        'around',
        [startEvent('begin'), serviceTask('work', { loop: each }), endEvent('inner')],
        ['g1: begin -> work', 'g2: work -> inner'],
      ),
      endEvent('e'),
    ],
    ['f1: s -> around', 'f2: around -> e'],
  );
  expect(await item(recording, wrapped)).toMatchObject({
    outcome: 'OTHER_PATH',
    first: { nodeID: 's', expected: ['work'], found: ['around'] },
    durationMs: 0,
  });
});

it('a user task gets the answer of the job that it replaces', async () => {
  const flows = ['f1: s -> work', 'f2: work -> e'];
  const recording = await record(simpleModel([serviceTask('work'), endEvent('e')], flows), (host, instance) => {
    host.completeJob(instance, 'work', { done: true });
  });
  expect((await item(recording, simpleModel([userTask('work'), endEvent('e')], flows))).outcome).toBe('SAME');
});

it('a decision has its recorded result for the same question; for another one it is asked, with the recorded version', async () => {
  const deciding = (script: string) =>
    simpleModel(
      [scriptTask('prepare', script, 'amount'), businessRuleTask('decide', 'rate', 'rate'), endEvent('e')],
      ['f1: s -> prepare', 'f2: prepare -> decide', 'f3: decide -> e'],
    );
  const recording = await record(deciding('=2'), () => {}, {
    prepare: (host) => host.decisions.set('rate', ({ amount }) => (amount as number) * 10),
  });
  expect((await item(recording, deciding('=2'))).outcome).toBe('SAME');
  expect(await item(recording, deciding('=3'))).toMatchObject({ outcome: 'UNANSWERED', first: { nodeID: 'decide' } });
  const asked: unknown[] = [];
  const decisions = (keepAnswers: boolean): Decisions => ({
    keepAnswers,
    decide({ decisionID, variables }, used) {
      asked.push([decisionID, variables['amount'], used?.version]);
      return { status: 'EVALUATED', value: 30, definitionID: 'rate', version: 1 };
    },
  });
  const found = await item(recording, deciding('=3'), decisions(true));
  expect(asked).toEqual([['rate', 3, 1]]);
  expect(found).toMatchObject({
    outcome: 'OTHER_RESULT',
    first: { nodeID: 'prepare', occurrence: 1 },
    variables: ['amount', 'rate'],
  });
  expect((await item(recording, deciding('=2'), decisions(true))).outcome).toBe('SAME');
  // Another version of the process binds another version of the decision.
  expect(await item(recording, deciding('=2'), decisions(false))).toMatchObject({
    outcome: 'OTHER_RESULT',
    variables: ['rate'],
  });
});

it('an incident is resolved as it was, and one that the version no longer has is not waited for', async () => {
  const dividing = (script: string) =>
    simpleModel(
      [serviceTask('work'), scriptTask('share', script, 'each'), endEvent('e')],
      ['f1: s -> work', 'f2: work -> share', 'f3: share -> e'],
    );
  const recording = await record(dividing('=10 / people'), (host, instance) => {
    host.completeJob(instance, 'work');
    host.advance(MINUTE);
    host.resolve(instance, 'share', { people: 5 });
  });
  expect(await item(recording, dividing('=10 / people'))).toMatchObject({ outcome: 'SAME', durationMs: MINUTE });
  expect(await item(recording, dividing('=2'))).toMatchObject({ outcome: 'SAME', durationMs: 0 });
});

it('an ad-hoc sub-process gets its recorded triggers as soon as it is active', async () => {
  const errands = adHocSubProcess('errands', [serviceTask('first'), serviceTask('second')], []);
  const recording = await record(
    simpleModel([errands, endEvent('e')], ['f1: s -> errands', 'f2: errands -> e']),
    (host, instance) => {
      host.command(instance, { kind: 'TRIGGER_AD_HOC', node: 'errands', nodeID: 'second' });
      host.completeJob(instance, 'second');
    },
  );
  const later = simpleModel(
    [catchEvent('pause', on.timer('PT1H')), errands, endEvent('e')],
    ['f0: s -> pause', 'f1: pause -> errands', 'f2: errands -> e'],
  );
  expect(await item(recording, later)).toMatchObject({ outcome: 'OTHER_PATH', durationMs: 60 * MINUTE });
});

it('occurrences count the rounds of a loop', async () => {
  const rounds = (limit: number) =>
    simpleModel(
      [serviceTask('work'), exclusiveGateway('again', { default: 'f4' }), endEvent('e')],
      ['f1: s -> work', 'f2: work -> again', `f3: again -> work =n < ${limit}`, 'f4: again -> e'],
    );
  const recording = await record(rounds(4), (host, instance) => {
    for (let n = 1; n <= 4; n += 1) host.completeJob(instance, 'work', { n });
  });
  expect(await item(recording, rounds(3))).toMatchObject({
    outcome: 'OTHER_PATH',
    first: { nodeID: 'again', occurrence: 3, expected: ['work'], found: ['e'] },
  });
  expect(await item(recording, rounds(5))).toMatchObject({
    outcome: 'UNANSWERED',
    first: { nodeID: 'work', occurrence: 5 },
  });
});

it('a listener has the result of the same listener only: a version without it is the same, another one is unanswered', async () => {
  const of = (...start: string[]) =>
    simpleModel([serviceTask('work', { listeners: { start } }), endEvent('e')], ['f1: s -> work', 'f2: work -> e']);
  const recording = await record(of('rate'), (host, instance) => {
    host.completeJob(instance, 'work', { rating: 1 });
    host.completeJob(instance, 'work', { done: true });
  });
  expect(await item(recording, of('rate'))).toMatchObject({ outcome: 'SAME' });
  expect(await item(recording, of())).toMatchObject({ outcome: 'SAME' });
  expect(await item(recording, of('rate', 'check'))).toMatchObject({
    outcome: 'UNANSWERED',
    first: { nodeID: 'work' },
  });
});

it('a request that a listener has denied is answered as it was; a version without the listener takes the first one', async () => {
  const of = (...completing: string[]) =>
    simpleModel(
      [userTask('review', { extensions: taskListeners({ completing }) }), endEvent('e')],
      ['f1: s -> review', 'f2: review -> e'],
    );
  const recording = await record(of('check'), (host, instance) => {
    const complete = (variables: Variables) =>
      host.send(instance, {
        kind: 'COMPLETE_USER_TASK',
        execution: host.wait(instance, 'userTask', 'review').id,
        variables,
      });
    complete({ amount: 0 });
    host.completeJob(instance, 'review', {}, { denied: true });
    complete({ amount: 1 });
    host.completeJob(instance, 'review', {}, { corrections: { assignee: 'ada' } });
  });
  expect(await item(recording, of('check'))).toMatchObject({ outcome: 'SAME' });
  expect(await item(recording, of())).toMatchObject({ outcome: 'OTHER_RESULT' });
  expect(await item(recording, of('check', 'another'))).toMatchObject({
    outcome: 'UNANSWERED',
    first: { nodeID: 'review' },
  });
});
