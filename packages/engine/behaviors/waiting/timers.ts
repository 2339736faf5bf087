/** Fires due timers, earliest first, each with its consequences. */
import { record, type Run } from '../../run.js';
import type { TimerWait } from '../../state/state.js';
import { lastTick, rearm } from './timer-ticks.js';
import { isHalted } from '../lifecycle/halt.js';
import { isMoving, runElements } from '../flow/tokens.js';
import { trigger } from './waits.js';
import { isParallelMultiple } from '../../model/model.js';

/** @param until epoch milliseconds; timers due later do not fire */
export function fireDueTimers(run: Run, until = run.now): void {
  for (
    let due = earliestDue(run, until);
    due && run.budget.allowsMoves && !isMoving(run.state) && !run.exhausted;
    due = earliestDue(run, until)
  ) {
    run.budget.nextUnit();
    fireTick(run, due);
    runElements(run);
  }
}

/** Fires the timer that is due first, if one is, although other things move. */
export function fireEarliestTimer(run: Run, until: number): void {
  const due = earliestDue(run, until);
  if (due) fireTick(run, due);
}

export function hasDueTimer(run: Run, until: number): boolean {
  return earliestDue(run, until) !== undefined;
}

/** Of the ticks of a cycle that fell into a pause, only the last remains. */
export function skipMissedTicks(run: Run): void {
  for (const wait of Object.values(run.state.waits)) {
    // A tick that was fired by hand counts by itself, however long it had to wait.
    if (wait.kind === 'timer' && wait.ahead === undefined) skipTicksOf(run, wait);
  }
}

/** Fires one tick, with its consequences. */
export function fireTick(run: Run, wait: TimerWait): void {
  const element = run.state.elements[wait.element]!;
  record(run, { kind: 'TIMER_FIRED', timer: wait.id });
  if (!isParallelMultiple(run.model.node(wait.node))) rearm(run, element, wait.node, tickOf(wait));
  if (wait.ahead !== undefined) skipTicksAt(run, wait);
  trigger(run, wait);
}

/** Ticks are counted from the due time, not from the moment in which an operator fired one. */
function tickOf({ ahead, due, ...wait }: TimerWait): TimerWait {
  return { ...wait, due: ahead ?? due };
}

/** The next tick of a cycle that was fired by hand in a pause may have been missed in it. */
function skipTicksAt(run: Run, { element, node }: TimerWait): void {
  const waits = Object.values(run.state.waits);
  run.budget.chargeScan(waits.length);
  for (const wait of waits) {
    if (wait.kind === 'timer' && wait.element === element && wait.node === node) skipTicksOf(run, wait);
  }
}

function skipTicksOf(run: Run, wait: TimerWait): void {
  const last = lastTick(wait, run.now);
  if (last) record(run, { kind: 'TICKS_MISSED', timer: wait.id, ...last });
}

function earliestDue(run: Run, until: number): TimerWait | undefined {
  if (run.state.status !== 'RUNNING' || isHalted(run.state)) return undefined;
  const waits = Object.values(run.state.waits);
  run.budget.chargeScan(waits.length);
  let earliest: TimerWait | undefined;
  for (const wait of waits) {
    if (wait.kind === 'timer' && wait.due <= until && (!earliest || wait.due < earliest.due)) earliest = wait;
  }
  return earliest;
}
