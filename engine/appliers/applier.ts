import type { FactKind, FactOf } from '../facts.js';
import type { State } from '../state.js';

/** Folds one kind of fact into the state, in place. `now`: epoch milliseconds of the step that the fact belongs to. */
export type Applier<K extends FactKind> = (state: State, fact: FactOf<K>, now: number) => void;

/** Those of one family of facts. */
export type Appliers = { [K in FactKind]?: Applier<K> };

/** Ids count up over everything in an instance that has one. */
export function takeID(state: State, id: number): void {
  if (id > state.lastID) state.lastID = id;
}
