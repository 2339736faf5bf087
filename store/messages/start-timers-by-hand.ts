/** Start timers that an operator skips or runs. Only the timers of the newest version of a process tick. */
import { rows, type Transaction } from '../sql/database.js';
import { refused, type Refusal } from '../sql/refusal.js';

/** A timer start event. */
export interface TimerStartEvent {
  projectID: string;
  definitionID: string;
  node: string;
}

/** The text of a timer, and the time from which it counts. */
export interface TickingTimer {
  type: 'date' | 'cycle';
  timer: string;
  deployedAt: Date;
}

interface Timer extends TickingTimer {
  trigger: number;
  wanted: boolean;
  /** Ticks that start nothing, because an operator has skipped them; ascending. */
  skipped: Date[];
}

/** Further ahead, a skipped tick is more likely a mistake of a script than a decision. */
export const MAX_SKIPPED_AHEAD = 100;

/**
 * Skips the next tick, or the one after those that are skipped already. Of several timers at the event, the earliest tick
 * is meant.
 * @param tickAfter the first tick after an instant, both in epoch milliseconds; undefined if none follows
 * @returns the tick
 */
export async function skipStartTimer(
  transaction: Transaction,
  event: TimerStartEvent,
  tickAfter: (timer: TickingTimer, instant: number) => number | undefined,
): Promise<{ kind: 'skipped'; tick: Date } | Refusal<'NOT_FOUND' | 'CONFLICT'>> {
  const timers = await lockTimers(transaction, event);
  const refusal = refusalOf(timers, event);
  if (refusal) return refusal;
  const now = Date.now();
  const ahead = timers.flatMap(({ skipped }) => skipped).filter((tick) => tick.getTime() > now).length;
  if (ahead >= MAX_SKIPPED_AHEAD)
    return refused(
      'CONFLICT',
      `The next ${ahead} ticks of ${event.node} are skipped already. Wait until one has passed`,
    );
  const [next] = timers
    .map((timer) => ({ timer, tick: tickAfter(timer, Math.max(now, timer.skipped.at(-1)?.getTime() ?? 0)) }))
    .filter((one): one is { timer: Timer; tick: number } => one.tick !== undefined)
    .toSorted((one, other) => one.tick - other.tick || one.timer.trigger - other.timer.trigger);
  if (!next) return refused('CONFLICT', `Start event ${event.node} has no tick left to skip`);
  const tick = new Date(next.tick);
  await transaction.query(
    `UPDATE start_timers SET skipped_by_hand = (array_append(skipped_by_hand, $4::timestamptz))[greatest(1, cardinality(skipped_by_hand) + 2 - ${2 * MAX_SKIPPED_AHEAD}):]
     WHERE definition_id = $1 AND node_id = $2 AND trigger = $3`,
    [event.definitionID, event.node, next.timer.trigger, tick],
  );
  return { kind: 'skipped', tick };
}

/** The trigger whose payload an instance gets that an operator starts at the event. */
export async function triggerToRun(
  transaction: Transaction,
  event: TimerStartEvent,
): Promise<{ kind: 'found'; trigger: number } | Refusal<'NOT_FOUND' | 'CONFLICT'>> {
  const timers = await lockTimers(transaction, event);
  return refusalOf(timers, event) ?? { kind: 'found', trigger: timers[0]!.trigger };
}

/** A tick that is taken at the same time comes entirely before or entirely after this. */
function lockTimers(transaction: Transaction, { projectID, definitionID, node }: TimerStartEvent): Promise<Timer[]> {
  return rows<Timer>(
    transaction,
    `SELECT trigger, type, timer, deployed_at AS "deployedAt", wanted, skipped_by_hand AS skipped FROM start_timers
     WHERE project_id = $1 AND definition_id = $2 AND node_id = $3 ORDER BY trigger FOR UPDATE`,
    [projectID, definitionID, node],
  );
}

function refusalOf(
  timers: readonly Timer[],
  { definitionID, node }: TimerStartEvent,
): Refusal<'NOT_FOUND' | 'CONFLICT'> | undefined {
  if (timers.length === 0) return refused('NOT_FOUND', `Definition ${definitionID} has no start timer at ${node}`);
  if (timers.some(({ wanted }) => wanted)) return undefined;
  return refused(
    'CONFLICT',
    `Definition ${definitionID} is not the newest version of its process, so its timers do not tick`,
  );
}
