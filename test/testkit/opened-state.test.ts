/** The state of an instance opens in memory at any wait state, and continues as the instance did. */
import { describe, expect, it, test } from 'vitest';
import { callActivity, catchEvent, on, root, sequenceModel, serviceTask, userTask } from '@perdure/testkit/models';
import { businessRuleTask } from '@perdure/testkit/models';
import { MemoryHost, type MemoryInstance, type OpenedState } from '../../packages/testkit/memory-host.js';
import type { TakenInput } from '../../packages/testkit/memory/steps.js';
import { Random } from '../engine/random/random.js';
import { startRandom, stimulateAny } from '../engine/random/stimuli.js';

const MAX_STIMULI = 40;

/** As JSON, because that is how a host sends it. */
function stateOf(host: MemoryHost, { model, state }: MemoryInstance): OpenedState {
  return JSON.parse(JSON.stringify({ graph: model.graph, state, now: host.now })) as OpenedState;
}

/** Gives an instance the commands of the steps that another one has taken, at their times. */
function repeat(host: MemoryHost, instance: MemoryInstance, taken: readonly TakenInput[]): void {
  for (const { now, commands } of taken) {
    host.advance(now - host.now);
    for (const { number: _, ...body } of commands) host.send(instance, body);
  }
}

it(
  'a random instance that is opened at any position ends as it did, with the same facts',
  { timeout: 120_000 },
  async () => {
    let opened = 0;
    for (let seed = 1; seed <= 12; seed++) {
      const random = new Random(seed);
      const { host, instance } = await startRandom(random);
      const taken: TakenInput[] = [];
      host.onStep = (_, input) => taken.push(input);
      const positions: { at: OpenedState; steps: number; facts: number }[] = [];
      const position = () =>
        positions.push({ at: stateOf(host, instance), steps: taken.length, facts: host.facts(instance).length });
      position();
      for (let count = 0; count < MAX_STIMULI && stimulateAny(host, instance, random); count++) position();
      for (const { at, steps, facts } of positions) {
        const other = new MemoryHost();
        const again = other.open(at);
        repeat(other, again, taken.slice(steps));
        expect(again.state, `seed ${seed}, step ${steps}`).toEqual(instance.state);
        expect(other.facts(again), `seed ${seed}, step ${steps}`).toEqual(host.facts(instance).slice(facts));
        opened += 1;
      }
    }
    expect(opened).toBeGreaterThan(50);
  },
);

describe('an opened instance', () => {
  test('takes messages, and fires timers at their times', async () => {
    const host = await MemoryHost.deploy(
      sequenceModel(
        'p',
        [catchEvent('paid', on.message('payment')), catchEvent('later', on.timer('PT1H'))],
        root.message('payment', '=order'),
      ),
    );
    const opened = new MemoryHost();
    const instance = opened.open(stateOf(host, host.start('p', { order: 1 })));
    opened.publishMessage('payment', 2);
    expect(opened.waiting(instance)).toEqual(['subscription paid']);
    opened.publishMessage('payment', 1, { amount: 3 });
    expect(opened.waiting(instance)).toEqual(['timer later']);
    opened.advance(3_600_000);
    expect(instance.state.status).toBe('COMPLETED');
    expect(opened.variables(instance)).toMatchObject({ order: 1, amount: 3 });
  });

  test('asks for the decision that it waited for', async () => {
    const host = await MemoryHost.deploy(sequenceModel('p', [businessRuleTask('rate', 'price', 'result')]));
    const states: OpenedState[] = [];
    host.decisions.set('price', () => {
      const [instance] = host.instances.values();
      states.push(stateOf(host, instance!));
      return 1;
    });
    host.start('p', { amount: 7 });
    const opened = new MemoryHost();
    opened.decisions.set('price', ({ amount }) => (amount as number) * 2);
    const instance = opened.open(states[0]!);
    expect(instance.state.status).toBe('COMPLETED');
    expect(opened.variables(instance)).toMatchObject({ result: 14 });
  });

  test('keeps its process, and another version can be deployed next to it', async () => {
    const host = await MemoryHost.deploy(sequenceModel('p', [userTask('approve'), serviceTask('ship')]));
    const state = stateOf(host, host.start('p'));
    const opened = new MemoryHost();
    const instance = opened.open(state);
    await opened.deploy(sequenceModel('p', [userTask('approve')]));
    opened.completeTask(instance, 'approve');
    expect(opened.waiting(instance)).toEqual(['job ship']);
    expect(() => opened.open(state)).toThrow('is open already');
  });

  test('waits for what it has called, which can be answered', async () => {
    const host = new MemoryHost();
    host.keepsUnknownCalls = true;
    await host.deploy(sequenceModel('p', [callActivity('call', 'other')]));
    const opened = new MemoryHost();
    const instance = opened.open(stateOf(host, host.start('p')));
    const { id } = opened.wait(instance, 'child', 'call');
    opened.command(instance, { kind: 'END_CHILD', execution: id, outcome: { status: 'COMPLETED', variables: {} } });
    expect(instance.state.status).toBe('COMPLETED');
  });

  test('cannot be one that has not begun', async () => {
    const host = await MemoryHost.deploy(sequenceModel('p', []));
    host.suspendDefinition('p');
    const { model } = host.deployments.newest().get('p')!;
    const state = {
      format: 1,
      workflowID: 'i',
      status: 'RUNNING',
      lastID: 0,
      elements: {},
      waits: {},
      incidents: {},
      moving: [],
      arrived: [],
    };
    expect(() => new MemoryHost().open({ graph: model.graph, state, now: 0 })).toThrow('has not begun');
  });
});
