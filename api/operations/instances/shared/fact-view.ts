/** A fact as the replay view shows it. */
import type { z } from 'zod';
import type { Fact } from '@perdure/engine/contract/facts.js';
import type { State } from '@perdure/engine/state/state.js';
import type { factView } from './schemas.js';

/**
 * @param now epoch milliseconds
 * @param state after it
 */
export function toFactView(fact: Fact, now: number, state: State): z.output<typeof factView> {
  return { kind: fact.kind, nodeID: nodeOf(fact, state), time: new Date(now).toISOString() };
}

/**
 * The id of the node that a fact is about, or undefined when neither the fact nor the remaining state of its element
 * names it.
 */
function nodeOf(fact: Fact, state: State): string | undefined {
  if ('node' in fact) return fact.node;
  return 'element' in fact ? state.elements[fact.element]?.node : undefined;
}
