/** Replay must equal processing: the recorded facts, folded from scratch, give the state that the step left. */
import { apply } from '@perdure/engine/apply.js';
import { applyChecked } from '@perdure/engine/state/lifecycle.js';
import type { Fact } from '@perdure/engine/contract/facts.js';
import type { Json } from '@perdure/engine/contract/json.js';
import { firstDifference } from '../ensure.js';
import type { MemoryInstance } from './instance.js';

export function foldFacts({ replayed }: MemoryInstance, facts: readonly Fact[], now: number): void {
  for (const fact of facts) applyChecked(apply, replayed, fact, now);
}

/** @throws Error if folding the facts gives a different state */
export function compareWithReplay({ replayed, state }: MemoryInstance): void {
  // Texts are compared first, which is fast, and they are nearly always identical, including the order of members.
  if (JSON.stringify(replayed) === JSON.stringify(state)) return;
  const difference = firstDifference(jsonOf(replayed), jsonOf(state));
  if (difference === undefined) return;
  throw new Error(`Folding the facts gives a different state than processing did: ${difference}`);
}

function jsonOf(state: object): Json {
  return JSON.parse(JSON.stringify(state)) as Json;
}
