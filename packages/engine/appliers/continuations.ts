/** The queue of continuations, which run when nothing else moves. */
import type { State } from '../state/state.js';

/** Queues a continuation for `element`, after those already queued. */
export function scheduleContinuation(state: State, element: number): void {
  const continuing = state.continuing ?? [];
  if (!continuing.includes(element)) state.continuing = [...continuing, element];
}

/** A state without continuations omits the member. */
export function setContinuing(state: State, continuing: number[]): void {
  if (continuing.length > 0) state.continuing = continuing;
  else delete state.continuing;
}
