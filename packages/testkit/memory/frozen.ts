import { copyState, type State } from '@perdure/engine/state/state.js';

/**
 * Freezes a state and returns the copy that a step may change. A step that changes a part that the copy shares throws: it
 * would have other results when a replay takes it again.
 */
export function frozen(before: State): State {
  freeze(before);
  return copyState(before);
}

/** Parts that are frozen are frozen throughout. */
function freeze(value: unknown): void {
  if (typeof value !== 'object' || value === null || Object.isFrozen(value)) return;
  Object.freeze(value);
  for (const part of Object.values(value)) freeze(part);
}
