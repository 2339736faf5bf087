/**
 * Receives announcements: those of this process directly, those of others by one listening connection for all waiters.
 *
 * A notification may be lost: a connection breaks, or a process ends between its commit and its announcement. Therefore
 * every awaited thing is also polled every half second (results and events every five), and immediately after a reconnect. Expired
 * leases and backoffs are found only by polling.
 */
import pg from 'pg';
import type { CommandOutcome } from '@perdure/engine/contract/commands.js';
import {
  jobsKey,
  jobsOfKeyAnnouncement,
  matchesKey,
  pollsAnnouncements,
  readJobsAnnouncement,
  readOutcomeAnnouncement,
  type Announcement,
  type Channel,
} from './sql/announcements.js';
import { readFeed, type Expired, type FeedPart, type FeedRequest } from './events/feed.js';
import { SharedTails } from './events/shared-tail.js';
import { readOutcome } from './instances/commands.js';
import {
  awaitAnnouncement,
  isSettled,
  readResult,
  type InstanceResult,
  type ResultRequest,
} from './instances/result.js';
import { pollJobs, type HandedOutJob, type PollRequest } from './work/job-queue.js';
import { LongestTurns } from './work/longest-turns.js';
import { PollDemand } from './work/poll-demand.js';
import type { PooledDatabase } from './connections/pooled-database.js';
import type { Database } from './sql/database.js';

/** Poll interval for things that nothing announces. */
const LOOK_AGAIN_MILLISECONDS = 500;

/** Many requests may wait for results or events, each for a minute. */
const TICKS_PER_RARE_LOOK = 10;
const LOOKED_AT_RARELY = /^perdure_(?:result|events) /;

/** All waiters would look for the same jobs or match the same channel, so each of them wakes the next. */
const WOKEN_IN_TURN = /^perdure_(?:jobs|matched) /;

const CHANNELS: readonly Channel[] = [
  'perdure_outcome',
  'perdure_result',
  'perdure_jobs',
  'perdure_outbox',
  'perdure_polls',
  'perdure_events',
  'perdure_matched',
];

/** A channel and its payload. */
type Topic = string;

/** A waiter; `woken` resolves once, with true if the announcement is complete. */
interface Waiter {
  topics: readonly Topic[];
  woken: Promise<boolean>;
  wake(saysAll: boolean): void;
}

interface Search<T> {
  topics: readonly Topic[];
  /** By `performance.now()`. */
  deadline: number;
  signal?: AbortSignal | undefined;
  look(): Promise<T | undefined>;
  /** Nothing can exist yet: polling starts with the first announcement. */
  isNew?: boolean;
  /** The result of a complete announcement. */
  announced?: T;
}

export class Notifications {
  readonly #database: PooledDatabase;
  readonly #databaseUrl: string;
  readonly #onConnectionChange: (connected: boolean, error?: Error) => void;
  /** In order of arrival. */
  readonly #waiters = new Map<Topic, Set<Waiter>>();
  #client: pg.Client | undefined;
  #lookAgain: NodeJS.Timeout | undefined;
  #ticks = 0;
  #connecting: Promise<void> | undefined;
  #closed = false;
  /** Listeners of channels that only some processes listen to, by channel. */
  readonly #hearers = new Map<string, (payload: string) => void>();
  /** The outbox was announced while the relay was busy. */
  #outboxAnnouncements = 0;
  /** How many of them each listener has heard. */
  readonly #outboxHeard = new WeakMap<object, number>();

  /** Task types that job workers poll for. */
  readonly demand = new PollDemand();
  readonly #tails: SharedTails;
  readonly #maxTurnDurations = new LongestTurns();
  readonly #leave: () => void;

  private constructor(
    database: PooledDatabase,
    databaseUrl: string,
    onConnectionChange: (connected: boolean, error?: Error) => void,
  ) {
    this.#database = database;
    this.#tails = new SharedTails(database);
    this.#databaseUrl = databaseUrl;
    this.#onConnectionChange = onConnectionChange;
    this.#leave = database.waiters.add((announcement) => this.#take(announcement));
  }

  /**
   * Starts listening. Never rejects: without a connection everything is found by polling, and connecting is retried
   * twice a second.
   * @param database announces what this process waits for; what else it announces is heard directly
   * @param onConnectionChange called when listening starts and when it breaks off
   */
  static async open(
    database: PooledDatabase,
    databaseUrl: string,
    onConnectionChange: (connected: boolean, error?: Error) => void = () => undefined,
  ): Promise<Notifications> {
    const notifications = new Notifications(database, databaseUrl, onConnectionChange);
    notifications.#lookAgain = setInterval(() => notifications.#tick(), LOOK_AGAIN_MILLISECONDS);
    await notifications.#connect();
    return notifications;
  }

  /** Listens to a further channel, immediately or from the next connection on. */
  async hear(channel: Channel, hear: (payload: string) => void): Promise<void> {
    this.#hearers.set(channel, hear);
    await this.#client?.query(`LISTEN ${channel}`).catch(() => undefined);
  }

  /**
   * Waits for the outcome of a command.
   * @param store reads the outcome
   * @param isNew whether the instance has not been signaled yet
   * @param signal ends the waiting
   * @returns undefined if the outcome is unknown after `waitMilliseconds`
   */
  async awaitOutcome(
    store: Database,
    workflowID: string,
    number: number,
    waitMilliseconds: number,
    isNew = false,
    signal?: AbortSignal,
  ): Promise<CommandOutcome | undefined> {
    return this.#lookUntil({
      topics: [`perdure_outcome ${workflowID} ${number}`],
      deadline: performance.now() + waitMilliseconds,
      signal,
      look: () => readOutcome(store, workflowID, number),
      isNew,
      announced: { number, status: 'APPLIED' },
    });
  }

  /**
   * Waits until an instance has ended or has an open incident.
   * @param store reads the result
   * @param isNew whether the instance has not been started yet; its row then says how long its result is awaited
   * @returns the result, or the present state when the time is up; undefined if the project has no such instance
   */
  async awaitResult(
    store: Database,
    request: ResultRequest,
    waitMilliseconds: number,
    signal: AbortSignal,
    isNew = false,
  ): Promise<InstanceResult | undefined> {
    if (!isNew && waitMilliseconds > 0) await awaitAnnouncement(store, request, waitMilliseconds);
    let latest: InstanceResult | undefined;
    const look = async () => {
      latest = await readResult(store, request);
      return latest === undefined || isSettled(latest) ? { latest } : undefined;
    };
    const deadline = performance.now() + waitMilliseconds;
    await this.#lookUntil({ topics: [`perdure_result ${request.workflowID}`], deadline, signal, look, isNew });
    return latest;
  }

  /**
   * Leases jobs, waiting for the first one.
   * @param store leases them
   * @returns an empty list if none arrived in time or `signal` is aborted
   */
  async pollJobs(
    store: Database,
    request: PollRequest,
    waitMilliseconds: number,
    signal?: AbortSignal,
  ): Promise<HandedOutJob[]> {
    const keys = new Map(request.types.map(({ taskType }) => [taskType, jobsKey(request.projectID, taskType)]));
    const topics = [...keys.values()].map((key) => `perdure_jobs ${key}`);
    const deadline = performance.now() + waitMilliseconds;
    const untilLongest = (taskType: string) => this.#maxTurnDurations.untilNext(keys.get(taskType)!);
    let endIdle: (() => void) | undefined;
    const look = async () => {
      endIdle?.();
      endIdle = undefined;
      const taken = await pollJobs(store, request, { prefersHot: prefersHot(), untilLongest });
      for (const { taskType, wasLongest } of taken) this.#maxTurnDurations.count(keys.get(taskType)!, wasLongest);
      if (taken.length > 0) return taken;
      endIdle = this.demand.beginIdle([...keys.values()]);
      return undefined;
    };
    const news = [...keys.values()].filter((key) => !this.demand.isPolledHere(key));
    if (news.length > 0) this.#database.announce(pollsAnnouncements(this.demand.id, news));
    const ends = [...keys.values()].map((key) => this.demand.begin(key));
    const jobs = await this.#lookUntil({ topics, deadline, signal, look }).finally(() => {
      endIdle?.();
      for (const end of ends) end();
    });
    // There may be more jobs, and polling again wakes only one waiter.
    if (jobs) for (const topic of topics) this.#wake(topic, 1);
    return jobs ?? [];
  }

  /**
   * Reads the next part of a feed, waiting for the first event that matches. Announced events are read once for all
   * waiters of a project.
   * @param store reads what is there already
   * @returns a part without events if none came in time; undefined if the project has no feed
   */
  async readEvents(
    store: Database,
    request: FeedRequest,
    waitMilliseconds: number,
    signal: AbortSignal,
  ): Promise<FeedPart | Expired | undefined> {
    let latest: FeedPart | Expired | undefined;
    const deadline = performance.now() + waitMilliseconds;
    const look = async () => {
      if (latest?.kind === 'part') {
        const shared = await this.#tails.read({ ...request, after: latest.next });
        if (shared !== 'unshared') {
          latest = shared;
          return latest?.kind !== 'part' || latest.events.length > 0 ? { latest } : undefined;
        }
      }
      do {
        const after = latest?.kind === 'part' ? latest.next : request.after;
        latest = await readFeed(store, { ...request, after });
        if (latest?.kind !== 'part' || latest.events.length > 0) return { latest };
      } while (latest.hasMore && performance.now() < deadline && !signal.aborted);
      return undefined;
    };
    await this.#lookUntil({ topics: [`perdure_events ${request.projectID}`], deadline, signal, look });
    return latest;
  }

  /**
   * Waits for a match of the channel until `look` finds what it looks for.
   * @returns undefined if it has found nothing after `waitMilliseconds`
   */
  async awaitMatch<T>(
    channel: { projectID: string; channel: string },
    waitMilliseconds: number,
    look: () => Promise<T | undefined>,
    signal?: AbortSignal,
  ): Promise<T | undefined> {
    const topic = `perdure_matched ${matchesKey(channel)}`;
    const deadline = performance.now() + waitMilliseconds;
    // One match can be that of many waiters, who look one after another instead of competing for the channel.
    return this.#lookUntil({ topics: [topic], deadline, signal, look }).finally(() => this.#wake(topic, 1));
  }

  /** Whether nothing is waited for anymore, because the process is ending. */
  get isClosed(): boolean {
    return this.#closed;
  }

  /** Waits until something is announced for the outbox relay, or was since the last wait of this listener. */
  async waitForOutbox(waitMilliseconds: number, signal?: AbortSignal, listener: object = this): Promise<void> {
    const deadline = performance.now() + waitMilliseconds;
    const heard = this.#outboxHeard.get(listener) ?? 0;
    await this.#lookUntil({
      topics: ['perdure_outbox'],
      deadline,
      signal,
      look: async () => this.#outboxAnnouncements > heard || undefined,
    });
    this.#outboxHeard.set(listener, this.#outboxAnnouncements);
  }

  /** Stops listening. Remaining waiters get what exists now. */
  async close(): Promise<void> {
    this.#closed = true;
    this.#leave();
    clearInterval(this.#lookAgain);
    await this.#connecting;
    this.#wakeEverybody();
    await this.#client?.end();
  }

  /** Calls `look` until it finds something: now, on every announcement of the topic, and periodically. */
  async #lookUntil<T>({ topics, deadline, signal, look, isNew = false, announced }: Search<T>): Promise<T | undefined> {
    for (let isFirst = true; ; isFirst = false) {
      // Registered before the first look, so that nothing in between is missed.
      const waiter = this.#enlist(topics);
      try {
        const found = isFirst && isNew ? undefined : await look();
        const left = deadline - performance.now();
        if (found !== undefined || left <= 0 || this.#closed || signal?.aborted) return found;
        const saysAll = await wokenWithin(waiter, left, signal);
        if (saysAll) return announced;
      } finally {
        this.#dismiss(waiter);
      }
    }
  }

  #enlist(topics: readonly Topic[]): Waiter {
    let wake!: (saysAll: boolean) => void;
    const woken = new Promise<boolean>((resolve) => (wake = resolve));
    const waiter = { topics, woken, wake };
    for (const topic of topics) {
      const waiters = this.#waiters.get(topic);
      if (waiters) waiters.add(waiter);
      else this.#waiters.set(topic, new Set([waiter]));
    }
    return waiter;
  }

  #dismiss(waiter: Waiter): void {
    for (const topic of waiter.topics) {
      const waiters = this.#waiters.get(topic);
      if (waiters?.delete(waiter) && waiters.size === 0) this.#waiters.delete(topic);
    }
  }

  /** Wakes the first `count` waiters of the topic. */
  #wake(topic: Topic, count: number, saysAll = false): void {
    for (const waiter of [...(this.#waiters.get(topic) ?? [])].slice(0, count)) {
      this.#dismiss(waiter);
      waiter.wake(saysAll);
    }
  }

  #wakeEverybody(): void {
    for (const topic of this.#waiters.keys()) this.#wake(topic, Infinity);
  }

  #tick(): void {
    if (!this.#client) void this.#connect();
    this.#database.announce(pollsAnnouncements(this.demand.id, this.demand.takeAsked()));
    this.#ticks += 1;
    for (const topic of this.#waiters.keys()) {
      if (LOOKED_AT_RARELY.test(topic) && this.#ticks % TICKS_PER_RARE_LOOK > 0) continue;
      this.#wake(topic, WOKEN_IN_TURN.test(topic) ? 1 : Infinity);
    }
  }

  /**
   * Outcomes have one waiter, and a job one poller, which another process has only if job workers poll there. Everything
   * else may concern other processes too.
   */
  #take(announcement: Announcement): Announcement | undefined {
    const { channel, payload } = announcement;
    if (channel === 'perdure_outcome') {
      if (!this.#waiters.has(`perdure_outcome ${readOutcomeAnnouncement(payload).command}`)) return announcement;
      this.#hear(channel, payload);
      return undefined;
    }
    if (channel !== 'perdure_jobs') return announcement;
    const { key, count } = readJobsAnnouncement(payload);
    const waiting = this.#waiters.get(`perdure_jobs ${key}`)?.size ?? 0;
    if (waiting > 0) this.#hear(channel, payload);
    return waiting < count && this.demand.isPolledElsewhere(key)
      ? jobsOfKeyAnnouncement(key, count - waiting)
      : undefined;
  }

  #hear(channel: string, payload: string): void {
    switch (channel as Channel) {
      case 'perdure_outcome': {
        const { command, isApplied } = readOutcomeAnnouncement(payload);
        return this.#wake(`perdure_outcome ${command}`, Infinity, isApplied);
      }
      case 'perdure_result':
        return this.#wake(`perdure_result ${payload}`, Infinity);
      case 'perdure_events':
        return this.#wake(`perdure_events ${payload}`, Infinity);
      case 'perdure_jobs': {
        const { key, count } = readJobsAnnouncement(payload);
        return this.#wake(`perdure_jobs ${key}`, count);
      }
      case 'perdure_matched':
        return this.#wake(`perdure_matched ${payload}`, 1);
      case 'perdure_outbox':
        this.#outboxAnnouncements += 1;
        return this.#wake('perdure_outbox', Infinity);
      case 'perdure_polls':
        return this.demand.hear(payload);
      default:
        this.#hearers.get(channel)?.(payload);
    }
  }

  async #connect(): Promise<void> {
    this.#connecting ??= this.#tryToConnect().finally(() => (this.#connecting = undefined));
    await this.#connecting;
  }

  async #tryToConnect(): Promise<void> {
    if (this.#closed) return;
    const client = new pg.Client({ connectionString: this.#databaseUrl, keepAlive: true });
    client.on('notification', ({ channel, payload }) => this.#hear(channel, payload ?? ''));
    client.on('error', (error) => this.#lost(client, error));
    client.on('end', () => this.#lost(client));
    try {
      await client.connect();
      await client.query([...CHANNELS, ...this.#hearers.keys()].map((channel) => `LISTEN ${channel}`).join('; '));
      this.#client = client;
      this.#onConnectionChange(true);
      // Anything announced while the connection was down.
      this.#outboxAnnouncements += 1;
      this.#wakeEverybody();
    } catch (error) {
      await client.end().catch(() => undefined);
      this.#onConnectionChange(false, error as Error);
    }
  }

  #lost(client: pg.Client, error?: Error): void {
    if (this.#client !== client) return;
    this.#client = undefined;
    if (!this.#closed) this.#onConnectionChange(false, error);
  }
}

/** One poll in four takes the oldest jobs, so that the backlog shrinks even while many instances linger. */
function prefersHot(): boolean {
  return Math.random() < 0.75;
}

async function wokenWithin(waiter: Waiter, milliseconds: number, signal: AbortSignal | undefined): Promise<boolean> {
  const giveUp = () => waiter.wake(false);
  const timer = setTimeout(giveUp, milliseconds);
  signal?.addEventListener('abort', giveUp, { once: true });
  const saysAll = await waiter.woken;
  clearTimeout(timer);
  signal?.removeEventListener('abort', giveUp);
  return saysAll;
}
