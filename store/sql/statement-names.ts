/**
 * Names for statements assembled from parts. With a name every connection keeps the statement and its plan, about half
 * a megabyte of Postgres memory for a step commit. Therefore only frequent shapes get one; others are planned each
 * time.
 */

/** How often a shape has to occur before it is worth a name. */
const WORTH_A_NAME = 16;
/** Limits what a connection keeps; an estimate of more shapes than usual workloads have (ADR 52). */
const MAX_NAMES = 24;
/** Maximum shapes counted at a time. */
const MAX_NAMES_COUNTED = 1_000;

export class StatementNames {
  readonly #prefix: string;
  readonly #named = new Set<string>();
  #counts = new Map<string, number>();

  constructor(prefix: string) {
    this.#prefix = prefix;
  }

  /** Counts one more use of the shape. Undefined: do not prepare it. */
  nameFor(shape: string): string | undefined {
    if (this.#named.has(shape)) return `${this.#prefix} ${shape}`;
    if (this.#named.size === MAX_NAMES) return undefined;
    const count = (this.#counts.get(shape) ?? 0) + 1;
    if (count < WORTH_A_NAME) {
      if (this.#counts.size === MAX_NAMES_COUNTED) this.#counts = new Map();
      this.#counts.set(shape, count);
      return undefined;
    }
    this.#counts.delete(shape);
    this.#named.add(shape);
    return `${this.#prefix} ${shape}`;
  }
}
