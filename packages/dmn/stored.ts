/** Compiled models as stored, and a cache of loaded ones. */
import { BoundedCache } from '@perdure/lib/bounded-cache.js';
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

/** Maximum characters of all stored texts in the cache: a loaded model takes several times its text. */
const MAX_CACHED_CHARACTERS = 32 * 1024 * 1024;

interface Cached {
  readonly model: LoadedModel;
  readonly characters: number;
}

/**
 * Loaded models by a key whose content never changes. The least recently used one is evicted when there are too many or
 * they are too large.
 */
export class ModelCache {
  readonly #models = new BoundedCache<string, Cached>({
    entries: 50,
    weight: MAX_CACHED_CHARACTERS,
    weightOf: ({ characters }) => characters,
  });

  /** The model of a key, read and loaded if not cached; undefined if `read` finds none. */
  async get(key: string, read: () => Promise<StoredModel | undefined>): Promise<LoadedModel | undefined> {
    const cached = this.#models.get(key) ?? (await loaded(read));
    if (cached === undefined) return undefined;
    this.#models.set(key, cached);
    return cached.model;
  }
}

async function loaded(read: () => Promise<StoredModel | undefined>): Promise<Cached | undefined> {
  const stored = await read();
  return stored && { model: loadModel(stored), characters: stored.model.length };
}

/** A model compiled by another version of this code is recompiled. */
export function loadModel({ model, xml, imported }: StoredModel): LoadedModel {
  const compiled = JSON.parse(model) as CompiledModel;
  return new LoadedModel(compiled.version === MODEL_VERSION ? compiled : recompile(xml, imported));
}

function recompile(xml: string, imported: readonly string[]): CompiledModel {
  const { model, problems } = compileModel(xml, imported);
  if (model) return model;
  const reasons = problems.map(({ message }) => message).join('; ');
  throw new Error(`The stored decision file no longer compiles: ${reasons}. Deploy a corrected version.`);
}
