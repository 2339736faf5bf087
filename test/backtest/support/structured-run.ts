/** Instances of structured random models on the engine in memory, with late timers, pauses and everything they may call. */
import type { Recording } from '@perdure/backtest';
import type { Variables } from '@perdure/engine/contract/json.js';
import type { Wait } from '@perdure/engine/state/state.js';
import { MemoryHost, type MemoryInstance } from '../../../packages/testkit/memory-host.js';
import { BlockGenerator } from '../../engine/random/blocks.js';
import { bpmnOf, DECISION } from '../../engine/random/bpmn.js';
import { Oracle } from '../../engine/random/oracle.js';
import { Random } from '../../engine/random/random.js';
import { recordAll } from './recorder-of-host.js';

const MAX_STIMULI = 120;

/** @returns the recordings of all instances of each path, the called ones too */
export async function recordStructured(seed: number, paths: number): Promise<Recording[]> {
  const block = new BlockGenerator(new Random(seed), { everything: true }).process();
  const host = await MemoryHost.deploy(bpmnOf(block));
  host.compareEvery = Infinity;
  host.decisions.set(DECISION, ({ amount }) => (amount as number) * 2);
  const recorders = recordAll(host);
  for (let path = 0; path < paths; path += 1) {
    host.instances.clear();
    play(host, host.start('p', new Oracle(block).start as Variables), new Random(seed * 31 + path));
  }
  return [...recorders.values()].map(({ recording }) => recording);
}

function play(host: MemoryHost, root: MemoryInstance, random: Random): void {
  for (let stimulus = 0; stimulus < MAX_STIMULI && root.state.status === 'RUNNING'; stimulus += 1) {
    if (random.chance(0.05)) host.suspend(root);
    if (random.chance(0.3)) host.now += random.below(3) * random.pick([1, 30_000, 3_600_000]);
    stimulate(host, random);
    if (random.chance(0.5)) host.resume(root);
  }
  host.resume(root);
  if (root.state.status === 'RUNNING') host.command(root, { kind: 'CANCEL_INSTANCE' });
}

/** Something that one of the running instances waits for. */
function stimulate(host: MemoryHost, random: Random): void {
  const running = [...host.instances.values()].filter(({ state }) => state.status === 'RUNNING');
  const open = running.flatMap((instance) => [
    ...Object.values(instance.state.waits).map((wait) => () => happen(host, instance, wait, random)),
    ...host.incidents(instance).map(
      ({ id, node }) =>
        () =>
          void host.send(instance, { kind: 'RESOLVE_INCIDENT', incident: id, variables: { [`${node}_fixed`]: true } }),
    ),
  ]);
  if (open.length > 0) random.pick(open)();
}

function happen(host: MemoryHost, instance: MemoryInstance, wait: Wait, random: Random): void {
  switch (wait.kind) {
    case 'job':
      if (random.chance(0.1)) host.send(instance, { kind: 'THROW_JOB_ERROR', execution: wait.id, errorCode: 'E' });
      else host.send(instance, { kind: 'COMPLETE_JOB', execution: wait.id });
      return;
    case 'userTask':
      host.send(instance, { kind: 'COMPLETE_USER_TASK', execution: wait.id, variables: { answer: random.below(3) } });
      return;
    case 'timer':
      if (random.chance(0.2)) host.send(instance, { kind: 'FIRE_TIMER', timer: wait.id, node: wait.node });
      else host.advance(Math.max(0, wait.due - host.now));
      return;
    case 'condition':
      host.send(instance, { kind: 'SET_VARIABLES', variables: { [`${wait.node}_ok`]: true } });
      return;
    case 'subscription':
      if (wait.type === 'signal') host.throwSignal(wait.name, { said: random.below(3) }, 0);
      else
        host.send(instance, {
          kind: 'CORRELATE_MESSAGE',
          execution: wait.id,
          publicationID: 'm',
          variables: { heard: random.below(3) },
        });
      return;
    default:
    // Called instances and decisions answer by themselves.
  }
}
