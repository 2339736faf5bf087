/** Task listeners of `canceling`: an event that interrupts user tasks waits for them. */
import { describe, expect, it } from 'vitest';
import type { CommandOutcome, JobResult } from '@perdure/engine/contract/commands.js';
import type { Fact } from '@perdure/engine/contract/facts.js';
import type { Variables } from '@perdure/engine/contract/json.js';
import { redactFact } from '@perdure/engine/redaction/facts.js';
import { withoutVariables } from '@perdure/engine/redaction/state.js';
import {
  boundaryEvent,
  compensatedBy,
  endEvent,
  eventSubProcess,
  multiInstance,
  on,
  parallelGateway,
  root,
  serviceTask,
  startEvent,
  subProcess,
  task,
  taskListeners,
  transaction,
  userTask,
  type Xml,
} from '@perdure/testkit/models';
import { MemoryHost, type MemoryInstance } from '../../../packages/testkit/memory-host.js';
import { simpleModel } from '../../support/models.js';
import { issues, migrate } from '../support/migrating.js';
import { cancel, modify } from '../support/modifying.js';

const HOUR = 3_600_000;

type Listeners = Parameters<typeof taskListeners>[0];
const listened = (id: string, listeners: Listeners, more = {}) =>
  userTask(id, { ...more, extensions: taskListeners(listeners) });
const late = (host: string, id = 'late') => boundaryEvent(id, host, on.timer('PT1H'));

async function started(xml: string, variables: Variables = {}) {
  const host = await MemoryHost.deploy(xml);
  const outcomes: CommandOutcome[] = [];
  host.onStep = (_instance, _input, result) => void outcomes.push(...result.outcomes);
  return { host, instance: host.start('p', variables), outcomes };
}

/** `a` with a timer, which leads to the task `after`. */
const withTimer = (listeners: Listeners, more = {}) =>
  simpleModel(
    [listened('a', listeners, more), late('a'), endEvent('e'), serviceTask('after'), endEvent('x')],
    ['f1: s -> a', 'f2: a -> e', 'f3: late -> after', 'f4: after -> x'],
  );

/** `inside` in a sub-process with a timer, which leads to the task `after`. */
const inSubProcess = (inside: Xml, flows: string[], more: Xml = []) =>
  simpleModel(
    [
      subProcess('sub', [startEvent('is'), inside], flows),
      late('sub'),
      endEvent('e'),
      serviceTask('after'),
      endEvent('x'),
      more,
    ],
    ['f1: s -> sub', 'f2: sub -> e', 'f3: late -> after', 'f4: after -> x'],
  );

const kinds = (host: MemoryHost, instance: MemoryInstance) => host.facts(instance).map(({ kind }) => kind);
const requested = (facts: readonly Fact[]) =>
  facts.filter((fact) => fact.kind === 'USER_TASK_REQUESTED').map(({ event }) => event);
const done = (host: MemoryHost, instance: MemoryInstance, id: string, result?: JobResult) =>
  expect(host.completeJob(instance, id, {}, result)).toMatchObject({ status: 'APPLIED' });

describe('an event that interrupts a user task', () => {
  it('fires after the listeners, one after another, while the task stays', async () => {
    const { host, instance } = await started(withTimer({ canceling: ['c1', 'c2'] }));
    host.advance(HOUR);
    expect(host.waiting(instance)).toEqual(['userTask a', 'job a']);
    done(host, instance, 'a');
    expect(host.waiting(instance)).toEqual(['userTask a', 'job a']);
    done(host, instance, 'a');
    expect(host.waiting(instance)).toEqual(['job after']);
    expect(kinds(host, instance).filter((kind) => kind.startsWith('USER_TASK_'))).toEqual([
      'USER_TASK_CREATED',
      'USER_TASK_REQUESTED',
      'USER_TASK_CANCELED',
    ]);
    done(host, instance, 'after');
    expect(instance.state.status).toBe('COMPLETED');
  });

  it('ends a request that other listeners decide about, and lets no other one through', async () => {
    const { host, instance, outcomes } = await started(withTimer({ completing: ['l'], canceling: ['c'] }));
    const { id } = Object.values(instance.state.waits).find(({ kind }) => kind === 'userTask')!;
    host.send(instance, { kind: 'COMPLETE_USER_TASK', execution: id });
    const number = instance.state.lastCommand;
    host.advance(HOUR);
    expect(outcomes).toContainEqual(
      expect.objectContaining({
        number,
        status: 'REJECTED',
        message: 'The task is being canceled: interrupted by boundary event late',
      }),
    );
    expect(host.send(instance, { kind: 'COMPLETE_USER_TASK', execution: id })).toMatchObject({ code: 'CONFLICT' });
    expect(
      host.send(instance, { kind: 'CHANGE_USER_TASK', execution: id, changes: { assignee: 'ada' } }),
    ).toMatchObject({ code: 'CONFLICT' });
    done(host, instance, 'a');
    expect(host.waiting(instance)).toEqual(['job after']);
  });

  it('cannot be denied, and takes corrections', async () => {
    const { host, instance } = await started(withTimer({ canceling: ['c'] }));
    host.advance(HOUR);
    expect(host.completeJob(instance, 'a', {}, { denied: true })).toMatchObject({ code: 'BAD_REQUEST' });
    done(host, instance, 'a', { corrections: { assignee: 'ada' } });
    expect(host.facts(instance)).toContainEqual(
      expect.objectContaining({ kind: 'USER_TASK_CHANGED', changes: { assignee: 'ada' } }),
    );
    expect(host.waiting(instance)).toEqual(['job after']);
  });

  it('waits at the incident of a listener, whose retry runs it again', async () => {
    const { host, instance } = await started(withTimer({ canceling: ['c'] }));
    host.advance(HOUR);
    host.throwJobError(instance, 'a', 'BROKEN');
    expect(host.incidents(instance)).toMatchObject([{ node: 'a', errorCode: 'c' }]);
    host.resolve(instance, 'a');
    done(host, instance, 'a');
    expect(host.waiting(instance)).toEqual(['job after']);
  });

  it('does not ask before the task exists', async () => {
    const { host, instance } = await started(withTimer({ creating: ['l'], canceling: ['c'] }));
    host.advance(HOUR);
    expect(host.waiting(instance)).toEqual(['job after']);
  });

  it('waits for each instance of a multi-instance task', async () => {
    const loop = multiInstance('=[1, 2, 3]');
    const { host, instance } = await started(withTimer({ canceling: ['c'] }, { loop }));
    host.advance(HOUR);
    expect(requested(host.facts(instance))).toEqual(['canceling', 'canceling', 'canceling']);
    for (const left of [2, 1, 0]) {
      done(host, instance, 'a');
      expect(host.waiting(instance).filter((wait) => wait === 'userTask a')).toHaveLength(left);
    }
    expect(host.waiting(instance)).toEqual(['job after']);
  });

  it('begins no further instance of a sequential one', async () => {
    const loop = multiInstance('=[1, 2, 3]', { sequential: true });
    const { host, instance } = await started(withTimer({ canceling: ['c'] }, { loop }));
    host.advance(HOUR);
    done(host, instance, 'a');
    expect(host.waiting(instance)).toEqual(['job after']);
  });
});

describe('an event that interrupts a scope with user tasks', () => {
  it('ends everything else in it at once', async () => {
    const { host, instance } = await started(
      inSubProcess(
        [
          parallelGateway('fork'),
          listened('a', { canceling: ['c'] }),
          late('a', 'own'),
          serviceTask('b'),
          userTask('d'),
        ],
        ['i1: is -> fork', 'i2: fork -> a', 'i3: fork -> b', 'i4: fork -> d'],
      ),
    );
    host.advance(HOUR - 1);
    modify(host, instance, { type: 'START_BEFORE_NODE', nodeID: 'b' });
    host.advance(1);
    expect(host.waiting(instance)).toEqual(['userTask a', 'job a']);
    done(host, instance, 'a');
    expect(host.waiting(instance)).toEqual(['job after']);
  });

  it('gives its variables to an event sub-process that begins after the listeners', async () => {
    const handler = eventSubProcess(
      'handler',
      [startEvent('stop', on.message('M')), serviceTask('clean'), endEvent('he')],
      ['h1: stop -> clean', 'h2: clean -> he'],
    );
    const { host, instance } = await started(
      simpleModel(
        [listened('a', { canceling: ['c'] }), endEvent('e'), handler],
        ['f1: s -> a', 'f2: a -> e'],
        root.message('M'),
      ),
    );
    host.publishMessage('M', undefined, { secret: 'x' });
    expect(host.waiting(instance)).toEqual(['userTask a', 'job a']);
    const names = new Set(['secret']);
    expect(JSON.stringify(withoutVariables(instance.state, names))).not.toContain('"x"');
    expect(JSON.stringify(host.facts(instance).map((fact) => redactFact(fact, names)))).not.toContain('"x"');
    done(host, instance, 'a');
    expect(host.waiting(instance)).toEqual(['job clean']);
    done(host, instance, 'clean');
    expect(instance.state.status).toBe('COMPLETED');
    expect(host.facts(instance)).toContainEqual(
      expect.objectContaining({ kind: 'VARIABLES_SET', variables: { secret: 'x' } }),
    );
  });

  it('shows the end of a scope that an error has left', async () => {
    const { host, instance } = await started(
      inSubProcess(
        [parallelGateway('fork'), listened('a', { canceling: ['c'] }), serviceTask('b')],
        ['i1: is -> fork', 'i2: fork -> a', 'i3: fork -> b'],
        [boundaryEvent('failed', 'sub', on.error()), endEvent('fe')],
      ).replace('</bpmn:process>', '<bpmn:sequenceFlow id="f5" sourceRef="failed" targetRef="fe"/></bpmn:process>'),
    );
    host.throwJobError(instance, 'b', 'E');
    expect(host.waiting(instance)).toEqual(['userTask a', 'job a']);
    done(host, instance, 'a');
    expect(instance.state.status).toBe('COMPLETED');
    const { element } = host
      .facts(instance)
      .find((fact) => fact.kind === 'ELEMENT_ACTIVATED' && fact.node === 'sub') as {
      element: number;
    };
    expect(host.facts(instance)).toContainEqual({ kind: 'ELEMENT_FAILED', element });
  });

  it('goes first if it interrupts around one that waits', async () => {
    const inner = [
      listened('a', { canceling: ['c'] }),
      boundaryEvent('soon', 'a', on.timer('PT1M')),
      serviceTask('never'),
    ];
    const { host, instance } = await started(inSubProcess(inner, ['i1: is -> a', 'i2: soon -> never']));
    host.advance(60_000);
    expect(host.waiting(instance)).toEqual(['timer late', 'userTask a', 'job a']);
    host.advance(HOUR);
    expect(host.waiting(instance)).toEqual(['userTask a', 'job a']);
    done(host, instance, 'a');
    expect(host.waiting(instance)).toEqual(['job after']);
    expect(requested(host.facts(instance))).toEqual(['canceling']);
  });
});

describe('an end event that ends its scope', () => {
  it('terminates it after the listeners', async () => {
    const { host, instance } = await started(
      simpleModel(
        [
          parallelGateway('fork'),
          listened('a', { canceling: ['c'] }),
          serviceTask('b'),
          endEvent('stop', on.terminate),
        ],
        ['f1: s -> fork', 'f2: fork -> a', 'f3: fork -> b', 'f4: b -> stop'],
      ),
    );
    done(host, instance, 'b');
    expect(host.waiting(instance)).toEqual(['userTask a', 'job a']);
    done(host, instance, 'a');
    expect(instance.state.status).toBe('COMPLETED');
  });

  it('compensates a canceled transaction after the listeners', async () => {
    const inside = [
      startEvent('is'),
      task('pay'),
      compensatedBy('pay', 'refund'),
      serviceTask('refund', { isForCompensation: true }),
      parallelGateway('fork'),
      listened('a', { canceling: ['c'] }),
      serviceTask('b'),
      endEvent('no', on.cancel),
    ];
    const { host, instance } = await started(
      simpleModel(
        [
          transaction('tx', inside, [
            'i1: is -> pay',
            'i2: pay -> fork',
            'i3: fork -> a',
            'i4: fork -> b',
            'i5: b -> no',
          ]),
          boundaryEvent('canceled', 'tx', on.cancel),
          endEvent('e'),
          serviceTask('after'),
        ],
        ['f1: s -> tx', 'f2: tx -> e', 'f3: canceled -> after'],
      ),
    );
    done(host, instance, 'b');
    expect(host.waiting(instance)).toEqual(['userTask a', 'job a']);
    done(host, instance, 'a');
    expect(host.waiting(instance)).toEqual(['job refund']);
    done(host, instance, 'refund');
    expect(host.waiting(instance)).toEqual(['job after']);
  });
});

describe('whatever else cancels a user task', () => {
  it('waits for no listener, be it a cancel of the instance or a modification', async () => {
    const { host, instance } = await started(withTimer({ canceling: ['c'] }));
    host.command(instance, { kind: 'CANCEL_INSTANCE' });
    expect(instance.state.status).toBe('CANCELED');
    const other = host.start('p');
    modify(host, other, cancel('a'), { type: 'START_BEFORE_NODE', nodeID: 'after' });
    expect(host.waiting(other)).toEqual(['job after']);
  });

  it('fires the event if it takes the last task that the event waits for', async () => {
    const { host, instance } = await started(inSubProcess([listened('a', { canceling: ['c'] })], ['i1: is -> a']));
    host.advance(HOUR);
    modify(host, instance, cancel('a'));
    expect(host.waiting(instance)).toEqual(['job after']);
  });
});

describe('migration while listeners of canceling run', () => {
  const waiting = async (second: string) => {
    const { host, instance } = await started(withTimer({ canceling: ['c'] }));
    host.advance(HOUR);
    await host.deploy(second);
    return { host, instance };
  };

  it('keeps a job that the new version has', async () => {
    const { host, instance } = await waiting(withTimer({ canceling: ['b', 'c'] }));
    migrate(host, instance);
    done(host, instance, 'a');
    expect(host.waiting(instance)).toEqual(['job after']);
  });

  it('fires the event if the new version has no listener', async () => {
    const { host, instance } = await waiting(withTimer({}));
    migrate(host, instance);
    expect(host.waiting(instance)).toEqual(['job after']);
  });

  it('follows the event to its counterpart, and is refused without one that interrupts', async () => {
    const renamed = await waiting(withTimer({ canceling: ['c'] }).replaceAll('late', 'overdue'));
    expect(issues(renamed.host, renamed.instance)).toEqual([
      expect.stringMatching(/^listeners of user tasks run for late, but the target version has no element/),
    ]);
    migrate(renamed.host, renamed.instance, { late: 'overdue' });
    done(renamed.host, renamed.instance, 'a');
    expect(renamed.host.waiting(renamed.instance)).toEqual(['job after']);
    const gentle = await waiting(
      withTimer({ canceling: ['c'] }).replace('attachedToRef="a"', 'attachedToRef="a" cancelActivity="false"'),
    );
    expect(issues(gentle.host, gentle.instance)).toEqual([
      'listeners of user tasks run for late, which interrupts a, but late in the target version does not interrupt a',
    ]);
  });
});
