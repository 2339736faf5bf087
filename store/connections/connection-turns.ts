/**
 * Turns at the connections of a pool. The driver assigns connections in order of arrival, so a caller with a
 * thousand requests would delay everyone else by a thousand statements. Here, callers that wait take turns.
 */
import type { Pool, PoolClient } from 'pg';

/** Called once it is the waiter's turn. */
type Waiter = () => void;

export class ConnectionTurns {
  readonly #pool: Pool;
  /** In the order of turns: callers, and of each caller its waiters in the order of arrival. */
  readonly #waiting = new Map<string, Set<Waiter>>();
  /** Connections that callers hold or are about to get. */
  #taken = 0;

  constructor(pool: Pool) {
    this.#pool = pool;
  }

  /** A connection for a statement or transaction of the caller, when it is its turn. */
  async connect(caller: string): Promise<PoolClient> {
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
