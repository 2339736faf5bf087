/** Changes of timers by hand. Each names one tick, so a repeated request cannot fire a cycle twice. */
import { startAt } from '../behaviors/waiting/timer-ticks.js';
import { fireTick } from '../behaviors/waiting/timers.js';
import { isHalted } from '../behaviors/lifecycle/halt.js';
import { openWait, record, type Run } from '../run.js';
import type { TimerWait } from '../state/state.js';
import { APPLIED, rejected, type Handler, type Verdict } from './handler.js';

/** Later ticks of a cycle are counted from the new due time. */
export const updateTimer: Handler<'UPDATE_TIMER'> = (run, { timer, due }) =>
  withTick(run, timer, ({ calendar }) => {
    const from = Math.max(due, run.now);
    record(run, { kind: 'TIMER_CHANGED', timer, due: from, ...(calendar && { calendar: startAt(from, calendar) }) });
  });

/** The next tick of a cycle is an interval after the due time of this one. */
export const fireTimer: Handler<'FIRE_TIMER'> = (run, { timer }) =>
  withTick(run, timer, (wait) => {
    makeDue(run, wait);
    // Otherwise it fires when the instance is resumed or released.
    if (!run.paused && !isHalted(run.state)) fireTick(run, openWait(run, 'timer', timer)!);
  });

/**
 * Makes the timers that are open now due. They fire after the command, as due timers do, as far as the budget of each step
 * allows. Timers that one of them starts are not fired.
 */
export const fireTimers: Handler<'FIRE_TIMERS'> = (run, { node }) => {
  const open = openTicks(run, node);
  if (open.length === 0) return rejected('NOT_FOUND', `Node ${node} has no open timer`);
  for (const wait of open) makeDue(run, wait);
  return APPLIED;
};

function openTicks(run: Run, node: string): TimerWait[] {
  const waits = Object.values(run.state.waits);
  run.budget.chargeScan(waits.length);
  return waits.filter(
    (wait): wait is TimerWait => wait.kind === 'timer' && wait.node === node && wait.ahead === undefined,
  );
}

function makeDue(run: Run, { id, due }: TimerWait): void {
  record(run, { kind: 'TIMER_CHANGED', timer: id, due: run.now, ahead: due });
}

function withTick(run: Run, timer: number, change: (wait: TimerWait) => void): Verdict {
  const wait = openWait(run, 'timer', timer);
  if (wait === undefined) return rejected('CONFLICT', `Timer ${timer} has fired or was canceled`);
  if (wait.ahead !== undefined)
    return rejected('CONFLICT', `Timer ${timer} has been fired by hand, and takes effect when the instance continues`);
  change(wait);
  return APPLIED;
}
