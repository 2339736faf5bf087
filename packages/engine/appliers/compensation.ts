/** Completed activities that can be compensated, and compensations in progress. */
import type { Compensable, ElementInstance, State } from '../state/state.js';
import type { Appliers } from './applier.js';
import { scheduleContinuation } from './continuations.js';

export const compensation = {
  COMPENSATION_REGISTERED(state, fact) {
    const element = state.elements[fact.element]!;
    const scope = state.elements[element.scope]!;
    scope.compensable ??= [];
    for (const completed of compensablesOf(element, fact.event)) scope.compensable.push(completed);
  },
  COMPENSATION_STARTED(state, fact) {
    const scope = state.elements[fact.scope]!;
    const chosen = (record: Compensable): boolean => fact.activity === undefined || record.node === fact.activity;
    const all = scope.compensable ?? [];
    const kept = all.filter((record) => !chosen(record));
    if (kept.length > 0) scope.compensable = kept;
    else delete scope.compensable;
    queueCompensation(state, state.elements[fact.element]!, all.filter(chosen));
  },
  COMPENSATION_ENDED(state, fact) {
    delete state.elements[fact.element]!.compensation;
  },
} satisfies Appliers;

/**
 * The records that an activity leaves for compensation. The body of a multi-instance activity leaves those of its inner
 * instances.
 */
function compensablesOf(element: ElementInstance, event: string | undefined): Compensable[] {
  const inside = element.compensable ?? [];
  if (element.loop) return inside.map((record) => ({ ...record, scope: element.scope }));
  const remembers = event === undefined || element.loopCounter !== undefined;
  return [
    {
      node: element.node,
      scope: element.scope,
      ...(event !== undefined ? { event } : { inside }),
      ...(remembers && element.variables && { variables: element.variables }),
    },
  ];
}

/** Reverse order of completion: BPMN 2.0.2 section 13.5.5. */
function queueCompensation(state: State, owner: ElementInstance, records: readonly Compensable[]): void {
  owner.compensation ??= { queue: [] };
  owner.compensation.queue = owner.compensation.queue.concat(records.toReversed());
  scheduleContinuation(state, owner.id);
}

/**
 * `element` is the handler of the owner's next record, or the completed sub-process itself if its inside is
 * compensated.
 */
export function takeCompensation(state: State, element: ElementInstance, owner: number): void {
  const { compensation } = state.elements[owner]!;
  const record = compensation!.queue.shift()!;
  compensation!.running = element.id;
  element.compensates = owner;
  if (record.variables) element.variables = record.variables;
  const inside = record.inside?.map((inner) => ({ ...inner, scope: element.id }));
  if (!inside) return;
  if (record.node === element.node) queueCompensation(state, element, inside);
  else if (inside.length > 0) element.compensable = inside;
}
