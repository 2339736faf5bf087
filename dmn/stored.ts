/** Compiled models as they are stored, and those of them that are kept loaded. */
import { compileModel } from './compile/index.js';
import { LoadedModel } from './evaluate/index.js';
import { MODEL_VERSION, type CompiledModel } from './model.js';

export interface StoredModel {
  /** JSON text. */
  model: string;
  /** What it was compiled from. */
  xml: string;
  imported: readonly string[];
}

const MOST_MODELS = 50;

/** Loaded models by a key whose content never changes. The one that was loaded first goes when there are too many. */
export class ModelCache {
  readonly #models = new Map<string, LoadedModel>();

  /** The model of a key, read and loaded when it is not there; undefined when `read` finds none. */
  async get(key: string, read: () => Promise<StoredModel | undefined>): Promise<LoadedModel | undefined> {
    const known = this.#models.get(key);
    if (known !== undefined) return known;
    const stored = await read();
    if (stored === undefined) return undefined;
    const loaded = load(stored);
    const [oldest] = this.#models.keys();
    if (this.#models.size >= MOST_MODELS && oldest !== undefined) this.#models.delete(oldest);
    this.#models.set(key, loaded);
    return loaded;
  }
}

/** A model that another version of this code compiled is compiled again. */
function load({ model, xml, imported }: StoredModel): LoadedModel {
  const compiled = JSON.parse(model) as CompiledModel;
  return new LoadedModel(compiled.version === MODEL_VERSION ? compiled : (compileModel(xml, imported).model as CompiledModel));
}
