/** One page of a search: stretch after stretch until there are enough matches, the window ends or the time is up. */
import type { Pool } from 'pg';
import { isCanceledStatement, readForSearch, type SearchFilter } from '../../store/search.js';
import { StretchSizes } from './stretch-sizes.js';
import { takeStretch, type FoundMatch, type Stretch, type StretchOutcome, type StretchRequest } from './stretch.js';
import { SEARCHES_AT_WORK, type Evaluate } from './threads.js';
import { Turns } from './turns.js';

export type { FoundMatch } from './stretch.js';

export interface ScanRequest extends Pick<StretchRequest, 'predicate' | 'names' | 'now' | 'screening' | 'below'> {
  readonly filter: SearchFilter;
  /** Matches at most. */
  readonly limit: number;
  readonly deadlineMilliseconds: number;
  /** Ends the scan as the deadline does. */
  readonly signal: AbortSignal;
}

/** What a scan has come to; while it runs, what it has come to so far. */
export interface Scan {
  readonly matches: FoundMatch[];
  evaluated: number;
  predicateErrors: number;
  firstPredicateError: string | undefined;
  /** Goes on below this number. */
  below: number;
  exhausted: boolean;
  deadlineHit: boolean;
}

/** Evaluation stops here at the latest within one turn. */
const MOST_TURN_MILLISECONDS = 1000;
/** The first stretch may take this long even when the deadline has passed: each page gets further than the one before. */
const LEAST_STATEMENT_MILLISECONDS = 2000;
/** Matches of a page are sent in one answer; a page with larger ones ends before its limit. */
const MOST_CHARACTERS = 8_000_000;

/** A turn has a connection and a thread; the other routes keep all other connections. */
const turns = new Turns(SEARCHES_AT_WORK);

/** Scans from `request.below` downwards. Each call looks at one instance at least, if there is one. */
export async function scan(pool: Pool, evaluate: Evaluate, request: ScanRequest): Promise<Scan> {
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
  const sizes = new StretchSizes(request.limit, request.screening !== undefined);
  let characters = 0;
  while (!state.exhausted && state.matches.length < request.limit && characters < MOST_CHARACTERS) {
    const isFirst = state.below === request.below;
    if (!isFirst && (performance.now() >= deadline || request.signal.aborted)) {
      state.deadlineHit = true;
      break;
    }
    const outcome = await turns.run(() => nextStretch(pool, evaluate, request, { state, sizes, deadline, isFirst }));
    if (outcome === 'canceled') {
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

interface Turn {
  readonly state: Scan;
  readonly sizes: StretchSizes;
  readonly deadline: number;
  readonly isFirst: boolean;
}

async function nextStretch(
  pool: Pool,
  evaluate: Evaluate,
  { filter, limit, screening, ...request }: ScanRequest,
  { state, sizes, deadline, isFirst }: Turn,
): Promise<StretchOutcome | 'canceled'> {
  // Nobody reads the answer of a search that was given up while it waited for its turn.
  if (request.signal.aborted) return 'canceled';
  const since = performance.now();
  const rest = Math.max(isFirst ? LEAST_STATEMENT_MILLISECONDS : 1, deadline - since);
  const stretch: StretchRequest = {
    ...request,
    screening: sizes.screens ? screening : undefined,
    below: state.below,
    size: sizes.size,
    mostMatches: limit - state.matches.length,
    milliseconds: Math.min(MOST_TURN_MILLISECONDS, rest),
    wantsError: state.firstPredicateError === undefined,
  };
  try {
    const outcome = await readForSearch(pool, filter, rest, (reader) => takeStretch(reader, evaluate, stretch));
    if (outcome === 'stuck') sizes.isStuck();
    else if (outcome !== 'nothing left') sizes.took(outcome, performance.now() - since);
    return outcome;
  } catch (error) {
    if (isCanceledStatement(error)) return 'canceled';
    throw error;
  }
}

function add(state: Scan, stretch: Stretch): void {
  state.matches.push(...stretch.matches);
  state.evaluated += stretch.evaluated;
  state.predicateErrors += stretch.predicateErrors;
  state.firstPredicateError ??= stretch.firstPredicateError;
  state.below = stretch.last;
  state.exhausted = stretch.isEnd;
}
