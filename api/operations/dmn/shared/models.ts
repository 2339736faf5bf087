/** Loaded models of stored definitions, kept for all callers of the process. */
import { ModelCache, type LoadedModel } from '@perdure/dmn';
import type { DecisionDefinition } from '../../../../store/decisions/decisions.js';
import { markUsed } from '../../../../store/decisions/change-definitions.js';
import type { Database } from '../../../../store/sql/database.js';

export class DecisionModels {
  readonly #cache = new ModelCache();

  /** The model of a definition, whose content can no longer change; undefined when the definition was deleted. */
  of({ definitionID }: DecisionDefinition, store: Database): Promise<LoadedModel | undefined> {
    return this.#cache.get(definitionID, () => markUsed(store, definitionID));
  }
}
