/**
 * Turns at the connections of a pool. The driver assigns connections in order of arrival, so a caller with a
 * thousand requests would delay everyone else by a thousand statements. Here, callers that wait take turns.
 *
 * Statements that lock the row of the same instance run one after the other in any case. If all of them waited at
 * connections, an instance with many results would hold every connection of the process.
 */
import type { Pool, PoolClient } from 'pg';
import { CallerTurns } from './caller-turns.js';

/** One that runs, and one that Postgres lets run as soon as the first one has committed. */
const CONNECTIONS_PER_INSTANCE = 2;

export class ConnectionTurns {
  readonly #pool: Pool;
  readonly #turns: CallerTurns;
  /** Of the instances whose rows are being locked. */
  readonly #instances = new Map<string, CallerTurns>();

  constructor(pool: Pool) {
    this.#pool = pool;
    const { max } = pool.options;
    // Statements of one caller can wait for a lock, up to its time-out: the others need a connection that is free.
    this.#turns = new CallerTurns(max, max - Math.floor(max / 4));
  }

  /**
   * A connection for a statement or transaction of the caller, when it is its turn.
   * @param locks the id of an instance whose row it locks first
   */
  async connect(caller: string, locks?: string): Promise<PoolClient> {
    if (locks === undefined) return this.#connect(caller, () => undefined);
    const instance = this.#instances.get(locks) ?? new CallerTurns(CONNECTIONS_PER_INSTANCE);
    this.#instances.set(locks, instance);
    await instance.take(caller, this.#pool.options.connectionTimeoutMillis);
    return this.#connect(caller, () => {
      instance.pass(caller);
      if (instance.isIdle) this.#instances.delete(locks);
    });
  }

  /** @param onReleased called once, also if there is no connection */
  async #connect(caller: string, onReleased: () => void): Promise<PoolClient> {
    let hasTurn = false;
    const leave = () => {
      if (hasTurn) this.#turns.pass(caller);
      onReleased();
    };
    try {
      await this.#turns.take(caller, this.#pool.options.connectionTimeoutMillis);
      hasTurn = true;
      const client = await this.#pool.connect();
      const { release } = client;
      client.release = (broken) => {
        release(broken);
        leave();
      };
      return client;
    } catch (error) {
      leave();
      throw error;
    }
  }
}
