/**
 * Delivers announcements: to waiters of this process directly, to other processes by notification.
 *
 * A notification is a separate statement after the commit, because a transaction that notifies holds a server-wide lock
 * during its flush, so such transactions would be serialized. Lost notifications are compensated for by polling.
 */
import type { Announcement } from '../sql/announcements.js';
import type { Queryable } from '../sql/database.js';

/**
 * Wakes waiters of this process.
 * @returns the part that other processes must receive, or undefined if the announcement has found all its waiters
 */
export type Wake = (announcement: Announcement) => Announcement | undefined;

/** The waiters of a process for what its connections to one database announce. */
export class LocalWaiters {
  readonly #all = new Set<Wake>();

  /** @returns a function that ends this */
  add(wake: Wake): () => void {
    this.#all.add(wake);
    return () => this.#all.delete(wake);
  }

  /** @returns what other processes must receive */
  wake(announcements: readonly Announcement[]): Announcement[] {
    return announcements.flatMap((announcement) => {
      let rest: Announcement | undefined = announcement;
      for (const wake of this.#all) rest &&= wake(rest);
      return rest ?? [];
    });
  }
}

const notifyStatement =
  'SELECT pg_notify(channel, payload) FROM unnest($1::text[], $2::text[]) AS sent(channel, payload)';

export class Announcer {
  readonly #connections: Queryable;
  readonly #waiters: LocalWaiters;
  #unsent: Announcement[] = [];
  #isSending = false;

  constructor(connections: Queryable, waiters: LocalWaiters) {
    this.#connections = connections;
    this.#waiters = waiters;
  }

  /** Returns without waiting for the result. Notifications that are due during a statement go with the next one. */
  announce(announcements: readonly Announcement[]): void {
    const notifications = this.#waiters.wake(announcements);
    if (notifications.length === 0) return;
    this.#unsent.push(...notifications);
    if (!this.#isSending) void this.#send();
  }

  async #send(): Promise<void> {
    this.#isSending = true;
    while (this.#unsent.length > 0) {
      const batch = this.#unsent;
      this.#unsent = [];
      const values = [batch.map(({ channel }) => channel), batch.map(({ payload }) => payload)];
      // Listeners also poll, so a notification may be lost.
      await this.#connections.query({ name: 'announce', text: notifyStatement, values }).catch(() => undefined);
    }
    this.#isSending = false;
  }
}
