/**
 * Items that a multi-instance activity reads from the variable that holds them, so that the state does not contain a
 * large list twice.
 */
import type { Json } from '../contract/json.js';
import type { LoopState, State } from './state.js';

/** The list at `source`; undefined if none exists. */
export function loopItems(state: State, source: NonNullable<LoopState['source']>): Json[] | undefined {
  let found: Json | undefined = state.elements[source.scope]?.variables;
  for (const name of source.path) {
    if (found === null || typeof found !== 'object' || Array.isArray(found) || !Object.hasOwn(found, name))
      return undefined;
    found = found[name];
  }
  return Array.isArray(found) ? found : undefined;
}
