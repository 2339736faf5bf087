/** Announcements that something can be read. `Database.announce` makes them. */
import { createHash } from 'node:crypto';
import type { CommandOutcome } from '@perdure/engine/contract/commands.js';

export type Channel =
  | 'perdure_outcome'
  | 'perdure_result'
  | 'perdure_jobs'
  | 'perdure_tasks'
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

/** New jobs of a project for connectors. */
export function tasksAnnouncement(projectID: string, taskType: string): Announcement {
  return { channel: 'perdure_tasks', payload: `${taskType} ${projectID}` };
}

export function readTasksAnnouncement(payload: string): { taskType: string; projectID: string } {
  const [taskType, projectID] = payload.split(' ') as [string, string];
  return { taskType, projectID };
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

/** The work of the outbox relay, by the chore that does it. */
export const outboxSorts = ['matching', 'starts', 'places', 'commands', 'wakes'] as const;
export type OutboxSort = (typeof outboxSorts)[number];

/** Wakes the outbox relay for what no other process sends. Each sort that is not named saves it a query. */
export function outboxAnnouncements(sorts: readonly OutboxSort[] = outboxSorts): Announcement[] {
  return sorts.map((payload) => ({ channel: 'perdure_outbox', payload }));
}
