/** Versions and histories that would never end, or take too much, or show what they must not. */
import { backtest, reasonToSkip } from '@perdure/backtest';
import {
  adHocSubProcess,
  boundaryEvent,
  callActivity,
  catchEvent,
  endEvent,
  exclusiveGateway,
  multiInstance,
  on,
  processModel,
  scriptTask,
  serviceTask,
  startEvent,
} from '@perdure/testkit/models';
import { expect, it } from 'vitest';
import { MemoryHost } from '../../packages/testkit/memory-host.js';
import { simpleModel } from '../support/models.js';
import { recordAll } from './support/recorder-of-host.js';
import { item, modelFrom, record } from './support/recording.js';

/** Of the long history: `npm run backtest-proof` has more. */
const FACTS = Number(process.env['BACKTEST_FACTS'] || 6_000);

const work = simpleModel([serviceTask('work'), endEvent('e')], ['f1: s -> work', 'f2: work -> e']);
const worked = () =>
  record(work, (host, instance) => {
    host.advance(60_000);
    host.completeJob(instance, 'work', { secret: 'a value' });
  });

it('a version that runs in circles without waiting ends at the limit of steps', async () => {
  const circle = simpleModel(
    [serviceTask('work'), exclusiveGateway('again'), scriptTask('count', '=1', 'x')],
    ['f1: s -> work', 'f2: work -> again', 'f3: again -> count', 'f4: count -> again'],
  );
  const found = await item(await worked(), circle);
  expect(found).toMatchObject({ outcome: 'INCIDENT', reason: expect.stringContaining('Too many steps') });
  expect(found).not.toHaveProperty('durationMs');
}, 120_000);

it('a version that only ticks after the last answer was never answered', async () => {
  const ticks = simpleModel(
    [
      serviceTask('work'),
      serviceTask('more'),
      boundaryEvent('tick', 'more', on.cycle('R/PT1H'), { interrupting: false }),
      endEvent('e'),
    ],
    ['f1: s -> work', 'f2: work -> more', 'f3: more -> e'],
  );
  expect(await item(await worked(), ticks)).toMatchObject({
    outcome: 'UNANSWERED',
    first: { nodeID: 'more', occurrence: 1 },
  });
}, 120_000);

it('a version that waits in a circle of timers was never answered', async () => {
  const circle = simpleModel(
    [serviceTask('work'), exclusiveGateway('again'), catchEvent('pause', on.timer('PT1H'))],
    ['f1: s -> work', 'f2: work -> again', 'f3: again -> pause', 'f4: pause -> again'],
  );
  expect(await item(await worked(), circle)).toMatchObject({ outcome: 'UNANSWERED', first: { nodeID: 'pause' } });
}, 120_000);

it('a tick of every second for a year before the only answer ends at the limit of steps', async () => {
  const ticks = simpleModel(
    [serviceTask('work'), boundaryEvent('tick', 'work', on.cycle('R/PT1S'), { interrupting: false }), endEvent('e')],
    ['f1: s -> work', 'f2: work -> e'],
  );
  const recording = await record(work, (host, instance) => {
    host.now += 365 * 86_400_000;
    host.completeJob(instance, 'work');
  });
  expect(await item(recording, ticks)).toMatchObject({
    outcome: 'INCIDENT',
    reason: expect.stringContaining('Too many steps'),
  });
}, 120_000);

it('ticks that each do as much as a step allows end at the limit of facts, long before that of ticks', async () => {
  const busy = simpleModel(
    [
      serviceTask('work'),
      boundaryEvent('tick', 'work', on.cycle('R/PT1S'), { interrupting: false }),
      scriptTask('count', '=1', 'x', { loop: multiInstance('=for i in 1..500 return i') }),
      endEvent('e'),
    ],
    ['f1: s -> work', 'f2: work -> e', 'f3: tick -> count'],
  );
  const recording = await record(work, (host, instance) => {
    host.now += 86_400_000;
    host.completeJob(instance, 'work');
  });
  expect(await item(recording, busy)).toMatchObject({
    outcome: 'INCIDENT',
    reason: expect.stringContaining('Too many steps'),
  });
}, 120_000);

it('a process that calls itself is not run again: its recorded result answers, and a new call is never answered', async () => {
  const caller = (called: string) =>
    simpleModel([callActivity('call', called), endEvent('e')], ['f1: s -> call', 'f2: call -> e']);
  const host = await MemoryHost.deploy(
    caller('other'),
    processModel('other', [startEvent('s'), endEvent('o')], ['g: s -> o']),
  );
  const recorders = recordAll(host);
  const instance = host.start('p');
  const { recording } = recorders.get(instance.workflowID)!;
  expect((await item(recording, caller('other'))).outcome).toBe('SAME');
  expect(await item(recording, caller('p'))).toMatchObject({ outcome: 'UNANSWERED', first: { nodeID: 'call' } });
});

it(
  `a history of ${FACTS} facts is SAME against the version that it ran, and differs where another version leaves its loop`,
  async () => {
    const rounds = Math.ceil(FACTS / 6);
    const left = Math.ceil(rounds / 2);
    const loop = simpleModel(
      [serviceTask('work'), exclusiveGateway('again', { default: 'f4' }), endEvent('e')],
      ['f1: s -> work', 'f2: work -> again', `f3: again -> work =n < ${rounds}`, 'f4: again -> e'],
    );
    const recording = await record(loop, (host, instance) => {
      for (let n = 1; instance.state.status === 'RUNNING'; n += 1) {
        host.now += 10;
        host.completeJob(instance, 'work', { n });
      }
    });
    expect(recording.steps.reduce((sum, { facts }) => sum + facts.length, 0)).toBeGreaterThanOrEqual(FACTS);
    expect((await item(recording, loop)).outcome).toBe('SAME');
    const earlier = loop.replace(`n &lt; ${rounds}`, `n &lt; ${left}`);
    expect(earlier).not.toBe(loop);
    expect(await item(recording, earlier)).toMatchObject({
      outcome: 'OTHER_PATH',
      first: { nodeID: 'again', occurrence: left, expected: ['work'], found: ['e'] },
    });
  },
  60_000 + 3 * FACTS,
);

it('a redacted, an imported, a modified, a migrated and an incomplete history are skipped, each for its reason', async () => {
  const recording = await worked();
  const reasons = [
    { ...recording, redacted: true as const },
    {
      ...recording,
      steps: recording.steps.map((step, index) =>
        index > 0
          ? step
          : {
              ...step,
              facts: [{ kind: 'INSTANCE_IMPORTED' as const, source: { system: 's', id: '1' }, facts: [...step.facts] }],
            },
      ),
    },
    { ...recording, steps: recording.steps.slice(1) },
    { ...recording, steps: recording.steps.slice(0, 1) },
    { ...recording, commands: [] },
    {
      ...recording,
      commands: recording.commands.map(({ number, status }) => ({
        kind: 'MODIFY' as const,
        number,
        status,
        instructions: [],
      })),
    },
    {
      ...recording,
      steps: recording.steps.map(({ inputs, facts }) => ({
        inputs,
        facts: facts.map((fact) =>
          fact.kind === 'INSTANCE_COMPLETED'
            ? {
                kind: 'INSTANCE_MIGRATED' as const,
                target: { definitionID: 'd', version: 2, graphSha256: '' },
                nodes: [],
                flows: [],
              }
            : fact,
        ),
      })),
    },
    {
      ...recording,
      steps: recording.steps.map((step) => ({ ...step, inputs: { ...step.inputs, defect: { message: 'm' } } })),
    },
  ].map(reasonToSkip);
  expect(reasons).toEqual([
    'Values of the history were redacted',
    'The instance was imported while it ran',
    'The facts of the first steps were removed',
    'The instance has not ended',
    'Commands of the instance were removed',
    'The instance was modified',
    'The instance was migrated',
    'A defect of the engine stopped the instance',
  ]);
});

it('no value of the instance is in what is reported', async () => {
  const other = simpleModel(
    [serviceTask('work'), scriptTask('next', '=secret + 1', 'x'), endEvent('e')],
    ['f1: s -> work', 'f2: work -> next', 'f3: next -> e'],
  );
  const found = await item(await worked(), other);
  expect(found).toMatchObject({ outcome: expect.stringMatching(/^(INCIDENT|OTHER_PATH)$/) });
  expect(JSON.stringify(found)).not.toContain('a value');
});

it('an instance that the store ended, because its workflow was gone, is SAME against the version that it ran', async () => {
  const recording = await record(work, (host, instance) => {
    host.advance(60_000);
    host.command(instance, { kind: 'CANCEL_INSTANCE' });
  });
  const [first, last] = recording.steps;
  const facts = last!.facts.flatMap((fact) =>
    fact.kind === 'COMMAND_HANDLED'
      ? []
      : [fact.kind === 'INSTANCE_CANCELED' ? { kind: 'INSTANCE_FAILED' as const, reason: 'gone' } : fact],
  );
  const ended = {
    ...recording,
    commands: [],
    steps: [first!, { inputs: { now: last!.inputs.now, lastCommand: 0, endedElsewhere: true as const }, facts }],
  };
  expect(await item(ended, work)).toMatchObject({ outcome: 'SAME', durationMs: 60_000 });
});

it('another process is refused', async () => {
  const recording = await worked();
  const other = await modelFrom(processModel('q', [startEvent('s'), endEvent('e')], ['f: s -> e']));
  expect(() => backtest(recording, other)).toThrow('cannot be compared with process q');
});

it('thousands of commands to a node that is never active do not slow the run of a version down', async () => {
  const errands = adHocSubProcess('errands', [serviceTask('errand')], []);
  const recording = await record(
    simpleModel([errands, endEvent('e')], ['f1: s -> errands', 'f2: errands -> e']),
    (host, instance) => {
      host.command(instance, { kind: 'TRIGGER_AD_HOC', node: 'errands', nodeID: 'errand' });
      for (let n = 0; n < 2_000; n += 1)
        host.command(instance, { kind: 'SET_AD_HOC_VARIABLES', node: 'errands', variables: { n } });
      host.command(instance, { kind: 'CANCEL_INSTANCE' });
    },
  );
  const elsewhere = simpleModel(
    [errands, exclusiveGateway('way', { default: 'f4' }), catchEvent('pause', on.timer('PT1S')), endEvent('e')],
    ['f1: s -> way', 'f2: way -> errands =false', 'f3: errands -> e', 'f4: way -> pause', 'f5: pause -> way'],
  );
  expect(await item(recording, elsewhere)).toMatchObject({
    first: { nodeID: 's', expected: ['errands'], found: ['way'] },
  });
}, 60_000);
