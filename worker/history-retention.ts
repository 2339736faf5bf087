/** Removes history after its retention, a bounded amount per round. */
import { setTimeout as delay } from 'node:timers/promises';
import type { Pool } from 'pg';
import { removeOldEntries } from '../store/audit/retention.js';
import { removeOldEvents } from '../store/events/feed.js';
import {
  deleteBehindRemoved,
  removeEndedInstances,
  removeOldBatch,
  removeOldExecutions,
  removeOldMigration,
} from '../store/retention/retention.js';

export interface HistoryRetention {
  store: Pool;
  /** How long history is kept in projects without a setting, in milliseconds; undefined keeps it indefinitely. */
  defaultMilliseconds: number | undefined;
  /** The same for audit entries. */
  defaultAuditMilliseconds?: number | undefined;
  /** Receives the number of removed items. */
  onRemoved(kind: HistoryKind, count: number): void;
}

export type HistoryKind = 'instance' | 'decision_execution' | 'migration' | 'batch' | 'audit_entry' | 'event';

const REMOVERS = [
  ['instance', removeEndedInstances],
  ['decision_execution', removeOldExecutions],
  ['migration', removeOldMigration],
  ['batch', removeOldBatch],
] as const;

/** A round ends after this time, so that the other cleanup tasks do not wait. */
const ROUND_MILLISECONDS = 5_000;
/** Between two transactions of a round, to leave disk bandwidth to others. */
const PAUSE_MILLISECONDS = 20;

/** One round. The next round continues where it ends. */
export async function removeOldHistory(
  { store, defaultMilliseconds, defaultAuditMilliseconds, onRemoved }: HistoryRetention,
  stopping: AbortSignal,
): Promise<void> {
  const until = performance.now() + ROUND_MILLISECONDS;
  const repeat = async (work: () => Promise<boolean>) => {
    while (!stopping.aborted && performance.now() < until && (await work())) await delay(PAUSE_MILLISECONDS);
  };
  // Leftovers of an earlier round that was interrupted.
  await repeat(() => deleteBehindRemoved(store));
  for (const [kind, remove] of REMOVERS) {
    await repeat(async () => {
      const removed = await remove(store, defaultMilliseconds);
      if (removed > 0) onRemoved(kind, removed);
      await repeat(() => deleteBehindRemoved(store));
      return removed > 0;
    });
  }
  await repeat(async () => {
    const removed = await removeOldEntries(store, defaultAuditMilliseconds);
    if (removed > 0) onRemoved('audit_entry', removed);
    return removed > 0;
  });
  await repeat(async () => {
    const removed = await removeOldEvents(store);
    if (removed > 0) onRemoved('event', removed);
    return removed > 0;
  });
}
