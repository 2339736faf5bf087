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
import { pause, type Chore } from './chore.js';

/** How a chore does in this process. */
export interface ChoreStatus {
  name: string;
  /** Since the last run that succeeded, or since the start of the process. */
  secondsSinceSuccess: number;
  failures: number;
  /** Failures since the last success. */
  failuresInARow: number;
}

export interface RunningChores {
  status(): readonly ChoreStatus[];
  /** Begins no run. Resolves when the runs in progress, and what they left in progress, have ended. */
  stop(): Promise<void>;
}

export interface ChoresOptions {
  chores: readonly Chore[];
  logger: Logger;
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

/** A chore and its state in this process. Times are as in `performance.now()`. */
interface Entry {
  chore: Chore;
  dueAt: number;
  running: boolean;
  succeededAt: number;
  failures: number;
  failuresInARow: number;
}

/** Runs until it is stopped; survives failures of the chores. Several processes can run it. */
export function startChores(options: ChoresOptions): RunningChores {
  const { lanes = 2 } = options;
  const stopping = new AbortController();
  // Each pause adds a listener, and all chores share the signal.
  setMaxListeners(0, stopping.signal);
  const entries = options.chores.map((chore) => entryOf(chore, performance.now()));
  const shared = entries.filter(({ chore }) => !chore.prompt);
  const running = Promise.all([
    ...entries.filter(({ chore }) => chore.prompt).map((entry) => runAlone(entry, options, stopping.signal)),
    ...Array.from({ length: lanes }, () => runLane(shared, lanes, options, stopping.signal)),
  ]);
  return {
    status: () => entries.map((entry) => statusOf(entry, performance.now())),
    async stop() {
      stopping.abort();
      await running;
      await Promise.all(entries.map(({ chore }) => chore.finish?.()));
    },
  };
}

function entryOf(chore: Chore, now: number): Entry {
  const dueAt = now + (chore.after ?? 0);
  return { chore, dueAt, running: false, succeededAt: now, failures: 0, failuresInARow: 0 };
}

function statusOf({ chore, succeededAt, failures, failuresInARow }: Entry, now: number): ChoreStatus {
  return { name: chore.name, secondsSinceSuccess: (now - succeededAt) / 1000, failures, failuresInARow };
}

async function runAlone(entry: Entry, options: ChoresOptions, stopping: AbortSignal): Promise<void> {
  const { chore } = entry;
  while (!stopping.aborted) {
    const left = entry.dueAt - performance.now();
    // After a failure, new work does not shorten the pause.
    if (left > 0) await (chore.wait && entry.failuresInARow === 0 ? chore.wait(left, stopping) : pause(left, stopping));
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
      ({ running, dueAt, failuresInARow }) =>
        !running && dueAt <= now && (failuresInARow === 0 || !isLastFree || lanes === 1),
    )
    .toSorted((one, other) => one.dueAt - other.dueAt)[0];
}

function idleTime(entries: readonly Entry[]): number {
  const next = Math.min(...entries.filter(({ running }) => !running).map(({ dueAt }) => dueAt));
  // A chore that failed may be due and wait for a lane.
  return Math.min(MAX_IDLE_MS, Math.max(50, next - performance.now()));
}

async function runOnce(entry: Entry, { logger }: ChoresOptions, stopping: AbortSignal): Promise<void> {
  const { chore } = entry;
  entry.running = true;
  try {
    const result = await chore.run({ until: performance.now() + SHARE_MS, stopping });
    entry.failuresInARow = 0;
    if (result !== 'busy') entry.succeededAt = performance.now();
    entry.dueAt = performance.now() + (result === 'more' ? 0 : chore.every);
  } catch (error) {
    entry.failures += 1;
    entry.failuresInARow += 1;
    entry.dueAt = performance.now() + pauseAfter(entry);
    logger.warn({ chore: chore.name, error: errorMessage(error) }, 'background chore failed; retrying');
  } finally {
    entry.running = false;
  }
  // Runs that do not wait for anything must not keep the process from its other work.
  await setImmediate();
}

function pauseAfter({ chore, failuresInARow }: Entry): number {
  // A prompt chore that runs rarely is not run more often because it fails.
  const longest = chore.prompt ? Math.max(MAX_PAUSE_OF_PROMPT_MS, chore.every) : MAX_PAUSE_AFTER_FAILURE_MS;
  return Math.min(longest, FIRST_PAUSE_AFTER_FAILURE_MS * 2 ** (failuresInARow - 1));
}
