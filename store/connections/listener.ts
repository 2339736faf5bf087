/**
 * Receives announcements: those of this process directly, those of others by one listening connection for all waiters.
 *
 * A notification may be lost: a connection breaks, or a process ends between its commit and its announcement. Therefore
 * every awaited thing is also polled every half second (results and events every five), and immediately after a reconnect.
 */
import pg from 'pg';
import type { Announcement, Channel } from '../sql/announcements.js';
import type { ChannelWaits } from './channel-waits.js';
import type { PooledDatabase } from './pooled-database.js';

/** Poll interval for things that nothing announces. */
const TICK_MILLISECONDS = 500;

/** The handling of the announcements of a channel. */
export interface ChannelHandler {
  /** Waiters for its announcements. They are also woken periodically, after a reconnect, and at the end. */
  readonly waits?: ChannelWaits;
  hear(payload: string): void;
  /**
   * Handles an announcement of this process.
   * @returns what all processes must receive from Postgres, this one included (default: everything)
   */
  take?(announcement: Announcement): Announcement | undefined;
  /** Called twice a second, before waiters are woken. */
  tick?(): void;
  /** Called when listening begins, also after it broke off: earlier announcements may be lost. */
  onListening?(): void;
}

/** Called when listening starts and when it breaks off. */
export type OnConnectionChange = (connected: boolean, error?: Error) => void;

export class Listener {
  readonly #databaseUrl: string;
  readonly #onConnectionChange: OnConnectionChange;
  readonly #handlers = new Map<string, ChannelHandler>();
  readonly #leave: () => void;
  #client: pg.Client | undefined;
  #ticking: NodeJS.Timeout | undefined;
  #connecting: Promise<void> | undefined;
  #isClosed = false;

  /** @param database announces what this process waits for; what else it announces is heard directly */
  constructor(database: PooledDatabase, databaseUrl: string, onConnectionChange: OnConnectionChange) {
    this.#databaseUrl = databaseUrl;
    this.#onConnectionChange = onConnectionChange;
    this.#leave = database.waiters.add((announcement) => {
      const handler = this.#handlers.get(announcement.channel);
      return handler?.take ? handler.take(announcement) : announcement;
    });
  }

  /** Listens to a channel from the next connection on. */
  add(channel: Channel, handler: ChannelHandler): void {
    this.#handlers.set(channel, handler);
  }

  /** Listens to a further channel, immediately or from the next connection on. */
  async hear(channel: Channel, hear: (payload: string) => void): Promise<void> {
    this.add(channel, { hear });
    await this.#client?.query(`LISTEN ${channel}`).catch(() => undefined);
  }

  /**
   * Starts listening. Never rejects: without a connection everything is found by polling, and connecting is retried
   * twice a second.
   */
  async listen(): Promise<void> {
    this.#ticking = setInterval(() => this.#tick(), TICK_MILLISECONDS);
    await this.#connect();
  }

  /** Whether nothing is waited for anymore, because the process is ending. */
  get isClosed(): boolean {
    return this.#isClosed;
  }

  /** Stops listening. Remaining waiters get what exists now. */
  async close(): Promise<void> {
    this.#isClosed = true;
    this.#leave();
    clearInterval(this.#ticking);
    await this.#connecting;
    for (const { waits } of this.#handlers.values()) waits?.wakeAll();
    await this.#client?.end();
  }

  #tick(): void {
    if (!this.#client) void this.#connect();
    for (const handler of this.#handlers.values()) {
      handler.tick?.();
      handler.waits?.tick();
    }
  }

  async #connect(): Promise<void> {
    this.#connecting ??= this.#tryToConnect().finally(() => (this.#connecting = undefined));
    await this.#connecting;
  }

  async #tryToConnect(): Promise<void> {
    if (this.#isClosed) return;
    const client = new pg.Client({ connectionString: this.#databaseUrl, keepAlive: true });
    client.on('notification', ({ channel, payload }) => this.#handlers.get(channel)?.hear(payload ?? ''));
    client.on('error', (error) => this.#lost(client, error));
    client.on('end', () => this.#lost(client));
    try {
      await client.connect();
      await client.query([...this.#handlers.keys()].map((channel) => `LISTEN ${channel}`).join('; '));
      this.#client = client;
      this.#onConnectionChange(true);
      for (const handler of this.#handlers.values()) {
        handler.onListening?.();
        handler.waits?.wakeAll();
      }
    } catch (error) {
      await client.end().catch(() => undefined);
      this.#onConnectionChange(false, error as Error);
    }
  }

  #lost(client: pg.Client, error?: Error): void {
    if (this.#client !== client) return;
    this.#client = undefined;
    if (!this.#isClosed) this.#onConnectionChange(false, error);
  }
}
