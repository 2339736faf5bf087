/** Loaded models of stored definitions. */
import type { Pool } from 'pg';
import { ModelCache, type LoadedModel } from '@perdure/dmn';
import { sharedPool } from '../../../../store/turns/connection-turns.js';
import { markUsed, type DecisionDefinition } from '../../../../store/decisions/decisions.js';

const caches = new WeakMap<Pool, ModelCache>();

/** The model of a definition, whose content can no longer change; undefined when the definition was deleted. */
export function modelOf(store: Pool, { definitionID }: DecisionDefinition): Promise<LoadedModel | undefined> {
  const pool = sharedPool(store);
  let cache = caches.get(pool);
  if (cache === undefined) caches.set(pool, (cache = new ModelCache()));
  return cache.get(definitionID, () => markUsed(store, definitionID));
}
