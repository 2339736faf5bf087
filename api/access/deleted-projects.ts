/** The projects that have been deleted and have rows left, as of less than half a second ago. */

export interface DeletedProjectsOptions {
  read(): Promise<readonly string[]>;
  /** Milliseconds of a monotonic clock. */
  now?(): number;
}

/** A deletion takes effect in every process within this time. */
const MAX_AGE_MILLISECONDS = 500;
/** From this age on a request has the list read again, but does not wait for it. */
const AGING_MILLISECONDS = 250;
/** The transaction of a deletion has ended by then, so the list has its project. */
const COMMITTED_MILLISECONDS = 1_000;

/** However many requests there are, the database is asked at most a few times a second. */
export class DeletedProjects {
  readonly #read: DeletedProjectsOptions['read'];
  readonly #now: () => number;
  #ids: ReadonlySet<string> = new Set();
  /** When the statement began whose result `#ids` is. */
  #readAt = -Infinity;
  #reading: Promise<void> | undefined;
  /** Projects that this process is deleting, and until when the list may not have them yet. */
  readonly #added = new Map<string, number>();

  constructor({ read, now = () => performance.now() }: DeletedProjectsOptions) {
    this.#read = read;
    this.#now = now;
  }

  async has(projectID: string): Promise<boolean> {
    const age = this.#now() - this.#readAt;
    if (age >= MAX_AGE_MILLISECONDS) await this.#refresh();
    // A failure is that of the request that waits for the list.
    else if (age >= AGING_MILLISECONDS) this.#refresh().catch(() => undefined);
    return this.#ids.has(projectID) || (this.#added.get(projectID) ?? 0) > this.#now();
  }

  /** A request of this process is deleting the project: the requests after it need not wait for the list. */
  add(projectID: string): void {
    this.#added.set(projectID, this.#now() + COMMITTED_MILLISECONDS);
  }

  #refresh(): Promise<void> {
    this.#reading ??= this.#readNow().finally(() => (this.#reading = undefined));
    return this.#reading;
  }

  async #readNow(): Promise<void> {
    const readAt = this.#now();
    this.#ids = new Set(await this.#read());
    this.#readAt = readAt;
    for (const [projectID, until] of this.#added) if (until <= readAt) this.#added.delete(projectID);
  }
}
