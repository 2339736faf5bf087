/** Loaded models of stored definitions. */
import type { Pool } from 'pg';
import { ModelCache, type LoadedModel } from '@perdure/dmn';
import { markUsed, type DecisionDefinition } from '../../../../store/decisions/decisions.js';

const caches = new WeakMap<Pool, ModelCache>();

/** The model of a definition, whose content can no longer change; undefined when the definition was deleted. */
export function modelOf(store: Pool, { definitionID }: DecisionDefinition): Promise<LoadedModel | undefined> {
  let cache = caches.get(store);
  if (cache === undefined) caches.set(store, (cache = new ModelCache()));
  return cache.get(definitionID, () => markUsed(store, definitionID));
}
