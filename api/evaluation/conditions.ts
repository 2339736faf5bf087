/** The conditional start events of one definition, as a thread evaluates them: as in the engine, strict and in UTC. */
import type { Variables } from '@perdure/engine/contract/json.js';
import { entryPoints } from '@perdure/engine/model/entry-points.js';
import type { Graph } from '@perdure/engine/model/graph.js';
import { modelOf } from '@perdure/engine/model/model.js';
import { evaluate } from '@perdure/feel/evaluate.js';

export interface ConditionsWork {
  /** The graph of the definition, as JSON text. */
  readonly graph: string;
  /** As JSON text. */
  readonly variables: string;
  /** The result of `now()`, in epoch milliseconds. */
  readonly now: number;
}

/** A conditional start event. */
export interface EntryMet {
  readonly node: string;
  readonly trigger: number;
}

/** A few milliseconds on any machine. A condition that takes longer counts as false. */
const STEPS_PER_CONDITION = 30_000;
/** Of all conditions of a definition. */
const MAX_STEPS = 3_000_000;

/** @returns those whose condition is true; undefined if all of them together take too many steps */
export function conditionsMet({ graph, variables, now }: ConditionsWork): EntryMet[] | undefined {
  const model = modelOf(JSON.parse(graph) as Graph);
  const given = JSON.parse(variables) as Variables;
  const met: EntryMet[] = [];
  let steps = 0;
  for (const { node, trigger, what } of entryPoints(model, now)) {
    if (what.kind !== 'conditional') continue;
    const condition = model.resolve(what.condition);
    if ('literal' in condition) {
      if (condition.literal === true) met.push({ node, trigger });
      continue;
    }
    const outcome = evaluate(condition.compiled, given, { now, mode: 'strict', steps: STEPS_PER_CONDITION });
    steps += outcome.operations;
    if (steps > MAX_STEPS) return undefined;
    if (outcome.ok && outcome.value === true) met.push({ node, trigger });
  }
  return met;
}
