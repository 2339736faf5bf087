/** A map of limited size. Its entries are in the order in which they were last set, and the oldest are evicted. */
export class BoundedCache<Key, Value> {
  readonly #entries = new Map<Key, Value>();
  readonly #limits: Limits<Value>;
  #weight = 0;

  constructor(limits: Limits<Value>) {
    this.#limits = limits;
  }

  get(key: Key): Value | undefined {
    return this.#entries.get(key);
  }

  /** Makes this entry the newest one. */
  set(key: Key, value: Value): void {
    this.delete(key);
    this.#entries.set(key, value);
    this.#weight += this.#weightOf(value);
    for (const oldest of this.#entries.keys()) {
      if (oldest === key || !this.#isFull()) return;
      this.delete(oldest);
    }
  }

  delete(key: Key): void {
    const value = this.#entries.get(key);
    if (this.#entries.delete(key)) this.#weight -= this.#weightOf(value as Value);
  }

  #isFull(): boolean {
    const { entries, weight = Infinity } = this.#limits;
    return this.#entries.size > entries || this.#weight > weight;
  }

  #weightOf(value: Value): number {
    return this.#limits.weightOf?.(value) ?? 0;
  }
}

interface Limits<Value> {
  readonly entries: number;
  /** Limit of the sum of `weightOf`. A single entry can exceed it. */
  readonly weight?: number;
  readonly weightOf?: (value: Value) => number;
}
