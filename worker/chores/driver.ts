/**
 * Runs chores. Each has its own next time, its own handling of failures, and a share of the time. Prompt chores run by
 * themselves. The others share a few lanes, because each needs a connection: the one that has been due for longest is
 * next, so a chore that always has more to do delays no other by more than its share. A chore that failed takes any lane
 * but the last free one, so that hanging chores leave one to the others.
 */
import { setMaxListeners } from 'node:events';
import { setImmediate } from 'node:timers/promises';
import type { Logger } from 'pino';
import { errorMessage } from '@perdure/lib/error-message.js';
import { pause, startLoop, type BackgroundLoop } from '../background-loop.js';
import type { Chore } from './chore.js';

export interface ChoreStatus {
  succeeded(chore: string): void;
  failed(chore: string): void;
}

export interface ChoresOptions {
  chores: readonly Chore[];
  logger: Logger;
  /** Receives the result of each run. */
  status?: ChoreStatus;
  /** Lanes of the chores that are not prompt (default 2). */
  lanes?: number;
}

/** After this time a run makes way for the next chore. */
const SHARE_MS = 5_000;
/** How long an idle lane waits before it looks for due chores again. */
const MAX_IDLE_MS = 1_000;
const FIRST_PAUSE_AFTER_FAILURE_MS = 1_000;
/** The pause doubles with each failure up to these. */
const MAX_PAUSE_AFTER_FAILURE_MS = 60_000;
const MAX_PAUSE_OF_PROMPT_MS = 5_000;

/** A chore and its state in this process. */
interface Entry {
  chore: Chore;
  /** As in `performance.now()`. */
  dueAt: number;
  running: boolean;
  /** Consecutive failures. */
  failures: number;
}

/** Runs until it is stopped; survives failures of the chores. Several processes can run it. */
export function startChores(options: ChoresOptions): BackgroundLoop {
  const { chores, lanes = 2 } = options;
  const entries = chores.map((chore): Entry => {
    return { chore, dueAt: performance.now() + (chore.after ?? 0), running: false, failures: 0 };
  });
  const shared = entries.filter(({ chore }) => !chore.prompt);
  return startLoop(async (stopping) => {
    // Each pause adds a listener, and all chores share the signal.
    setMaxListeners(0, stopping);
    await Promise.all([
      ...entries.filter(({ chore }) => chore.prompt).map((entry) => runAlone(entry, options, stopping)),
      ...Array.from({ length: lanes }, () => runLane(shared, lanes, options, stopping)),
    ]);
  });
}

async function runAlone(entry: Entry, options: ChoresOptions, stopping: AbortSignal): Promise<void> {
  const { chore } = entry;
  while (!stopping.aborted) {
    const left = entry.dueAt - performance.now();
    // After a failure, new work does not shorten the pause.
    if (left > 0) await (chore.wait && entry.failures === 0 ? chore.wait(left, stopping) : pause(left, stopping));
    if (!stopping.aborted) await runOnce(entry, options, stopping);
  }
}

async function runLane(
  entries: readonly Entry[],
  lanes: number,
  options: ChoresOptions,
  stopping: AbortSignal,
): Promise<void> {
  while (!stopping.aborted) {
    const next = nextDue(entries, lanes);
    if (next) await runOnce(next, options, stopping);
    else await pause(idleTime(entries), stopping);
  }
}

function nextDue(entries: readonly Entry[], lanes: number): Entry | undefined {
  const now = performance.now();
  const isLastFree = entries.filter(({ running }) => running).length >= lanes - 1;
  return entries
    .filter(
      ({ running, dueAt, failures }) => !running && dueAt <= now && (failures === 0 || !isLastFree || lanes === 1),
    )
    .toSorted((one, other) => one.dueAt - other.dueAt)[0];
}

function idleTime(entries: readonly Entry[]): number {
  const next = Math.min(...entries.filter(({ running }) => !running).map(({ dueAt }) => dueAt));
  // A chore that failed may be due and wait for a lane.
  return Math.min(MAX_IDLE_MS, Math.max(50, next - performance.now()));
}

async function runOnce(entry: Entry, { logger, status }: ChoresOptions, stopping: AbortSignal): Promise<void> {
  const { chore } = entry;
  entry.running = true;
  try {
    const result = await chore.run({ until: performance.now() + SHARE_MS, stopping });
    entry.failures = 0;
    if (result !== 'busy') status?.succeeded(chore.name);
    entry.dueAt = performance.now() + (result === 'more' ? 0 : chore.every);
  } catch (error) {
    entry.failures += 1;
    entry.dueAt = performance.now() + pauseAfter(entry);
    status?.failed(chore.name);
    logger.warn({ chore: chore.name, error: errorMessage(error) }, 'background chore failed; retrying');
  } finally {
    entry.running = false;
  }
  // Runs that do not wait for anything must not keep the process from its other work.
  await setImmediate();
}

function pauseAfter({ chore, failures }: Entry): number {
  const longest = chore.prompt ? MAX_PAUSE_OF_PROMPT_MS : MAX_PAUSE_AFTER_FAILURE_MS;
  return Math.min(longest, FIRST_PAUSE_AFTER_FAILURE_MS * 2 ** (failures - 1));
}
