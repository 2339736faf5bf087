import type { FactKind, FactOf } from '../contract/facts.js';
import type { State } from '../state/state.js';

/** Folds one kind of fact into the state, in place. `now`: epoch milliseconds of the fact's step. */
export type Applier<K extends FactKind> = (state: State, fact: FactOf<K>, now: number) => void;

/** The appliers of one family of facts. */
export type Appliers = { [K in FactKind]?: Applier<K> };
