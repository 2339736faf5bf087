/** Compiled models as stored, and a cache of loaded ones. */
import { compileModel } from './compile/index.js';
import { LoadedModel } from './evaluate/index.js';
import { MODEL_VERSION, type CompiledModel } from './model.js';

export interface StoredModel {
  /** JSON text. */
  model: string;
  /** The source that it was compiled from. */
  xml: string;
  imported: readonly string[];
}

const MOST_MODELS = 50;
/** Maximum characters of all stored texts in the cache: a loaded model takes several times its text. */
const MOST_CHARACTERS = 32 * 1024 * 1024;

interface Cached {
  model: LoadedModel;
  characters: number;
}

/**
 * Loaded models by a key whose content never changes. The least recently used one is evicted when there are too many or
 * they are too large.
 */
export class ModelCache {
  readonly #models = new Map<string, Cached>();
  #characters = 0;

  /** The model of a key, read and loaded if not cached; undefined if `read` finds none. */
  async get(key: string, read: () => Promise<StoredModel | undefined>): Promise<LoadedModel | undefined> {
    const known = this.#models.get(key);
    if (known !== undefined) {
      this.#remove(key, known);
      this.#add(key, known);
      return known.model;
    }
    const stored = await read();
    if (stored === undefined) return undefined;
    const loaded = { model: load(stored), characters: stored.model.length };
    const before = this.#models.get(key);
    if (before !== undefined) this.#remove(key, before);
    this.#add(key, loaded);
    for (const [oldest, cached] of this.#models) {
      if (oldest === key || (this.#models.size <= MOST_MODELS && this.#characters <= MOST_CHARACTERS)) break;
      this.#remove(oldest, cached);
    }
    return loaded.model;
  }

  #add(key: string, cached: Cached): void {
    this.#models.set(key, cached);
    this.#characters += cached.characters;
  }

  #remove(key: string, cached: Cached): void {
    this.#models.delete(key);
    this.#characters -= cached.characters;
  }
}

/** A model compiled by another version of this code is recompiled. */
function load({ model, xml, imported }: StoredModel): LoadedModel {
  const compiled = JSON.parse(model) as CompiledModel;
  return new LoadedModel(
    compiled.version === MODEL_VERSION ? compiled : (compileModel(xml, imported).model as CompiledModel),
  );
}
