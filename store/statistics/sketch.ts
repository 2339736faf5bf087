/**
 * A distribution of durations in logarithmic buckets, after DDSketch (Masson, Rim, Lee: VLDB 2019). Merging two
 * sketches adds their counts, so sums of any range have the same precision as one hour.
 */

/** Relative error of a quantile. Rounding to a millisecond adds at most 2 %, because smaller values are exact. */
const ERROR = 0.02;
const GAMMA = (1 + ERROR) / (1 - ERROR);
/** The bucket of durations below one millisecond. The bucket of `ms` is 1 + ⌈log ms⌉. */
const ZERO = 0;

/** SQL: what separates encoded sketches. No sketch has a bucket that counts nothing. */
export const SEPARATOR = String.raw`'\x0000'::bytea`;

export class Sketch {
  /** By bucket. */
  readonly #counts: number[] = [];

  add(milliseconds: number): this {
    this.#count(milliseconds < 1 ? ZERO : 1 + Math.ceil(Math.log(milliseconds) / Math.log(GAMMA)), 1);
    return this;
  }

  isEmpty(): boolean {
    return this.#counts.length === 0;
  }

  merge(other: Sketch): this {
    for (const [bucket, count] of other.#counts.entries()) this.#count(bucket, count);
    return this;
  }

  #count(bucket: number, count: number): void {
    while (this.#counts.length <= bucket) this.#counts.push(0);
    this.#counts[bucket]! += count;
  }

  /**
   * The duration at the nearest rank, in milliseconds; undefined without any durations.
   * @param fraction above 0, up to 1
   */
  quantile(fraction: number): number | undefined {
    const rank = Math.ceil(fraction * this.#counts.reduce((sum, count) => sum + count, 0));
    let below = 0;
    for (const [bucket, count] of this.#counts.entries()) {
      below += count;
      if (count > 0 && below >= rank)
        return bucket === ZERO ? 0 : Math.round((2 * GAMMA ** (bucket - 1)) / (GAMMA + 1));
    }
    return undefined;
  }

  /** Pairs of the distance to the bucket before and the count, as variable-length integers. */
  encode(): Buffer {
    const bytes: number[] = [];
    let before = 0;
    for (const [bucket, count] of this.#counts.entries()) {
      if (count === 0) continue;
      writeInteger(bytes, bucket - before);
      writeInteger(bytes, count);
      before = bucket;
    }
    return Buffer.from(bytes);
  }

  /**
   * Adds an encoded sketch, or several with `SEPARATOR` between them. Without objects in between, because an answer can
   * merge thousands.
   */
  mergeEncoded(bytes: Uint8Array): this {
    let bucket = 0;
    let value = 0;
    let factor = 1;
    let isCount = false;
    for (const byte of bytes) {
      value += (byte % 128) * factor;
      factor *= 128;
      if (byte >= 128) continue;
      if (!isCount) bucket += value;
      else if (value > 0) this.#count(bucket, value);
      else bucket = 0;
      isCount = !isCount;
      value = 0;
      factor = 1;
    }
    return this;
  }

  static decode(bytes: Uint8Array): Sketch {
    return new Sketch().mergeEncoded(bytes);
  }
}

/** Seven bits per byte, lowest first. With division, because counts can exceed 31 bits. */
function writeInteger(bytes: number[], value: number): void {
  let rest = value;
  for (; rest >= 128; rest = Math.floor(rest / 128)) bytes.push((rest % 128) + 128);
  bytes.push(rest);
}
