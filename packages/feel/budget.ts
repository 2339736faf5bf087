/**
 * Limits of one evaluation. They are counted, not timed, so that an evaluation ends in the same way on every machine
 * and in every replay. With the defaults, the worst known expression ends in well under 100 ms
 * (test/feel/hostile.test.ts).
 */
export interface Budget {
  /**
   * Operations: each node of a loop body per iteration, each function call, each list element or 64 characters
   * processed.
   */
  steps: number;
  /** Items of a list or of an iterated range. */
  listLength: number;
  /** Characters of a string. */
  stringLength: number;
  /** Nested function calls. */
  depth: number;
  /** Values and characters of the serialized result. */
  resultSize: number;
}

export const DEFAULT_BUDGET: Readonly<Budget> = Object.freeze({
  steps: 300_000,
  listLength: 100_000,
  stringLength: 1_048_576,
  depth: 200,
  resultSize: 4_194_304,
});
