/** A job result without a row, from the request that reports it to the commit that writes it. */
import type { AppliedResult } from '../store/hot-instances/job-results.js';

/** The next commit follows within milliseconds unless its worker or the store is in trouble. */
const MAX_HAND_OVER_MS = 2_000;

export class HandOver {
  readonly number: number;
  readonly ended: Promise<AppliedResult | undefined>;
  #end!: (end: AppliedResult | undefined) => void;
  readonly #timeout: NodeJS.Timeout;
  readonly #onEnd: () => void;

  constructor(number: number, onEnd: () => void) {
    this.number = number;
    this.#onEnd = onEnd;
    this.ended = new Promise((resolve) => (this.#end = resolve));
    this.#timeout = setTimeout(() => this.end(undefined), MAX_HAND_OVER_MS);
  }

  end(end: AppliedResult | undefined): void {
    clearTimeout(this.#timeout);
    this.#onEnd();
    this.#end(end);
  }
}
