/**
 * Announces that something can be read: to waiters of this process directly, to other processes by notification.
 * Announced after the commit. A notification is a separate statement, because a transaction that notifies holds a
 * server-wide lock during its flush, so such transactions would be serialized. Lost notifications are compensated for by
 * polling.
 */
import { createHash } from 'node:crypto';
import type { Pool } from 'pg';
import type { CommandOutcome } from '@perdure/engine/contract/commands.js';
import { sharedPool } from '../turns/connection-turns.js';

export type Channel =
  | 'perdure_outcome'
  | 'perdure_result'
  | 'perdure_jobs'
  | 'perdure_outbox'
  | 'perdure_polls'
  | 'perdure_events'
  | 'perdure_matched'
  | `perdure_linger_${string}`;

export interface Announcement {
  channel: Channel;
  payload: string;
}

/** The key that pollers of one task type listen for; a task type itself may be longer than a payload. */
export function jobsKey(projectID: string, taskType: string): string {
  return createHash('sha256').update(`${projectID}\0${taskType}`).digest('base64url');
}

/**
 * The outcome of a command. A command that was applied, with nothing more to report, needs no reading. A message stays
 * in its row, because every account of the database can listen.
 */
export function outcomeAnnouncement(
  workflowID: string,
  { number, status, code, message, issues }: CommandOutcome,
): Announcement {
  const saysAll = status === 'APPLIED' && code === undefined && message === undefined && issues === undefined;
  return { channel: 'perdure_outcome', payload: `${workflowID} ${number}${saysAll ? APPLIED : ''}` };
}

const APPLIED = ' APPLIED';

/** The end of an instance, or an incident of it or below it. */
export function resultAnnouncement(workflowID: string): Announcement {
  return { channel: 'perdure_result', payload: workflowID };
}

/** New events of a project. */
export function eventsAnnouncement(projectID: string): Announcement {
  return { channel: 'perdure_events', payload: projectID };
}

/** A match of the channel has ended: what waited for it can be matched, or has been. */
export function matchedAnnouncement(channel: { projectID: string; channel: string }): Announcement {
  return { channel: 'perdure_matched', payload: matchesKey(channel) };
}

/** The key that publishers in one channel listen for; the name of a channel may be longer than a payload. */
export function matchesKey({ projectID, channel }: { projectID: string; channel: string }): string {
  return jobsKey(projectID, channel);
}

/** The command of an announced outcome, and whether the announcement is complete. */
export function readOutcomeAnnouncement(payload: string): { command: string; isApplied: boolean } {
  const isApplied = payload.endsWith(APPLIED);
  return { command: isApplied ? payload.slice(0, -APPLIED.length) : payload, isApplied };
}

export function jobsAnnouncement(projectID: string, taskType: string, count: number): Announcement {
  return jobsOfKeyAnnouncement(jobsKey(projectID, taskType), count);
}

export function jobsOfKeyAnnouncement(key: string, count: number): Announcement {
  return { channel: 'perdure_jobs', payload: `${key} ${count}` };
}

export function readJobsAnnouncement(payload: string): { key: string; count: number } {
  const [key, count] = payload.split(' ') as [string, string];
  return { key, count: Number(count) };
}

/** Keys of task types that job workers currently poll for at the process, as many as fit into a payload. */
export function pollsAnnouncements(process: string, keys: readonly string[]): Announcement[] {
  const announcements: Announcement[] = [];
  for (let from = 0; from < keys.length; from += KEYS_PER_PAYLOAD) {
    const payload = [process, ...keys.slice(from, from + KEYS_PER_PAYLOAD)].join(' ');
    announcements.push({ channel: 'perdure_polls', payload });
  }
  return announcements;
}

export function readPollsAnnouncement(payload: string): { process: string; keys: string[] } {
  const [process, ...keys] = payload.split(' ') as [string, ...string[]];
  return { process, keys };
}

/** Postgres limits a payload to 8,000 bytes. */
const KEYS_PER_PAYLOAD = 150;

/** Wakes the outbox relay for a start or a command that no other process sends. */
export const outboxAnnouncement: Announcement = { channel: 'perdure_outbox', payload: '' };

/**
 * Wakes waiters of this process.
 * @returns the part that other processes must receive, or undefined if the announcement has found all its waiters
 */
export type LocalWaiters = (announcement: Announcement) => Announcement | undefined;

/** By the URL of their database. */
const waitersHere = new Map<string, Set<LocalWaiters>>();

/** Lets announcements that are made in this process reach `waiters` directly. @returns a function that ends this */
export function waitHere(databaseUrl: string, waiters: LocalWaiters): () => void {
  const all = waitersHere.get(databaseUrl) ?? new Set();
  waitersHere.set(databaseUrl, all.add(waiters));
  return () => {
    all.delete(waiters);
    if (all.size === 0) waitersHere.delete(databaseUrl);
  };
}

function forOthers(pool: Pool, announcements: readonly Announcement[]): Announcement[] {
  // A transaction that replaces a pool has no options. Its rows are not committed yet, so only its notifications, which
  // Postgres sends at the commit, may say that they can be read.
  const { connectionString = '' } = (pool.options as Pool['options'] | undefined) ?? {};
  const here = waitersHere.get(connectionString) ?? [];
  return announcements.flatMap((announcement) => {
    let rest: Announcement | undefined = announcement;
    for (const waiters of here) rest &&= waiters(rest);
    return rest ?? [];
  });
}

interface Sender {
  waiting: Announcement[];
  sending: boolean;
}

const senders = new WeakMap<Pool, Sender>();

/** Returns without waiting for the result. Notifications that are due during a statement go with the next one. */
export function announce(database: Pool, announcements: readonly Announcement[]): void {
  const pool = sharedPool(database);
  const notifications = forOthers(pool, announcements);
  if (notifications.length === 0) return;
  let sender = senders.get(pool);
  if (!sender) senders.set(pool, (sender = { waiting: [], sending: false }));
  sender.waiting.push(...notifications);
  if (!sender.sending) void send(pool, sender);
}

async function send(pool: Pool, sender: Sender): Promise<void> {
  sender.sending = true;
  while (sender.waiting.length > 0) {
    const batch = sender.waiting;
    sender.waiting = [];
    const values = [batch.map(({ channel }) => channel), batch.map(({ payload }) => payload)];
    const text = 'SELECT pg_notify(channel, payload) FROM unnest($1::text[], $2::text[]) AS sent(channel, payload)';
    // Listeners also poll, so a notification may be lost.
    await pool.query({ name: 'announce', text, values }).catch(() => undefined);
  }
  sender.sending = false;
}
