/**
 * Work queued for a paused instance and applied on resume: deferred commands, due timers, and child instances that are
 * paused before their first step.
 */
import type { CommandBody, CommandKind } from '@perdure/engine/contract/commands.js';
import { heldCommands } from '@perdure/engine/state/element-data.js';
import type { State } from '@perdure/engine/state/state.js';
import { commandExecution, commandKind } from '../instances/commands.js';
import { rows, type Queryable, type Database } from '../sql/database.js';
import type { Instance } from '../instances/instances.js';
import { isPaused } from '../instances/paused.js';
import { stateAt } from '../steps/replay.js';

export type WaitingKind = 'job' | 'userTask' | 'adHoc' | 'message' | 'signal' | 'timer' | 'child' | 'call';

export interface WaitingEvent {
  kind: WaitingKind;
  nodeID?: string | undefined;
  /** For a message or signal. */
  name?: string | undefined;
  since: Date;
}

/** Commands that run during a pause are omitted. */
const kinds: { [K in CommandKind]?: WaitingKind } = {
  COMPLETE_JOB: 'job',
  THROW_JOB_ERROR: 'job',
  COMPLETE_USER_TASK: 'userTask',
  CHANGE_USER_TASK: 'userTask',
  THROW_USER_TASK_ERROR: 'userTask',
  CORRELATE_MESSAGE: 'message',
  DELIVER_SIGNAL: 'signal',
  END_CHILD: 'child',
  ESCALATE_CHILD: 'child',
  TRIGGER_AD_HOC: 'adHoc',
};

/** In order of arrival; empty if the instance is not paused and waits for no paused one. */
export async function listWaiting(database: Database, instance: Instance): Promise<WaitingEvent[]> {
  const { workflowID, status, suspendedAt, definitionSuspended, parentSuspended } = instance;
  if (status !== 'RUNNING') return [];
  const { state } = await stateAt(database, workflowID);
  const calls = await pausedCalls(database, workflowID, state);
  if (suspendedAt === null && !definitionSuspended && !parentSuspended) return calls;
  const waiting = [
    ...(await pendingCommands(database, workflowID, state)),
    ...dueTimers(state, await databaseTime(database)),
    ...calls,
  ];
  return waiting.sort((left, right) => left.since.getTime() - right.since.getTime());
}

/** Without its body, which may be as large as a message: thousands may be queued. */
interface PendingCommand {
  kind: CommandKind;
  execution: number | null;
  adHoc: Extract<CommandBody, { kind: 'TRIGGER_AD_HOC' }> | null;
  since: Date;
}

async function pendingCommands(database: Queryable, workflowID: string, state: State): Promise<WaitingEvent[]> {
  const pending = await rows<PendingCommand>(
    database,
    `SELECT ${commandKind('body')} AS kind, ${commandExecution('body')} AS execution, CASE WHEN ${commandKind('body')} = 'TRIGGER_AD_HOC' THEN body END AS "adHoc",
       created_at AS since
     FROM commands WHERE workflow_id = $1 AND status = 'PENDING' AND ${commandKind('body')} = ANY($2::text[])
       AND number <> ALL($3::integer[]) ORDER BY number`,
    // Those wait for listeners, also when the instance is resumed.
    [workflowID, Object.keys(kinds), heldCommands(state)],
  );
  return pending.map(({ kind, execution, adHoc, since }) => {
    const wait = execution === null ? undefined : state.waits[execution];
    return {
      kind: kinds[kind]!,
      nodeID: adHoc?.node ?? wait?.node,
      name: wait?.kind === 'subscription' ? wait.name : undefined,
      since,
    };
  });
}

function dueTimers(state: State, now: number): WaitingEvent[] {
  return Object.values(state.waits).flatMap((wait) =>
    wait.kind === 'timer' && wait.due <= now ? [{ kind: 'timer', nodeID: wait.node, since: new Date(wait.due) }] : [],
  );
}

async function databaseTime(database: Queryable): Promise<number> {
  const [row] = await rows<{ now: Date }>(database, 'SELECT now() AS now', []);
  return row!.now.getTime();
}

/** Child instances whose definition was suspended when they were called. */
async function pausedCalls(database: Queryable, workflowID: string, state: State): Promise<WaitingEvent[]> {
  const paused = await rows<{ wait: number; since: Date }>(
    database,
    `SELECT i.parent_wait AS wait, i.created_at AS since FROM instances i
     WHERE i.parent_workflow_id = $1 AND i.status = 'RUNNING' AND i.step_count = 0 AND i.parent_wait IS NOT NULL AND ${isPaused('i')}
     ORDER BY i.number`,
    [workflowID],
  );
  return paused.map(({ wait, since }) => ({ kind: 'call', nodeID: state.waits[wait]?.node, since }));
}
