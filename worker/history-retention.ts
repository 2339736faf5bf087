/** Removes history whose time has come, a bounded amount in each round. */
import { setTimeout as delay } from 'node:timers/promises';
import type { Pool } from 'pg';
import { deleteBehindRemoved, removeEndedInstances, removeOldExecutions, removeOldMigration } from '../store/retention.js';

export interface HistoryRetention {
  store: Pool;
  /** How long history is kept where the project does not say, in milliseconds; undefined keeps it. */
  defaultMilliseconds: number | undefined;
  /** Told how many were removed. */
  onRemoved(kind: HistoryKind, count: number): void;
}

export type HistoryKind = 'instance' | 'decision_execution' | 'migration';

const REMOVERS = [
  ['instance', removeEndedInstances],
  ['decision_execution', removeOldExecutions],
  ['migration', removeOldMigration],
] as const;

/** A round ends after this time, so that the other tasks of the house do not wait. */
const ROUND_MILLISECONDS = 5_000;
/** Between two transactions of a round, for whoever waits for the disk. */
const PAUSE_MILLISECONDS = 20;

/** One round. What it does not get to is for the next one. */
export async function removeOldHistory({ store, defaultMilliseconds, onRemoved }: HistoryRetention, stopping: AbortSignal): Promise<void> {
  const until = performance.now() + ROUND_MILLISECONDS;
  const repeat = async (work: () => Promise<boolean>) => {
    while (!stopping.aborted && performance.now() < until && (await work())) await delay(PAUSE_MILLISECONDS);
  };
  // Removed in an earlier round that was cut off.
  await repeat(() => deleteBehindRemoved(store));
  for (const [kind, remove] of REMOVERS) {
    await repeat(async () => {
      const removed = await remove(store, defaultMilliseconds);
      if (removed > 0) onRemoved(kind, removed);
      await repeat(() => deleteBehindRemoved(store));
      return removed > 0;
    });
  }
}
