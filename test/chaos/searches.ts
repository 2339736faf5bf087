/** Searches all the time, page by page to the end, in a project where instances start and move. */
import { setTimeout as pause } from 'node:timers/promises';
import type { Caller } from './caller.js';
import type { Violations } from './violations.js';

export interface SearcherOptions {
  caller: Caller;
  projectID: string;
  definitionID: string;
  /** workflowIDs of all that have been started by acknowledged requests. */
  started(): string[];
  violations: Violations;
}

/** True of every parcel. */
const PREDICATE = 'parcelID != null';
const MAX_PAGE = 200;
const BETWEEN_SEARCHES_MS = 3000;

export class Searcher {
  readonly #options: SearcherOptions;
  /** Everything that was ever found. */
  readonly seen = new Set<string>();
  #searches = 0;
  #pages = 0;
  #isStopping = false;
  readonly #work: Promise<unknown>;

  constructor(options: SearcherOptions) {
    this.#options = options;
    this.#work = this.#run();
  }

  async finish(): Promise<void> {
    this.#isStopping = true;
    await this.#work;
  }

  get summary(): string {
    return `${this.#searches} searches of ${this.#pages} pages`;
  }

  async #run(): Promise<void> {
    while (!this.#isStopping) {
      await this.#options.violations.around(
        'R14',
        'a search',
        this.search().then(() => undefined),
      );
      await pause(BETWEEN_SEARCHES_MS);
    }
  }

  /** R14: everything that was there before is found once, and every instance that is read is counted. @returns how many were found */
  async search(): Promise<number> {
    const { caller, projectID, definitionID, started, violations } = this.#options;
    const before = started();
    const found: string[] = [];
    let scanned = 0;
    for (let cursor: string | null | undefined; cursor !== null; this.#pages += 1) {
      const { status, body } = await caller.send('POST', `/projects/${projectID}/bpmn/instances/search`, {
        definitionID,
        predicate: PREDICATE,
        limit: MAX_PAGE,
        ...(cursor && { cursor }),
      });
      if (status !== 200) throw new Error(`the response was ${status} ${JSON.stringify(body)}`);
      found.push(...body.matches.map(({ workflowID }: { workflowID: string }) => workflowID));
      scanned += body.scanned;
      violations.check(
        'R14',
        body.scanned === body.evaluated + body.predicateErrors && body.predicateErrors === 0,
        () =>
          `a page counts ${body.scanned} scanned, ${body.evaluated} evaluated, ${body.predicateErrors} errors (${body.firstPredicateError})`,
      );
      violations.check(
        'R14',
        body.exhausted === (body.nextCursor === null),
        () => `a page is ${body.exhausted ? '' : 'not '}exhausted and its cursor is ${body.nextCursor}`,
      );
      cursor = body.nextCursor;
    }
    this.#searches += 1;
    const once = new Set(found);
    const missing = before.filter((workflowID) => !once.has(workflowID));
    violations.check(
      'R14',
      once.size === found.length,
      () => `a search found ${found.length} matches, of which ${once.size} differ`,
    );
    violations.check(
      'R14',
      missing.length === 0,
      () => `a search missed ${missing.length} of ${before.length} instances, ${missing[0]} for one`,
    );
    violations.check(
      'R14',
      scanned === found.length,
      () => `a search scanned ${scanned} instances and found all ${found.length}`,
    );
    for (const workflowID of found) this.seen.add(workflowID);
    return found.length;
  }
}
