/**
 * One step while it runs: the driver that behaviours call by name. It records facts and asks for effects;
 * behaviours never touch the state themselves.
 */
import { apply } from './apply.js';
import type { Effect } from './effects.js';
import type { Fact } from './facts.js';
import type { Node } from './graph.js';
import type { Model } from './model.js';
import type { ElementInstance, Incident, State, Wait } from './state.js';

export interface Run {
  /** Another one once the instance has been migrated. */
  model: Model;
  readonly state: State;
  /** Epoch milliseconds; the same for everything in the step. */
  readonly now: number;
  readonly facts: Fact[];
  readonly effects: Effect[];
  /** Models of the versions that commands of this step migrate to, by the content address of their graphs. */
  readonly targets: ReadonlyMap<string, Model>;
  /** The instance is paused: what a command sets free moves in the first step after the pause. */
  readonly paused: boolean;
  /** How many facts conditions have been looked at for. */
  watched: number;
}

export function newRun(model: Model, state: State, now: number, { targets = new Map(), paused = false }: Partial<Pick<Run, 'targets' | 'paused'>> = {}): Run {
  return { model, state, now, facts: [], effects: [], targets, paused, watched: 0 };
}

/** Records that `fact` has happened. */
export function record(run: Run, fact: Fact): void {
  run.facts.push(fact);
  apply(run.state, fact, run.now);
}

/** The number that the next element instance, wait or incident gets. */
export function nextID(run: Run): number {
  return run.state.lastID + 1;
}

export function nodeOf(run: Run, element: ElementInstance): Node {
  return run.model.node(element.node);
}

export function scopeOf(run: Run, element: ElementInstance): ElementInstance | undefined {
  return run.state.elements[element.scope];
}

/** False once something (an interrupting event, an error) has ended the element instance. */
export function isActive(run: Run, element: ElementInstance): boolean {
  return run.state.elements[element.id] === element && run.state.status === 'RUNNING';
}

/** Element instances directly inside `scope`, oldest first. */
export function childrenOf(run: Run, scope: number): ElementInstance[] {
  return Object.values(run.state.elements).filter((element) => element.scope === scope);
}

/** Open incidents of `element` and of what stands directly inside it without an element instance of its own. */
export function incidentsOf(run: Run, element: number): Incident[] {
  return Object.values(run.state.incidents).filter((incident) => incident.element === element);
}

/** What `element` waits for, boundary events and event sub-processes included, oldest first. */
export function waitsOf(run: Run, element: number): Wait[] {
  return Object.values(run.state.waits).filter((wait) => wait.element === element);
}
