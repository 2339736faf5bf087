/** One page of a search: batch after batch until there are enough matches, the window ends or the time is up. */
import type { Pool } from 'pg';
import { isCanceledStatement, readForSearch, type Candidates, type FoundInstance, type SearchFilter } from '../../store/search.js';
import type { EvaluationResult } from './evaluation.js';
import type { Evaluate } from './threads.js';
import { Turns } from './turns.js';

export interface ScanRequest {
  readonly filter: SearchFilter;
  readonly predicate: string;
  /** Variables to read. */
  readonly names: readonly string[];
  readonly now: number;
  /** Begins below this number. */
  readonly below: number;
  /** Matches at most. */
  readonly limit: number;
  readonly deadlineMilliseconds: number;
  /** Ends the scan as the deadline does. */
  readonly signal: AbortSignal;
}

export interface FoundMatch extends FoundInstance {
  readonly variables: Readonly<Record<string, unknown>>;
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

const FIRST_SIZE = 64;
const MOST_SIZE = 4096;
/** A turn should take about this long, so that searches which share the threads advance evenly. */
const TURN_MILLISECONDS = 200;
/** Evaluation stops here at the latest within one turn. */
const MOST_TURN_MILLISECONDS = 1000;
/** The first batch may take this long even when the deadline has passed: each page gets further than the one before. */
const LEAST_STATEMENT_MILLISECONDS = 2000;
/** Matches of a page are sent in one answer; a page with larger ones ends before its limit. */
const MOST_CHARACTERS = 8_000_000;

/** A turn has a connection and a thread: as many as there are threads, so that the other routes keep their connections. */
const turns = new Turns(2);

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
  let size = FIRST_SIZE;
  let characters = 0;
  while (!state.exhausted && state.matches.length < request.limit && characters < MOST_CHARACTERS) {
    const isFirst = state.below === request.below;
    if (!isFirst && (performance.now() >= deadline || request.signal.aborted)) {
      state.deadlineHit = true;
      break;
    }
    const done = await turns.run(() => scanBatch(pool, evaluate, request, { state, size, deadline, isFirst }));
    if (done.kind === 'canceled') state.deadlineHit = true;
    if (done.kind === 'canceled') break;
    size = done.nextSize;
    characters += done.characters;
  }
  return state;
}

interface Turn {
  readonly state: Scan;
  readonly size: number;
  readonly deadline: number;
  readonly isFirst: boolean;
}

type TurnDone = { readonly kind: 'done'; readonly nextSize: number; readonly characters: number } | { readonly kind: 'canceled' };

async function scanBatch(pool: Pool, evaluate: Evaluate, request: ScanRequest, { state, size, deadline, isFirst }: Turn): Promise<TurnDone> {
  const since = performance.now();
  const rest = Math.max(isFirst ? LEAST_STATEMENT_MILLISECONDS : 1, deadline - since);
  try {
    return await readForSearch(pool, request.filter, rest, async (reader) => {
      const batch = await reader.candidates({ below: state.below, size, names: request.names });
      if (batch.count === 0) {
        state.exhausted = true;
        return { kind: 'done', nextSize: size, characters: 0 };
      }
      const work = {
        predicate: request.predicate,
        now: request.now,
        candidates: batch.text,
        mostMatches: request.limit - state.matches.length,
        milliseconds: Math.min(MOST_TURN_MILLISECONDS, rest),
      };
      const result = (await evaluate(work)) ?? givenUp(batch);
      // One of them is to blame: the next turns look at one at a time.
      if (result === undefined) return { kind: 'done', nextSize: 1, characters: 0 };
      if (result.matches.length > 0) state.matches.push(...joined(result, await reader.found(result.matches.map(({ number }) => number))));
      add(state, result);
      state.exhausted = batch.isEnd && result.last === batch.last;
      return { kind: 'done', nextSize: nextSize(size, performance.now() - since), characters: result.characters };
    });
  } catch (error) {
    if (isCanceledStatement(error)) return { kind: 'canceled' };
    throw error;
  }
}

/** What is known when a batch took too much time or memory: nothing, unless it is of one instance. */
function givenUp({ count, last }: Candidates): EvaluationResult | undefined {
  if (count > 1) return undefined;
  const firstPredicateError = 'Evaluating the predicate takes too much time or memory.';
  return { matches: [], characters: 0, evaluated: 0, predicateErrors: 1, firstPredicateError, last };
}

function joined({ matches }: EvaluationResult, found: readonly FoundInstance[]): FoundMatch[] {
  const variables = new Map(matches.map((match) => [match.number, match.variables]));
  return found.map((instance) => ({ ...instance, variables: variables.get(instance.number)! }));
}

function add(state: Scan, result: EvaluationResult): void {
  state.evaluated += result.evaluated;
  state.predicateErrors += result.predicateErrors;
  state.firstPredicateError ??= result.firstPredicateError;
  state.below = result.last;
}

/** Grows quickly while turns are short: most pages end in the first batches, and a long scan wants large ones. */
function nextSize(size: number, milliseconds: number): number {
  const wanted = Math.min(size * 4, (size * TURN_MILLISECONDS) / Math.max(1, milliseconds));
  return Math.max(1, Math.min(MOST_SIZE, Math.floor(wanted)));
}
