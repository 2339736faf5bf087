/** One page of a search: batch after batch until there are enough matches, the window ends, or the time is up. */
import { TurnCanceled, TurnRefused, type Turn, type TurnKind, type Turns } from '@perdure/lib/fair-turns.js';
import { searchBatches, type Batch, type BatchRequest, type SearchFilter } from '../../store/search/search.js';
import { isCanceledStatement, type Database } from '../../store/sql/database.js';
import { BatchSizes } from './batch-sizes.js';
import { countBatch } from './batch.js';
import type { EvaluationResult, FoundMatch } from './evaluation.js';
import { SEARCHES_AT_WORK, type Evaluate } from './threads.js';

export interface ScanRequest extends Pick<BatchRequest, 'names' | 'prefilter' | 'below'> {
  readonly filter: SearchFilter;
  readonly predicate: string;
  /** The result of `now()`, in epoch milliseconds. */
  readonly now: number;
  /** Maximum number of matches. */
  readonly limit: number;
  readonly deadlineMilliseconds: number;
  /** Where each batch waits for its turn. */
  readonly turns: Turns;
  /** Ends the scan, as the deadline does. */
  readonly signal: AbortSignal;
}

/** The result of a scan. */
export interface Scan {
  readonly matches: readonly FoundMatch[];
  readonly evaluated: number;
  readonly predicateErrors: number;
  readonly firstPredicateError: string | undefined;
  /** The scan resumes below this number. */
  readonly below: number;
  readonly exhausted: boolean;
  readonly deadlineHit: boolean;
}

/** Upper limit of the evaluation time within one turn. */
const MAX_TURN_MILLISECONDS = 1000;
/** The first batch can take this long even after the deadline, so that each page advances. */
const MIN_STATEMENT_MILLISECONDS = 2000;
/** The matches of a page are sent in one response; a page with large matches ends before its limit. */
export const MAX_SCANNED_CHARACTERS = 8_000_000;

/** A turn uses one connection and one thread; the other operations keep all other connections. */
const TURN: TurnKind = { name: 'search', size: SEARCHES_AT_WORK, isShort: true, isFree: true };

/** Scans downward from `request.below`. Each call evaluates at least one instance, if there is one. */
export async function scan(database: Database, evaluate: Evaluate, request: ScanRequest): Promise<Scan> {
  const page = new Page(request);
  try {
    for await (const batch of searchBatches(database, request.filter, () => page.next()))
      await page.add(batch, evaluate);
  } catch (error) {
    if (!isCanceledStatement(error)) throw error;
    page.deadlineHit = true;
  } finally {
    page.endTurn();
  }
  return page;
}

/** The page as far as it is scanned, and what it needs next. */
class Page implements Scan {
  readonly matches: FoundMatch[] = [];
  evaluated = 0;
  predicateErrors = 0;
  firstPredicateError: string | undefined;
  below: number;
  exhausted = false;
  deadlineHit = false;
  #characters = 0;
  readonly #request: ScanRequest;
  readonly #deadline: number;
  readonly #sizes: BatchSizes;
  #turn: Turn | undefined;
  #turnBegan = 0;

  constructor(request: ScanRequest) {
    this.#request = request;
    this.below = request.below;
    this.#deadline = performance.now() + request.deadlineMilliseconds;
    this.#sizes = new BatchSizes(request.limit, request.prefilter !== undefined);
  }

  /** Undefined if the page is complete, or if it has to end for now. */
  async next(): Promise<BatchRequest | undefined> {
    this.endTurn();
    if (this.#isComplete()) return undefined;
    const { names, prefilter } = this.#request;
    this.#turn = await this.#nextTurn();
    // A search that was canceled while it waited for its turn has no reader.
    if (this.#turn === undefined || this.#request.signal.aborted) {
      this.deadlineHit = true;
      return undefined;
    }
    this.#turnBegan = performance.now();
    return {
      names,
      below: this.below,
      size: this.#sizes.size,
      prefilter: this.#sizes.prefilters ? prefilter : undefined,
      wantsError: this.firstPredicateError === undefined,
      milliseconds: this.#millisecondsLeft(),
    };
  }

  async add(batch: Batch, evaluate: Evaluate): Promise<void> {
    if (batch.last === 0) {
      this.exhausted = true;
      return;
    }
    const maxMatches = this.#request.limit - this.matches.length;
    const result = await this.#evaluate(batch, evaluate, maxMatches);
    if (result === undefined) return this.#sizes.markStuck();
    const counted = countBatch(batch, result, maxMatches);
    this.#sizes.recordBatch(counted, performance.now() - this.#turnBegan);
    this.matches.push(...counted.matches);
    this.evaluated += counted.evaluated;
    this.predicateErrors += counted.predicateErrors;
    this.firstPredicateError ??= counted.firstPredicateError;
    this.below = counted.last;
    this.exhausted = counted.isEnd;
    this.#characters += counted.characters;
  }

  endTurn(): void {
    this.#turn?.end();
    this.#turn = undefined;
  }

  get #isFirst(): boolean {
    return this.below === this.#request.below;
  }

  #isComplete(): boolean {
    return this.exhausted || this.matches.length >= this.#request.limit || this.#characters >= MAX_SCANNED_CHARACTERS;
  }

  #millisecondsLeft(): number {
    return Math.max(this.#isFirst ? MIN_STATEMENT_MILLISECONDS : 1, this.#deadline - this.#turnBegan);
  }

  /**
   * Undefined if the search is canceled, or if its time is up.
   * @throws TurnRefused before the first batch: there is nothing to return yet
   */
  async #nextTurn(): Promise<Turn | undefined> {
    const { turns, signal } = this.#request;
    if (!this.#isFirst && (performance.now() >= this.#deadline || signal.aborted)) return undefined;
    try {
      return await turns.take(TURN, 0);
    } catch (error) {
      if (error instanceof TurnCanceled || (error instanceof TurnRefused && !this.#isFirst)) return undefined;
      throw error;
    }
  }

  /** Undefined when one of several candidates takes too much time or memory; batches of one instance find out which. */
  async #evaluate(batch: Batch, evaluate: Evaluate, maxMatches: number): Promise<EvaluationResult | undefined> {
    if (batch.candidates === 0) return nothing;
    const { predicate, now } = this.#request;
    const milliseconds = Math.min(MAX_TURN_MILLISECONDS, this.#millisecondsLeft());
    const result = await evaluate({ predicate, now, candidates: batch.text, maxMatches, milliseconds });
    if (result !== undefined || batch.candidates > 1) return result;
    const firstPredicateError = 'Evaluating the predicate takes too much time or memory';
    return { ...nothing, predicateErrors: 1, firstPredicateError, last: batch.last };
  }
}

const nothing: EvaluationResult = { matches: [], characters: 0, evaluated: 0, predicateErrors: 0, last: 0 };
