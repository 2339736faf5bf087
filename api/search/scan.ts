/** One page of a search: batch after batch until there are enough matches, the window ends, or the time is up. */
import { isCanceledStatement, readForSearch, type SearchFilter } from '../../store/search/search.js';
import { BatchSizes } from './batch-sizes.js';
import { searchBatch, type FoundMatch, type SearchBatch, type BatchOutcome, type BatchRequest } from './batch.js';
import { SEARCHES_AT_WORK, type Evaluate } from './threads.js';
import { TurnCanceled, TurnRefused, type Turn, type TurnKind, type Turns } from '@perdure/lib/fair-turns.js';
import type { Database } from '../../store/sql/database.js';

export type { FoundMatch } from './batch.js';

export interface ScanRequest extends Pick<BatchRequest, 'predicate' | 'names' | 'now' | 'prefilter' | 'below'> {
  readonly filter: SearchFilter;
  /** Maximum number of matches. */
  readonly limit: number;
  readonly deadlineMilliseconds: number;
  /** Where each batch waits for its turn. */
  readonly turns: Turns;
  /** Ends the scan, as the deadline does. */
  readonly signal: AbortSignal;
}

/** The result of a scan; while it runs, the intermediate result. */
export interface Scan {
  readonly matches: FoundMatch[];
  evaluated: number;
  predicateErrors: number;
  firstPredicateError: string | undefined;
  /** The scan resumes below this number. */
  below: number;
  exhausted: boolean;
  deadlineHit: boolean;
}

/** Upper limit of the evaluation time within one turn. */
const MAX_TURN_MILLISECONDS = 1000;
/** The first batch can take this long even after the deadline, so that each page advances. */
const MIN_STATEMENT_MILLISECONDS = 2000;
/** The matches of a page are sent in one response; a page with large matches ends before its limit. */
const MAX_SCANNED_CHARACTERS = 8_000_000;

/** A turn uses one connection and one thread; the other operations keep all other connections. */
const TURN: TurnKind = { name: 'search', size: SEARCHES_AT_WORK, isShort: true, isFree: true };

/** Scans downward from `request.below`. Each call evaluates at least one instance, if there is one. */
export async function scan(database: Database, evaluate: Evaluate, request: ScanRequest): Promise<Scan> {
  const deadline = performance.now() + request.deadlineMilliseconds;
  const state: Scan = {
    matches: [],
    evaluated: 0,
    predicateErrors: 0,
    firstPredicateError: undefined,
    below: request.below,
    exhausted: false,
    deadlineHit: false,
  };
  const sizes = new BatchSizes(request.limit, request.prefilter !== undefined);
  let characters = 0;
  while (!state.exhausted && state.matches.length < request.limit && characters < MAX_SCANNED_CHARACTERS) {
    const isFirst = state.below === request.below;
    if (!isFirst && (performance.now() >= deadline || request.signal.aborted)) {
      state.deadlineHit = true;
      break;
    }
    const turn = await nextTurn(request, isFirst);
    const outcome =
      turn && (await nextBatch(database, evaluate, request, { state, sizes, deadline, isFirst }).finally(turn.end));
    if (outcome === undefined || outcome === 'canceled') {
      state.deadlineHit = true;
      break;
    }
    if (outcome === 'nothing left') state.exhausted = true;
    else if (outcome !== 'stuck') {
      add(state, outcome);
      characters += outcome.characters;
    }
  }
  return state;
}

/**
 * Undefined if the search is canceled, or if it has to end for now.
 * @throws TurnRefused before the first batch: there is nothing to return yet
 */
async function nextTurn({ turns }: ScanRequest, isFirst: boolean): Promise<Turn | undefined> {
  try {
    return await turns.take(TURN, 0);
  } catch (error) {
    if (error instanceof TurnCanceled || (error instanceof TurnRefused && !isFirst)) return undefined;
    throw error;
  }
}

interface BatchTurn {
  readonly state: Scan;
  readonly sizes: BatchSizes;
  readonly deadline: number;
  readonly isFirst: boolean;
}

async function nextBatch(
  database: Database,
  evaluate: Evaluate,
  { filter, limit, prefilter, ...request }: ScanRequest,
  { state, sizes, deadline, isFirst }: BatchTurn,
): Promise<BatchOutcome | 'canceled'> {
  // A search that was canceled while it waited for its turn has no reader.
  if (request.signal.aborted) return 'canceled';
  const since = performance.now();
  const rest = Math.max(isFirst ? MIN_STATEMENT_MILLISECONDS : 1, deadline - since);
  const batch: BatchRequest = {
    ...request,
    prefilter: sizes.prefilters ? prefilter : undefined,
    below: state.below,
    size: sizes.size,
    maxMatches: limit - state.matches.length,
    milliseconds: Math.min(MAX_TURN_MILLISECONDS, rest),
    wantsError: state.firstPredicateError === undefined,
  };
  try {
    const outcome = await readForSearch(database, filter, rest, (reader) => searchBatch(reader, evaluate, batch));
    if (outcome === 'stuck') sizes.markStuck();
    else if (outcome !== 'nothing left') sizes.recordBatch(outcome, performance.now() - since);
    return outcome;
  } catch (error) {
    if (isCanceledStatement(error)) return 'canceled';
    throw error;
  }
}

function add(state: Scan, batch: SearchBatch): void {
  state.matches.push(...batch.matches);
  state.evaluated += batch.evaluated;
  state.predicateErrors += batch.predicateErrors;
  state.firstPredicateError ??= batch.firstPredicateError;
  state.below = batch.last;
  state.exhausted = batch.isEnd;
}
