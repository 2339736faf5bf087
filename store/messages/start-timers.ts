/**
 * Timers that start instances, for the newest version of each process only. A row states what Temporal should have;
 * `worker/schedules/schedules.ts` applies it, and every tick asks here what to start.
 */
import { outboxAnnouncements } from '../sql/announcements.js';
import { firstRow, rows, type Database, type Transaction } from '../sql/database.js';
import { derivedUUID } from '../sql/ids.js';
import { firstTurn, takeTurnForRows, turnsOfDue, turnTaken } from '../turns/project-turns.js';
import { startInstance } from '../instances/start.js';

/** Identifies a timer: the start event of a definition and the index of its trigger. */
export interface StartTimerAddress {
  projectID: string;
  definitionID: string;
  node: string;
  trigger: number;
}

/** The timers of a deployed version. */
export interface StartTimer {
  node: string;
  trigger: number;
  type: 'date' | 'cycle';
  timer: string;
}

/** A timer to report to Temporal. */
export interface StartTimerToSend extends StartTimerAddress, StartTimer {
  deployedAt: Date;
  wanted: boolean;
  /** Earlier ticks are over. */
  wantedAt: Date;
  revision: number;
}

const columns = `definition_id AS "definitionID", project_id AS "projectID", node_id AS node, trigger, type, timer,
  deployed_at AS "deployedAt", wanted, wanted_at AS "wantedAt", revision`;

/** Sent to Temporal again after this time, then at doubling intervals. */
const nextSending = "now() + greatest(interval '5 seconds', now() - wanted_at)";

const changed = 'wanted_at = now(), revision = revision + 1, send_at = now()';

/** The version's own timers are wanted; those of earlier versions no longer are. */
export async function addStartTimers(
  transaction: Transaction,
  definitionID: string,
  timers: readonly StartTimer[],
): Promise<void> {
  await transaction.query(
    `UPDATE start_timers t SET wanted = false, ${changed}
     FROM definitions d JOIN definitions n ON n.project_id = d.project_id AND n.process_id = d.process_id
     WHERE n.id = $1 AND d.id <> $1 AND t.definition_id = d.id AND t.wanted`,
    [definitionID],
  );
  for (const { node, trigger, type, timer } of timers) {
    await transaction.query(
      `INSERT INTO start_timers (definition_id, node_id, trigger, project_id, type, timer, deployed_at)
       SELECT id, $2, $3, project_id, $4, $5, created_at FROM definitions WHERE id = $1`,
      [definitionID, node, trigger, type, timer],
    );
  }
}

/** The definitions of a resource are deleted with their timers; timers of the versions before them are wanted again. */
export async function withdrawStartTimers(transaction: Transaction, resourceID: string): Promise<void> {
  await transaction.query(
    `UPDATE start_timers t SET wanted = false, ${changed} FROM definitions d WHERE d.resource_id = $1 AND t.definition_id = d.id`,
    [resourceID],
  );
  await transaction.query(
    `UPDATE start_timers t SET wanted = true, ${changed} FROM definitions d
     WHERE t.definition_id = d.id AND NOT t.wanted AND d.resource_id <> $1
       AND EXISTS (SELECT 1 FROM definitions g WHERE g.resource_id = $1 AND g.project_id = d.project_id AND g.process_id = d.process_id AND g.version > d.version)
       AND d.version = (SELECT max(version) FROM definitions n WHERE n.project_id = d.project_id AND n.process_id = d.process_id AND n.resource_id <> $1)`,
    [resourceID],
  );
}

/** The projects are deleted with all their definitions. */
export async function withdrawStartTimersOfProjects(
  transaction: Transaction,
  projectIDs: readonly string[],
): Promise<void> {
  await transaction.query(`UPDATE start_timers SET wanted = false, ${changed} WHERE project_id = ANY ($1::text[])`, [
    projectIDs,
  ]);
}

/**
 * Timers to report to Temporal, an equal share of each of the next projects; reading reserves them for a while.
 * @param limit maximum number
 * @param turn the projects that are next; moves on
 */
export async function startTimersToSend(
  database: Database,
  limit: number,
  turn = firstTurn(),
): Promise<StartTimerToSend[]> {
  const found = await takeTurnForRows<Omit<StartTimerToSend, 'node'> & { node: string | null }>(
    database,
    turn,
    `WITH RECURSIVE ${turnsOfDue({ table: 'start_timers', where: 'send_at IS NOT NULL', time: 'send_at', most: '$1', after: '$2' })}, due AS (
       SELECT t.* FROM turns p CROSS JOIN LATERAL (
         SELECT definition_id, node_id, trigger FROM start_timers WHERE project_id = p.project_id AND send_at IS NOT NULL AND send_at <= now()
         ORDER BY send_at LIMIT p.share FOR UPDATE SKIP LOCKED
       ) t LIMIT $1
     ), taken AS (
       UPDATE start_timers SET send_at = ${nextSending} WHERE (definition_id, node_id, trigger) IN (SELECT * FROM due) RETURNING *
     )
     SELECT turn.*, ${columns} FROM (SELECT ${turnTaken}) turn LEFT JOIN taken ON true`,
    [limit],
  );
  return found.flatMap(({ last: _last, projects: _projects, node, ...timer }) =>
    node === null ? [] : { node, ...timer },
  );
}

/**
 * Temporal agrees with the timer as it was read. A timer that has changed in the meantime is sent again in any case.
 */
export async function markSent(
  database: Database,
  { definitionID, node, trigger, revision }: StartTimerToSend,
): Promise<void> {
  const address = [definitionID, node, trigger, revision];
  const forgotten = await database.query(
    `DELETE FROM start_timers WHERE definition_id = $1 AND node_id = $2 AND trigger = $3 AND revision = $4
       AND NOT wanted AND NOT EXISTS (SELECT 1 FROM definitions WHERE id = $1)`,
    address,
  );
  if (forgotten.rowCount === 1) return;
  await database.query(
    `UPDATE start_timers SET send_at = CASE WHEN revision = $4 THEN NULL ELSE now() END WHERE definition_id = $1 AND node_id = $2 AND trigger = $3`,
    address,
  );
}

/**
 * Wanted timers that were reported to Temporal, in order, to check that their schedules exist.
 * @param after the last one of the previous page
 */
export async function sentStartTimers(
  database: Database,
  after: StartTimerAddress | undefined,
  limit: number,
): Promise<StartTimerToSend[]> {
  return rows<StartTimerToSend>(
    database,
    `SELECT ${columns} FROM start_timers
     WHERE wanted AND send_at IS NULL AND ($1::uuid IS NULL OR (definition_id, node_id, trigger) > ($1, $2, $3))
     ORDER BY definition_id, node_id, trigger LIMIT $4`,
    [after?.definitionID ?? null, after?.node ?? null, after?.trigger ?? null, limit],
  );
}

/**
 * Temporal does not have a schedule that was reported to it, or needs more of its ticks. Those that were handled are over:
 * their instances may have been removed, so that another one would start.
 */
export async function sendAgain(database: Database, { definitionID, node, trigger }: StartTimerAddress): Promise<void> {
  await database.query(
    `UPDATE start_timers SET send_at = now(), wanted_at = greatest(wanted_at, last_tick + interval '1 second')
     WHERE definition_id = $1 AND node_id = $2 AND trigger = $3 AND send_at IS NULL`,
    [definitionID, node, trigger],
  );
}

/** The result of a tick. */
export type TickOutcome = 'started' | 'startedBefore' | 'skipped' | 'notWanted';

/**
 * One tick of a timer: starts one instance, however often it is reported. While the definition is suspended, or the queue
 * of its process is full, it is recorded and starts nothing, then or later.
 * @param tick due time, epoch milliseconds
 */
export async function tickStartTimer(
  database: Database,
  address: StartTimerAddress,
  tick: number,
): Promise<TickOutcome> {
  const outcome = await database.transaction((transaction) => takeTick(transaction, address, new Date(tick)));
  if (outcome === 'started') database.announce(outboxAnnouncements(['starts']));
  return outcome;
}

async function takeTick(transaction: Transaction, address: StartTimerAddress, tick: Date): Promise<TickOutcome> {
  const { projectID, definitionID, node, trigger } = address;
  const timer = await firstRow<{ wanted: boolean; skipped: boolean }>(
    transaction,
    `SELECT wanted, coalesce(last_skipped_tick = $4, false) OR $4 = ANY (skipped_by_hand) AS skipped FROM start_timers
     WHERE definition_id = $1 AND node_id = $2 AND trigger = $3 FOR UPDATE`,
    [definitionID, node, trigger, tick],
  );
  if (!timer?.wanted) {
    await forgetSchedule(transaction, address);
    return 'notWanted';
  }
  if (timer.skipped) return 'skipped';
  const workflowID = derivedUUID(definitionID, node, trigger, tick.getTime());
  if (await firstRow(transaction, 'SELECT 1 FROM instances WHERE workflow_id = $1', [workflowID]))
    return 'startedBefore';
  const started = await startInstance(transaction, {
    projectID,
    definitionID,
    workflowID,
    variables: {},
    startNode: node,
    startTrigger: trigger,
    relayed: true,
  });
  if (started.kind === 'started') {
    await recordTick(transaction, address, tick);
    return 'started';
  }
  await recordTick(transaction, address, tick, ', skipped_ticks = skipped_ticks + 1, last_skipped_tick = $4');
  return 'skipped';
}

async function recordTick(
  transaction: Transaction,
  { definitionID, node, trigger }: StartTimerAddress,
  tick: Date,
  more = '',
): Promise<void> {
  await transaction.query(
    `UPDATE start_timers SET last_tick = greatest(last_tick, $4)${more} WHERE definition_id = $1 AND node_id = $2 AND trigger = $3`,
    [definitionID, node, trigger, tick],
  );
}

/**
 * A tick of a schedule that is not wanted: it was too late to withdraw the schedule, or the rows were restored from a
 * backup.
 */
async function forgetSchedule(
  transaction: Transaction,
  { projectID, definitionID, node, trigger }: StartTimerAddress,
): Promise<void> {
  await transaction.query(
    `INSERT INTO start_timers (definition_id, node_id, trigger, project_id, type, timer, deployed_at, wanted) VALUES ($1, $2, $3, $4, 'cycle', '', now(), false)
     ON CONFLICT (definition_id, node_id, trigger) DO UPDATE SET send_at = now()`,
    [definitionID, node, trigger, projectID],
  );
}

/** The start events of a definition, for display. */
export interface StartTimerView {
  node: string;
  type: 'date' | 'cycle';
  timer: string;
  wanted: boolean;
  skippedTicks: number;
  lastSkippedTick: Date | null;
}

export async function startTimersOfDefinition(database: Database, definitionID: string): Promise<StartTimerView[]> {
  return rows<StartTimerView>(
    database,
    `SELECT node_id AS node, type, timer, wanted, skipped_ticks AS "skippedTicks", last_skipped_tick AS "lastSkippedTick"
     FROM start_timers WHERE definition_id = $1 ORDER BY node_id, trigger`,
    [definitionID],
  );
}
