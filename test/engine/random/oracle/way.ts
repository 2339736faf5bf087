/** A branch on its way to a join: BPMN 2.0.2 table 13.3 asks whether a token on it can still come. */
export class Way {
  #tokens = 1;
  #hasArrived = false;
  readonly #around: Way | undefined;
  readonly #miss: () => void;

  /**
   * @param around the way that the join's own branch is on
   * @param miss called when nothing can come
   */
  constructor(around?: Way, miss: () => void = () => undefined) {
    this.#around = around;
    this.#miss = miss;
  }

  arrive(): void {
    this.#hasArrived = true;
  }

  /** The branch has come to where no way leads out. */
  lose(): void {
    this.#tokens -= 1;
    if (this.#tokens === 0 && !this.#hasArrived) this.#miss();
  }

  /** More tokens follow the one that has continued: a complex gateway has started without them. */
  follow(): void {
    this.#tokens += 1;
    this.#around?.follow();
  }

  /** None follow. */
  unfollow(): void {
    this.lose();
    this.#around?.unfollow();
  }
}
