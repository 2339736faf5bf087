/** A random model and a path through it, checked against the oracle, for hosts that cannot be looked into. */
import { expect } from 'vitest';
import type { Variables } from '@perdure/engine/contract/json.js';
import { act, type ConformanceCase, type Stimulus } from '../../conformance/case.js';
import { MemoryDriver } from '../../conformance/memory.js';
import { decision, dmn, literal } from '../../dmn/support.js';
import { BlockGenerator } from './blocks.js';
import { bpmnOf, DECISION } from './bpmn.js';
import { Oracle, type Open } from './oracle.js';
import { Random } from './random.js';

/** Of the things that may happen during a pause, those that are asked for without a lease. */
const KEPT_BY_A_PAUSE: readonly Stimulus['kind'][] = ['message', 'signal', 'setVariables', 'resolve'];

/**
 * Goes one way through the model of `seed`.
 * @param most stimuli; a longer way, and one on which nothing has to happen, gives undefined
 */
export async function recordPath(seed: number, most: number): Promise<ConformanceCase | undefined> {
  const random = new Random(seed);
  const block = new BlockGenerator(random, { everything: true, timeless: true }).process();
  const oracle = new Oracle(block);
  const play: Stimulus[] = [];
  const given = {
    shows: `the model of seed ${seed}`,
    section: '',
    files: bpmnOf(block),
    decisions: dmn(decision(DECISION, literal('amount * 2'))),
    variables: oracle.start as Variables,
    play,
  };
  const memory = new MemoryDriver({ ...given, outcome: [] });
  await memory.begin();
  oracle.run(block);
  while (!oracle.finished) {
    if (play.length === most) return undefined;
    const open = random.pick(oracle.open);
    const happened = happen(oracle, open, random);
    const stimulus =
      KEPT_BY_A_PAUSE.includes(happened.kind) && random.chance(0.3) ? act.duringPause(happened) : happened;
    play.push(stimulus);
    await memory.apply(stimulus);
  }
  if (play.length === 0) return undefined;
  const outcome = (await memory.look()).map(({ process, status, history, incidents, variables }) => ({
    process,
    status: status as 'COMPLETED',
    history,
    incidents,
    variables,
  }));
  expect(outcome[0], given.shows).toMatchObject({ process: 'p', status: 'COMPLETED', variables: oracle.variables });
  return { ...given, outcome };
}

/** The oldest of what is open at the node happens: that is what a host can be asked for. */
function happen(oracle: Oracle, { kind, node, signal }: Open, random: Random): Stimulus {
  const oldest = oracle.open.find((open) => open.kind === kind && open.node === node)!;
  switch (kind) {
    case 'job':
      if (random.chance(0.1)) {
        oracle.failJob(oldest);
        return act.failJob(node, 'E');
      }
      oldest.happen();
      return act.completeJob(node);
    case 'userTask':
      oldest.happen();
      return act.completeTask(node);
    case 'incident':
      oldest.happen();
      return act.resolve(node, { [`${node}_fixed`]: true });
    case 'condition':
      oracle.fulfil(node);
      return act.setVariables({ [`${node}_ok`]: true });
    case 'subscription':
      if (signal) {
        oracle.throwSignal();
        return act.signal('shared', {}, 0);
      }
      oldest.happen();
      // An event sub-process waits at its start event, and its message is called after itself.
      return act.message(`m_${node.replace(/_start$/, '')}`);
    case 'timer':
      throw new Error(`No stimulus can make the timer ${node} fire; the grammar is to have none`);
  }
}
