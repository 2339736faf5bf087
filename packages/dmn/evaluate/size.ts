/** Serialized size of values: small values may refer to the same list many times, at many levels. */
import { FeelObject, type FeelValue } from '@perdure/feel/values/values.js';

/** Limited, because values are serialized recursively. */
const MAX_DEPTH = 500;

interface Extent {
  /** Values and characters. */
  size: number;
  /** Levels. */
  height: number;
}

const FLAT: Extent = { size: 1, height: 0 };
const TOO_LARGE: Extent = { size: Infinity, height: Infinity };

/** Visits each list and context once, however often it occurs. */
export class Sizes {
  readonly #known = new Map<object, Extent>();

  /** Serialized size of a value, in values and characters; infinite if it is nested too deeply. */
  of(value: FeelValue): number {
    const { size, height } = this.#measure(value, 0);
    return height > MAX_DEPTH ? Infinity : size;
  }

  #measure(value: FeelValue, depth: number): Extent {
    if (typeof value === 'string') return { size: 1 + value.length, height: 0 };
    if (typeof value !== 'object' || value === null || value instanceof FeelObject) return FLAT;
    if (depth > MAX_DEPTH) return TOO_LARGE;
    const known = this.#known.get(value);
    if (known !== undefined) return known;
    const extent: Extent = { size: 1, height: 0 };
    if (!Array.isArray(value)) for (const key of Object.keys(value)) extent.size += key.length;
    for (const member of Object.values(value)) {
      const inner = this.#measure(member ?? null, depth + 1);
      extent.size += inner.size;
      extent.height = Math.max(extent.height, inner.height + 1);
    }
    this.#known.set(value, extent);
    return extent;
  }
}
