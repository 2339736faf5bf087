/** Element instances, from activation to end. */
import { ROOT, type ElementInstance, type State, takeID } from '../state/state.js';
import type { Appliers } from './applier.js';
import { takeCompensation } from './compensation.js';
import { stopReadingItems } from './loops.js';
import { scheduleContinuation, setContinuing } from './continuations.js';

export const elements = {
  ELEMENT_ACTIVATED(state, fact, now) {
    takeID(state, fact.element);
    const element: ElementInstance = { id: fact.element, node: fact.node, scope: fact.scope, at: now, inside: 0 };
    if (fact.loopCounter !== undefined) element.loopCounter = fact.loopCounter;
    state.elements[fact.element] = element;
    if (fact.placed) {
      element.placed = true;
      scheduleContinuation(state, element.id);
    }
    if (fact.compensates !== undefined) takeCompensation(state, element, fact.compensates);
    const scope = state.elements[fact.scope];
    if (!scope) return;
    scope.inside += 1;
    // Of a loop that was imported, some instances that had started are over.
    if (scope.loop && fact.loopCounter !== undefined)
      scope.loop.started = Math.max(scope.loop.started, fact.loopCounter);
    if (fact.token) {
      state.moving.shift();
      scope.inside -= 1;
    }
    for (const flow of fact.joined ?? []) {
      state.arrived.splice(
        state.arrived.findIndex((token) => token.flow === flow && token.scope === fact.scope),
        1,
      );
      scope.inside -= 1;
    }
  },
  ELEMENT_BEGUN(state, fact) {
    const element = state.elements[fact.element]!;
    element.mapped = true;
    element.begun = true;
  },
  ELEMENT_COMPLETED(state, fact, now) {
    const { scope, loopCounter } = state.elements[fact.element]!;
    const body = state.elements[scope]?.loop;
    if (body && loopCounter !== undefined) {
      body.completed += 1;
      scheduleContinuation(state, scope);
    }
    removeElement(state, fact.element);
    for (const flow of fact.flows ?? []) {
      state.moving.push({ flow, scope, at: now });
      state.elements[scope]!.inside += 1;
    }
  },
  ELEMENT_CANCELED(state, fact) {
    removeElement(state, fact.element);
  },
  ELEMENT_FAILED(state, fact) {
    removeElement(state, fact.element);
  },
  ELEMENT_CONTINUED(state, fact) {
    const rest = (state.continuing ?? []).filter((id) => id !== fact.element);
    if (fact.again) rest.push(fact.element);
    else delete state.elements[fact.element]?.placed;
    setContinuing(state, rest);
  },
  RETRY_DEFERRED(state, fact) {
    state.elements[fact.element]!.placed = true;
    scheduleContinuation(state, fact.element);
  },
} satisfies Appliers;

/** Removes the element instance. Everything inside has ended before. */
function removeElement(state: State, id: number): void {
  // The process's own element stays: its variables are the instance's result.
  if (id === ROOT) return;
  const element = state.elements[id]!;
  if (element.loop?.source) stopReadingItems(state, id);
  delete state.elements[id];
  if (state.continuing)
    setContinuing(
      state,
      state.continuing.filter((other) => other !== id),
    );
  const scope = state.elements[element.scope];
  if (scope) scope.inside -= 1;
  const owner = element.compensates === undefined ? undefined : state.elements[element.compensates];
  if (owner?.compensation?.running === id) {
    delete owner.compensation.running;
    scheduleContinuation(state, owner.id);
  }
}
