/** The size of the next batch of a page, and whether Postgres prefilters it. */
import { MAX_EVALUATED } from '../../store/search/search.js';
import type { SearchBatch } from './batch.js';

const FIRST_SIZE = 64;
export const MAX_PREFILTERED = 65_536;
/** Target duration of a turn, so that searches which share the threads advance evenly. */
const TURN_MILLISECONDS = 200;
/**
 * A prefilter that keeps more than half of the instances costs more than it saves, so it is skipped for this many
 * batches.
 */
const REST_OF_PREFILTER = 8;

export class BatchSizes {
  readonly #limit: number;
  readonly #canPrefilter: boolean;
  #size = FIRST_SIZE;
  #withoutPrefilter = 0;
  #scanned = 0;
  #matches = 0;

  /**
   * @param limit matches of a whole page
   * @param canPrefilter whether the predicate has a prefilter
   */
  constructor(limit: number, canPrefilter: boolean) {
    this.#limit = limit;
    this.#canPrefilter = canPrefilter;
  }

  get prefilters(): boolean {
    return this.#canPrefilter && this.#withoutPrefilter === 0;
  }

  get size(): number {
    return Math.min(this.#size, this.prefilters ? MAX_PREFILTERED : MAX_EVALUATED);
  }

  /** One of the instances takes too much time or memory; the next batches find out which. */
  markStuck(): void {
    this.#size = 1;
  }

  /**
   * Grows quickly while turns are short: most pages end in the first batches, and a long scan benefits from large ones.
   * As soon as there are matches, a batch reads no more than the page needs.
   */
  recordBatch({ evaluated, predicateErrors, matches, left }: SearchBatch, milliseconds: number): void {
    const { size } = this;
    const scanned = evaluated + predicateErrors;
    this.#scanned += scanned;
    this.#matches += matches.length;
    if (this.prefilters && left > scanned / 2) this.#withoutPrefilter = REST_OF_PREFILTER;
    else this.#withoutPrefilter = Math.max(0, this.#withoutPrefilter - 1);
    const inTime = Math.min(size * 4, (size * TURN_MILLISECONDS) / Math.max(1, milliseconds));
    // Prefilter results beyond what one batch evaluates are wasted.
    const toEvaluate = left === 0 ? Infinity : (MAX_EVALUATED * scanned) / left;
    this.#size = Math.max(1, Math.floor(Math.min(inTime, toEvaluate, this.#toFillPage())));
  }

  #toFillPage(): number {
    if (this.#matches === 0) return Infinity;
    return Math.max(FIRST_SIZE, ((this.#limit - this.#matches) * this.#scanned) / this.#matches);
  }
}
