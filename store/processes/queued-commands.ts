/**
 * Commands to a queued instance. It has no workflow that could handle them, so they change how it starts, and have their
 * outcome at once. Its first step takes them as handled.
 */
import type { CommandBody, StartInput } from '@perdure/engine/contract/commands.js';
import type { Variables } from '@perdure/engine/contract/json.js';
import { migrateQueued, setQueuedVariables, type Changed } from '@perdure/engine/queued-start.js';
import { insertEvents, dataOfInstance } from '../events/record.js';
import { firstRow, type Queryable, type Transaction } from '../sql/database.js';
import { searchSummaryOf } from '../sql/search-summary.js';
import { loadGraph } from '../steps/graphs.js';

/** Kinds of commands that work on a queued instance. It is canceled as any instance without a workflow. */
export type QueuedCommand = Extract<CommandBody, { kind: 'SET_VARIABLES' | 'MIGRATE' }>;

export function worksOnQueued(body: CommandBody): body is QueuedCommand {
  return body.kind === 'SET_VARIABLES' || body.kind === 'MIGRATE';
}

/** A queued instance, and how it starts. */
export interface QueuedInstance {
  workflowID: string;
  graphSha256: string;
  start: StartInput;
}

/** Undefined if the instance is not queued, or is being canceled. */
export function findQueued(database: Queryable, instance: InstanceAddress): Promise<QueuedInstance | undefined> {
  return readQueued(database, instance, '');
}

/** Like `findQueued`. Until the end of the transaction, the instance does not begin. */
export function lockQueued(transaction: Transaction, instance: InstanceAddress): Promise<QueuedInstance | undefined> {
  return readQueued(transaction, instance, 'FOR UPDATE OF i, s');
}

interface InstanceAddress {
  projectID: string;
  workflowID: string;
}

async function readQueued(
  database: Queryable,
  { projectID, workflowID }: InstanceAddress,
  lock: string,
): Promise<QueuedInstance | undefined> {
  const found = await firstRow<{ graphSha256: string; variables: Variables; input: Omit<StartInput, 'variables'> }>(
    database,
    `SELECT d.graph_sha256 AS "graphSha256", i.variables, s.input
     FROM instances i JOIN instance_starts s USING (workflow_id) JOIN definitions d ON d.id = i.definition_id
     WHERE i.workflow_id = $1 AND i.project_id = $2 AND i.status = 'RUNNING' AND i.queued AND NOT i.canceling ${lock}`,
    [workflowID, projectID],
  );
  return found && { workflowID, graphSha256: found.graphSha256, start: { ...found.input, variables: found.variables } };
}

/** Carries out a command that has been written. The transaction has locked the instance. */
export async function carryOut(
  transaction: Transaction,
  { workflowID, graphSha256, start }: QueuedInstance,
  number: number,
  body: QueuedCommand,
): Promise<void> {
  const changed = await change(transaction, { graphSha256, start }, body);
  if ('start' in changed) {
    await writeStart(transaction, workflowID, changed.start);
    if (body.kind === 'MIGRATE') await writeVersion(transaction, workflowID, body.target.definitionID, number);
  }
  const { status, code, message, issues } = 'rejected' in changed ? changed.rejected : APPLIED;
  await transaction.query(
    `UPDATE commands SET status = $3, code = $4, message = $5, issues = $6::json, applied_at = now(), deliver_at = 'infinity'
     WHERE workflow_id = $1 AND number = $2`,
    [workflowID, number, status, code ?? null, message ?? null, issues ? JSON.stringify(issues) : null],
  );
  await transaction.query('UPDATE instances SET received_commands = $2 WHERE workflow_id = $1', [workflowID, number]);
}

const APPLIED = { status: 'APPLIED' as const, code: undefined, message: undefined, issues: undefined };

async function change(
  transaction: Transaction,
  { graphSha256, start }: Pick<QueuedInstance, 'graphSha256' | 'start'>,
  body: QueuedCommand,
): Promise<Changed> {
  const graph = await loadGraph(transaction, graphSha256);
  if (body.kind === 'SET_VARIABLES') return setQueuedVariables(graph!, start, body);
  const target = await loadGraph(transaction, body.target.graphSha256);
  return migrateQueued(graph!, target!, start, body, Date.now());
}

async function writeStart(transaction: Transaction, workflowID: string, start: StartInput): Promise<void> {
  const { variables, ...input } = start;
  await transaction.query(
    `WITH start AS (UPDATE instance_starts SET input = $3::json WHERE workflow_id = $1)
     UPDATE instances SET variables = $2::json, search_summary = $4::jsonb, captured_at = now() WHERE workflow_id = $1`,
    [workflowID, JSON.stringify(variables), JSON.stringify(input), searchSummaryOf(variables)],
  );
}

/** It starts with the version, so it is not one that was migrated on its way. A version that is not paused may let it begin. */
async function writeVersion(
  transaction: Transaction,
  workflowID: string,
  definitionID: string,
  number: number,
): Promise<void> {
  await transaction.query(
    `WITH place AS (
       UPDATE concurrency_groups SET due_at = coalesce(due_at, now()) WHERE id = (SELECT queue_group FROM instance_starts WHERE workflow_id = $1)
     ), event AS (
       ${insertEvents({
         from: '(SELECT i.*, c.actor, c.reason FROM instances i JOIN commands c USING (workflow_id) WHERE i.workflow_id = $1 AND c.number = $3) i CROSS JOIN (SELECT * FROM definitions WHERE id = $2) d',
         projectID: 'i.project_id',
         type: 'instance.migrated',
         subject: '$1',
         workflowID: '$1',
         processID: 'd.process_id',
         data: `${dataOfInstance({ workflowID: 'i.workflow_id', rootWorkflowID: 'i.workflow_id', businessID: 'i.business_id', definition: 'd' })} || jsonb_build_object('status', 'RUNNING', 'actor', i.actor, 'reason', i.reason)`,
       })}
     )
     UPDATE instances SET definition_id = $2 WHERE workflow_id = $1`,
    [workflowID, definitionID, number],
  );
}
