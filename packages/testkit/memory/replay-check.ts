/** Replay must equal processing: the recorded facts, folded from scratch, give the state that the step left. */
import { strict as assert } from 'node:assert';
import { apply } from '@perdure/engine/apply.js';
import { applyChecked } from '@perdure/engine/state/lifecycle.js';
import type { Fact } from '@perdure/engine/contract/facts.js';
import type { MemoryInstance } from './instance.js';
import { roundTrip } from './json.js';

export function foldFacts({ replayed }: MemoryInstance, facts: readonly Fact[], now: number): void {
  for (const fact of facts) applyChecked(apply, replayed, fact, now);
}

/** @throws AssertionError if folding the facts gives a different state */
export function compareWithReplay({ replayed, state }: MemoryInstance): void {
  // Texts are compared first, which is fast, and they are nearly always identical, including the order of members.
  if (JSON.stringify(replayed) === JSON.stringify(state)) return;
  assert.deepEqual(
    roundTrip(replayed),
    roundTrip(state),
    'folding the facts gives a different state than processing did',
  );
}
