/**
 * Folds one fact into the state, in place. Only this code changes state, and processing, replay and the replay view
 * share it, so the recorded facts are exactly what happened. The families of facts are in `appliers/`.
 */
import type { Applier, Appliers } from './appliers/applier.js';
import { compensation } from './appliers/compensation.js';
import { elements } from './appliers/elements.js';
import { incidents } from './appliers/incidents.js';
import { instance } from './appliers/instance.js';
import { loops } from './appliers/loops.js';
import { tokens } from './appliers/tokens.js';
import { variables } from './appliers/variables.js';
import { waits } from './appliers/waits.js';
import type { Fact, FactKind } from './contract/facts.js';
import { estimatedLength, MAX_BYTES_PER_CHARACTER, type Json } from './contract/json.js';
import type { State } from './state/state.js';

const imported = {
  INSTANCE_IMPORTED(state, { facts, arrived = [] }, now) {
    for (const fact of facts) apply(state, fact, now);
    for (const { flow, scope } of arrived) {
      state.arrived.push({ flow, scope, at: now });
      state.elements[scope]!.inside += 1;
    }
  },
} satisfies Appliers;

/** Does not compile if a kind of fact is missing. */
const appliers: { [K in FactKind]: Applier<K> } = {
  ...instance,
  ...imported,
  ...elements,
  ...loops,
  ...compensation,
  ...tokens,
  ...variables,
  ...waits,
  ...incidents,
};

/**
 * Folds `fact` into `state`.
 * @param now epoch milliseconds of the step the fact belongs to
 * @returns the estimated length of the fact as JSON, in characters
 */
export function apply(state: State, fact: Fact, now: number): number {
  (appliers[fact.kind] as Applier<FactKind>)(state, fact, now);
  const length = estimatedLength(fact as Json);
  // The facts of an import have raised the bounds themselves.
  if (fact.kind !== 'STATE_MEASURED' && fact.kind !== 'INSTANCE_IMPORTED') raiseBounds(state, fact.kind, length);
  return length;
}

const DATA: ReadonlySet<FactKind> = new Set<FactKind>([
  'VARIABLES_SET',
  'ELEMENT_DATA_SET',
  'LOOP_STARTED',
  'LOOP_OUTPUT_COLLECTED',
]);

function raiseBounds(state: State, kind: FactKind, length: number): void {
  state.size ??= { variables: 0, control: 0 };
  state.size[DATA.has(kind) ? 'variables' : 'control'] += MAX_BYTES_PER_CHARACTER * length;
}
