/** The ticks of timers that repeat. */
import { nextID, record, type Run } from '../../run.js';
import type { ElementInstance } from '../../state/state.js';
import { nextTick, parseCron } from '../../time/cron.js';
import { addDuration, LATEST_INSTANT, parseDuration } from '../../time/iso8601.js';

/** `due` in epoch milliseconds; `interval` of a cycle is an ISO 8601 duration or a cron expression. */
export interface TimerPlan {
  due: number;
  interval?: string;
  remaining?: number;
}

/** Starts the next interval of a cycle that has just fired at `fired.due`; does nothing after the last one. */
export function rearm(run: Run, element: ElementInstance, node: string, fired: TimerPlan): void {
  if (fired.interval === undefined || fired.remaining === 1) return;
  const due = dueAfter(fired.due, fired.interval);
  if (due === undefined) return;
  record(run, {
    kind: 'TIMER_STARTED',
    timer: nextID(run),
    element: element.id,
    node,
    due,
    interval: fired.interval,
    ...(fired.remaining !== undefined && { remaining: fired.remaining - 1 }),
  });
}

/** Undefined if no further tick exists. */
export function dueAfter(due: number, interval: string): number | undefined {
  const duration = parseDuration(interval);
  if (duration) {
    const next = addDuration(due, duration);
    return next > LATEST_INSTANT ? undefined : next;
  }
  const cron = parseCron(interval);
  return cron && nextTick(cron, due);
}

/**
 * The rest of a cycle that has missed ticks (in a pause, or before it started): the last tick due by `now`, and the
 * number of firings left including it. Undefined if only its next tick is due.
 */
export function lastTick(
  { due, interval, remaining }: TimerPlan,
  now: number,
): { due: number; remaining?: number } | undefined {
  const next = interval === undefined ? undefined : dueAfter(due, interval);
  if (next === undefined || next > now || remaining === 1) return undefined;
  const duration = parseDuration(interval!);
  // A cron expression can continue from any time and has no count.
  if (!duration) return { due: now };
  const most = (remaining ?? Infinity) - 1;
  let missed = 1;
  let last = next;
  if (duration.months === 0) {
    missed = Math.min(Math.floor((now - due) / duration.milliseconds), most);
    last = due + missed * duration.milliseconds;
  } else {
    for (let later = addDuration(last, duration); later <= now && missed < most; later = addDuration(later, duration)) {
      last = later;
      missed += 1;
    }
  }
  return { due: last, ...(remaining !== undefined && { remaining: remaining - missed }) };
}
