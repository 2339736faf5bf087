/**
 * A distribution of durations in logarithmic buckets, after DDSketch (Masson, Rim, Lee: VLDB 2019). Merging two
 * sketches adds their counts, so sums of any range have the same precision as one hour.
 */

/** Relative error of a quantile. Rounding to a millisecond adds at most 2 %, because smaller values are exact. */
const ERROR = 0.02;
const GAMMA = (1 + ERROR) / (1 - ERROR);
/** The bucket of durations below one millisecond. The bucket of `ms` is 1 + ⌈log ms⌉. */
const ZERO = 0;

export class Sketch {
  readonly #counts = new Map<number, number>();

  add(milliseconds: number): this {
    this.#count(milliseconds < 1 ? ZERO : 1 + Math.ceil(Math.log(milliseconds) / Math.log(GAMMA)), 1);
    return this;
  }

  isEmpty(): boolean {
    return this.#counts.size === 0;
  }

  merge(other: Sketch): this {
    for (const [bucket, count] of other.#counts) this.#count(bucket, count);
    return this;
  }

  #count(bucket: number, count: number): void {
    this.#counts.set(bucket, (this.#counts.get(bucket) ?? 0) + count);
  }

  /**
   * The duration at the nearest rank, in milliseconds; undefined without any durations.
   * @param fraction above 0, up to 1
   */
  quantile(fraction: number): number | undefined {
    const rank = Math.ceil(fraction * this.#total());
    let below = 0;
    for (const [bucket, count] of this.#sorted()) {
      below += count;
      if (below >= rank) return bucket === ZERO ? 0 : Math.round((2 * GAMMA ** (bucket - 1)) / (GAMMA + 1));
    }
    return undefined;
  }

  #total(): number {
    return [...this.#counts.values()].reduce((sum, count) => sum + count, 0);
  }

  #sorted(): [number, number][] {
    return [...this.#counts].toSorted(([left], [right]) => left - right);
  }

  /** Pairs of the distance to the bucket before and the count, as variable-length integers. */
  encode(): Buffer {
    const bytes: number[] = [];
    let before = 0;
    for (const [bucket, count] of this.#sorted()) {
      writeInteger(bytes, bucket - before);
      writeInteger(bytes, count);
      before = bucket;
    }
    return Buffer.from(bytes);
  }

  static decode(bytes: Uint8Array): Sketch {
    const sketch = new Sketch();
    let bucket = 0;
    for (let at = 0; at < bytes.length;) {
      const distance = readInteger(bytes, at);
      const count = readInteger(bytes, distance.next);
      bucket += distance.value;
      sketch.#count(bucket, count.value);
      at = count.next;
    }
    return sketch;
  }
}

/** Seven bits per byte, lowest first. With division, because counts can exceed 31 bits. */
function writeInteger(bytes: number[], value: number): void {
  let rest = value;
  for (; rest >= 128; rest = Math.floor(rest / 128)) bytes.push((rest % 128) + 128);
  bytes.push(rest);
}

function readInteger(bytes: Uint8Array, start: number): { value: number; next: number } {
  let value = 0;
  let factor = 1;
  for (let at = start; ; at += 1, factor *= 128) {
    const byte = bytes[at]!;
    value += (byte % 128) * factor;
    if (byte < 128) return { value, next: at + 1 };
  }
}
