/**
 * One step in progress: the driver that behaviors call by name. It records facts; behaviors never change the state
 * themselves.
 */
import { apply } from './apply.js';
import type { Budget } from './budget.js';
import type { ConditionPass, Fact } from './contract/facts.js';
import type { Node } from './model/graph.js';
import type { Variables } from './contract/json.js';
import type { Model } from './model/model.js';
import type { Registry } from './registry.js';
import type { ElementInstance, Incident, State, Wait, WaitKind } from './state/state.js';

export interface Run {
  readonly registry: Registry;
  /** Replaced when the instance has been migrated. */
  model: Model;
  readonly state: State;
  /** Epoch milliseconds; constant within the step. */
  readonly now: number;
  readonly facts: Fact[];
  /** Models of the target versions of this step's `MIGRATE` commands, by the content address of their graphs. */
  readonly targets: ReadonlyMap<string, Model>;
  /** The instance is paused: what a command releases moves in the first step after resume. */
  readonly paused: boolean;
  /** Why the messages that the step publishes cannot be kept; undefined if they can. */
  readonly unkept: string | undefined;
  /** The remaining budget of the step. */
  readonly budget: Budget;
  /** The budget was spent with work left. */
  exhausted: boolean;
  /** The pass over open conditions in progress. */
  conditions: ConditionPass | undefined;
  /** Nodes with tokens by scope; valid until the next fact is recorded. */
  occupied: { facts: number; nodes: Map<number, string[]> } | undefined;
  /** Number of facts for which conditions have been evaluated. */
  watched: number;
}

/** Copying an object with thousands of members is slow, because it is a hash table. */
const WORK_PER_COPIED_VARIABLE = 2;

/** Records that `fact` has happened. */
export function record(run: Run, fact: Fact): void {
  run.facts.push(fact);
  // Variables of a scope are copied on change.
  if (fact.kind === 'VARIABLES_SET')
    run.budget.chargeOperations(WORK_PER_COPIED_VARIABLE * countOf(run.state.elements[fact.scope]?.variables));
  run.budget.chargeFact(apply(run.state, fact, run.now));
}

function countOf(variables: Variables | undefined): number {
  return variables ? Object.keys(variables).length : 0;
}

/** The number for the next element instance, wait or incident. */
export function nextID(run: Run): number {
  return run.state.lastID + 1;
}

export function nodeOf(run: Run, element: ElementInstance): Node {
  return run.model.node(element.node);
}

export function scopeOf(run: Run, element: ElementInstance): ElementInstance | undefined {
  return run.state.elements[element.scope];
}

/** Whether the element instance is active; false once something (an interrupting event, an error) has ended it. */
export function isActive(run: Run, element: ElementInstance): boolean {
  return run.state.elements[element.id] === element && run.state.status === 'RUNNING';
}

/** Element instances directly inside `scope`, oldest first. */
export function childrenOf(run: Run, scope: number): ElementInstance[] {
  // Most scopes are empty when asked: a leaf that is canceled, an element that completes.
  if (run.state.elements[scope]?.inside === 0) return [];
  return scan(run, run.state.elements).filter((element) => element.scope === scope);
}

/** Open incidents of `element`, and of anything directly inside it without its own element instance. */
export function incidentsOf(run: Run, element: number): Incident[] {
  return scan(run, run.state.incidents).filter((incident) => incident.element === element);
}

/** Waits of `element`, including boundary events and event sub-processes, oldest first. */
export function waitsOf(run: Run, element: number): Wait[] {
  return scan(run, run.state.waits).filter((wait) => wait.element === element);
}

/** The open wait of this kind and number; undefined if it is closed or never existed. */
export function openWait<K extends WaitKind>(run: Run, kind: K, id: number): Extract<Wait, { kind: K }> | undefined {
  const wait = run.state.waits[id];
  return wait?.kind === kind ? (wait as Extract<Wait, { kind: K }>) : undefined;
}

function scan<T>(run: Run, entries: { [id: number]: T }): T[] {
  const all = Object.values(entries);
  run.budget.chargeScan(all.length);
  return all;
}
