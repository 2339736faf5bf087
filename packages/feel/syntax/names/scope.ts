/** Names bound at a position of the expression, and how many cells up they are. */
import { canonicalName } from './names.js';

export interface Scope {
  /** `undefined` for a filter, whose item has unknown entries. */
  name: string | undefined;
  up: Scope | undefined;
}

interface Resolution {
  /** Cells between here and the binding. */
  cell?: number;
  /** Cells of the filters in between, whose item may have the name. */
  items?: number[];
  /** The binding of the name; absent if nothing binds it. */
  binding?: Scope;
}

export function bind(scope: Scope | undefined, name: string): Scope {
  return { name: canonicalName(name), up: scope };
}

export function bindItem(scope: Scope | undefined): Scope {
  return { name: undefined, up: scope };
}

export function resolve(scope: Scope | undefined, name: string): Resolution {
  const wanted = canonicalName(name);
  const items: number[] = [];
  let cell = 0;
  for (let at = scope; at !== undefined; at = at.up, cell++) {
    if (at.name === wanted) return items.length === 0 ? { cell, binding: at } : { cell, items, binding: at };
    if (at.name === undefined) {
      items.push(cell);
      if (wanted === 'item') return { cell, items, binding: at };
    }
  }
  return items.length === 0 ? {} : { items };
}
