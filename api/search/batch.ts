/** The result of one batch of a search, in which each instance is a match, no match, or an error of the predicate. */
import type { Batch } from '../../store/search/search.js';
import type { EvaluationResult, FoundMatch } from './evaluation.js';

export interface SearchBatch {
  readonly matches: readonly FoundMatch[];
  /** Size of the variables of all matches as JSON text. */
  readonly characters: number;
  readonly evaluated: number;
  readonly predicateErrors: number;
  readonly firstPredicateError: string | undefined;
  /** Instances that had to be evaluated individually. */
  readonly left: number;
  /** Number of the last instance that counts. */
  readonly last: number;
  /** No instance remains after it. */
  readonly isEnd: boolean;
}

/** Adds the prefiltered instances of the batch to the evaluated ones. */
export function countBatch(batch: Batch, result: EvaluationResult, maxMatches: number): SearchBatch {
  const { matches, characters, firstPredicateError } = result;
  const left = result.evaluated + result.predicateErrors;
  // A page ends with its last match. Instances that were prefiltered after it, or after the last evaluated one, belong
  // to the next batch.
  const isWhole = left === batch.candidates && matches.length < maxMatches;
  const parts = isWhole ? undefined : left;
  const last = isWhole ? batch.last : result.last;
  return {
    matches,
    characters,
    evaluated: result.evaluated + sum(batch.isFalse.slice(0, parts)),
    predicateErrors: result.predicateErrors + sum(batch.isError.slice(0, parts)),
    firstPredicateError,
    left,
    last,
    isEnd: batch.isEnd && last === batch.last,
  };
}

function sum(counts: readonly number[]): number {
  return counts.reduce((total, count) => total + count, 0);
}
