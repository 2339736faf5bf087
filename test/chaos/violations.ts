/** Violations of the invariants of `docs/chaos.md`. */
import { errorMessage } from '@perdure/lib/error-message.js';

export interface Violation {
  invariant: string;
  found: string;
}

export class Violations {
  readonly found: Violation[] = [];

  add(invariant: string, found: string): void {
    this.found.push({ invariant, found });
  }

  /** Notes it unless it is so. */
  check(invariant: string, isSo: boolean, found: () => string): void {
    if (!isSo) this.add(invariant, found());
  }

  /** Whatever ends `work` before its end is wrong. */
  async around(invariant: string, what: string, work: Promise<void>): Promise<void> {
    await work.catch((error: unknown) => this.add(invariant, `${what}: ${errorMessage(error)}`));
  }
}

/** Orders what happens in this process without a clock. */
export class Moments {
  #last = 0;

  next(): number {
    this.#last += 1;
    return this.#last;
  }
}
