/** The time and the order of a scenario on a host. */
import { describe, expect, it } from 'vitest';
import { openBundle, type Scenario } from '@perdure/testkit';
import {
  boundaryEvent,
  endEvent,
  on,
  processModel,
  sequenceModel,
  serviceTask,
  startEvent,
} from '@perdure/testkit/models';
import { completedNodes } from '../../packages/cli/scenarios/on-host/completed-nodes.js';
import type { HostInstance, Wait } from '../../packages/cli/scenarios/on-host/instances.js';
import { cyclesIn, unfitReason } from '../../packages/cli/scenarios/on-host/unfit.js';
import { VirtualClock } from '../../packages/cli/scenarios/on-host/virtual-clock.js';

const HOUR = 3_600_000;
const hostTime = (hours: number) => new Date(Date.UTC(2026, 10, 27) + hours * HOUR).toISOString();

function waitingFor(...timers: { id: string; node?: string; since: number; due: number }[]): HostInstance[] {
  const waits = timers.map(({ id, node = 'late', since, due }): Wait => ({
    kind: 'timer',
    timerID: id,
    nodeID: node,
    scopeID: '1',
    since: hostTime(since),
    dueAt: hostTime(due),
    overTarget: false,
  }));
  return [{ state: { workflowID: 'w' } as HostInstance['state'], waits }];
}

describe('the clock of a scenario', () => {
  it('counts from the moment at which a timer was opened, whatever the host calls that moment', () => {
    const clock = new VirtualClock(new Set());
    expect(clock.timersOf(waitingFor({ id: '1', since: 0, due: 2 }))[0]!.due).toBe(2 * HOUR);
    clock.now = 5 * HOUR;
    const timers = clock.timersOf(waitingFor({ id: '1', since: 0, due: 2 }, { id: '2', since: 0.5, due: 1.5 }));
    expect(timers.map(({ timerID, due }) => [timerID, due / HOUR])).toEqual([
      ['1', 2],
      ['2', 6],
    ]);
  });

  it('counts the next tick of a cycle from the tick before, as the host does', () => {
    const clock = new VirtualClock(new Set(['tick']));
    const [first] = clock.timersOf(waitingFor({ id: '1', node: 'tick', since: 0, due: 2 }));
    clock.noteFired(first!);
    expect(clock.now).toBe(2 * HOUR);
    const [next] = clock.timersOf(waitingFor({ id: '2', node: 'tick', since: 0.01, due: 4 }));
    expect(next!.due).toBe(4 * HOUR);
  });

  it('counts a timer that a loop opens again from now', () => {
    const clock = new VirtualClock(new Set());
    const [first] = clock.timersOf(waitingFor({ id: '1', since: 0, due: 2 }));
    clock.noteFired(first!);
    const [next] = clock.timersOf(waitingFor({ id: '2', since: 0.01, due: 2.01 }));
    expect(next!.due).toBe(4 * HOUR);
  });
});

describe('nodes that completed', () => {
  const entry = (elementInstanceID: string, scopeID: string, nodeID: string, hours?: number) => {
    const node = { elementInstanceID, scopeID, nodeID };
    return hours === undefined
      ? ({ ...node, status: 'Started' } as const)
      : ({ ...node, status: 'Completed', endTime: hostTime(hours) } as const);
  };

  it('are in the order of their ends, a scope after what is inside it', () => {
    expect(
      completedNodes([
        entry('2', '1', 'start', 0),
        entry('3', '1', 'scope', 1),
        entry('4', '3', 'inside', 1),
        entry('5', '1', 'parallel', 0.5),
        entry('6', '1', 'open'),
        entry('7', '1', 'end', 1),
      ]),
    ).toEqual(['start', 'parallel', 'inside', 'scope', 'end']);
  });
});

describe('a scenario does not run on a host', () => {
  const scenario: Scenario = { name: 'one', process: 'order', start: {}, steps: [] };
  const reasonFor = async (xml: string, more: Partial<Scenario> = {}) =>
    unfitReason({ ...scenario, ...more }, await openBundle([{ name: 'order.bpmn', text: xml }]));
  const ship = [serviceTask('ship')];
  const withTimer = (definition: string) =>
    processModel(
      'order',
      [startEvent('start'), ...ship, boundaryEvent('late', 'ship', definition), endEvent('end'), endEvent('other')],
      ['a: start -> ship', 'b: ship -> end', 'c: late -> other'],
    );

  it.each([
    ['that reads the clock', sequenceModel('order', [serviceTask('ship', { inputs: { at: '=now()' } })]), 'now()'],
    ['with a timer at a date', withTimer(on.date('2030-01-01T00:00:00Z')), 'due at a date'],
    ['with a cron expression', withTimer(on.cycle('0 0 8 * * *')), 'due at a date'],
    ['with a cycle that begins at a date', withTimer(on.cycle('R3/2030-01-01T00:00:00Z/PT1H')), 'due at a date'],
  ])('if its model is one %s', async (_kind, xml, reason) => {
    expect(await reasonFor(xml)).toContain(reason);
  });

  it('if no start event of a test can begin it, or it answers a call', async () => {
    const model = sequenceModel('order', ship);
    const { start: _start, ...withoutStart } = scenario;
    const bundle = await openBundle([{ name: 'order.bpmn', text: model }]);
    expect(unfitReason(withoutStart, bundle)).toContain('a message or a signal starts it');
    expect(await reasonFor(model, { start: { startAt: [{ nodeID: 'ship' }] } })).toContain('begins at a node');
    expect(await reasonFor(model, { steps: [{ call: { node: 'ship' } }] })).toContain('answers a call');
    expect(await reasonFor(model)).toBeUndefined();
  });

  it('but does with a cycle of intervals, whose node it knows', async () => {
    const model = withTimer(on.cycle('R3/PT1H'));
    expect(await reasonFor(model)).toBeUndefined();
    expect(cyclesIn(await openBundle([{ name: 'order.bpmn', text: model }]))).toEqual(new Set(['late']));
  });
});
