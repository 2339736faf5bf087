/** Who gets a turn when nothing moves any more. */
import type { State } from '../state.js';

/** `element` gets a turn, behind those that are to get one already. */
export function due(state: State, element: number): void {
  const continuing = state.continuing ?? [];
  if (!continuing.includes(element)) state.continuing = [...continuing, element];
}

/** State without anybody to get a turn has no member for it. */
export function setContinuing(state: State, continuing: number[]): void {
  if (continuing.length > 0) state.continuing = continuing;
  else delete state.continuing;
}
