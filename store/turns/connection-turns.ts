/**
 * Turns at the connections of a pool. The driver assigns connections in order of arrival, so a caller with a
 * thousand requests would delay everyone else by a thousand statements. Here, callers that wait take turns.
 */
import type { Pool, PoolClient } from 'pg';

type Connected = (error: Error | undefined, client?: PoolClient, release?: PoolClient['release']) => void;

/** Called once it is the waiter's turn. */
type Waiter = () => void;

/** By the view of a caller. */
const poolsOfViews = new WeakMap<Pool, Pool>();

/** The pool behind the view of a caller. What callers share, such as a cache, is kept by it. */
export function sharedPool(pool: Pool): Pool {
  return poolsOfViews.get(pool) ?? pool;
}

export class ConnectionTurns {
  readonly #pool: Pool;
  /** In the order of turns: callers, and of each caller its waiters in the order of arrival. */
  readonly #waiting = new Map<string, Set<Waiter>>();
  /** Connections that callers hold or are about to get. */
  #taken = 0;

  constructor(pool: Pool) {
    this.#pool = pool;
  }

  /** The pool for the statements and transactions of one caller. Each of them waits for the caller's turn. */
  poolOf(caller: string): Pool {
    const connect = (connected?: Connected): Promise<PoolClient> => {
      const connecting = this.#connect(caller);
      if (connected) connecting.then((client) => connected(undefined, client, client.release), connected);
      return connecting;
    };
    // The driver's own `query` calls `connect`, with a callback.
    const view = Object.create(this.#pool, { connect: { value: connect } }) as Pool;
    poolsOfViews.set(view, this.#pool);
    return view;
  }

  async #connect(caller: string): Promise<PoolClient> {
    if (this.#taken < this.#pool.options.max && this.#waiting.size === 0) this.#taken += 1;
    else await this.#turnOf(caller);
    try {
      const client = await this.#pool.connect();
      const { release } = client;
      client.release = (broken) => {
        release(broken);
        this.#pass();
      };
      return client;
    } catch (error) {
      this.#pass();
      throw error;
    }
  }

  #turnOf(caller: string): Promise<void> {
    const waiters = this.#waiting.get(caller) ?? new Set();
    this.#waiting.set(caller, waiters);
    return new Promise((resolve, reject) => {
      const waiter = () => {
        clearTimeout(timer);
        resolve();
      };
      const giveUp = () => {
        waiters.delete(waiter);
        if (waiters.size === 0) this.#waiting.delete(caller);
        // In the words of the driver, by which the API recognizes that Postgres is busy.
        reject(new Error('timeout exceeded when trying to connect'));
      };
      const { connectionTimeoutMillis } = this.#pool.options;
      const timer = connectionTimeoutMillis ? setTimeout(giveUp, connectionTimeoutMillis) : undefined;
      waiters.add(waiter);
    });
  }

  /** Passes a connection on to the caller whose turn it is, who then moves to the end of the round. */
  #pass(): void {
    const [next] = this.#waiting;
    if (next === undefined) {
      this.#taken -= 1;
      return;
    }
    const [caller, waiters] = next;
    const waiter = waiters.values().next().value as Waiter;
    waiters.delete(waiter);
    this.#waiting.delete(caller);
    if (waiters.size > 0) this.#waiting.set(caller, waiters);
    waiter();
  }
}
