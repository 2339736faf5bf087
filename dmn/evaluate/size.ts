/** How large values are when they are written out: small ones may refer to the same list many times, at many levels. */
import { FeelObject, type FeelValue } from '../../feel/values.js';

/** Values are written out by recursion. */
const MAX_DEPTH = 500;

interface Extent {
  /** Values and characters. */
  size: number;
  /** Levels. */
  height: number;
}

const FLAT: Extent = { size: 1, height: 0 };
const TOO_LARGE: Extent = { size: Infinity, height: Infinity };

/** Looks at each list and context once, however often it occurs. */
export class Sizes {
  readonly #known = new Map<object, Extent>();

  /** Values and characters of a value written out; infinite when it is nested too deeply for that. */
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
