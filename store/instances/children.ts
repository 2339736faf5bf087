/**
 * Effects of one instance on another: call it, cancel it, report an end to it. All are part of the acting instance's
 * step commit; the outbox relay delivers them.
 */
import type { ChildOutcome, StartInput } from '@perdure/engine/contract/commands.js';
import type { ChildBinding, FactOf } from '@perdure/engine/contract/facts.js';
import type { Variables } from '@perdure/engine/contract/json.js';
import type { TraceContext } from '@perdure/engine/contract/trace-context.js';
import { ordinaryProjectOf } from '../projects/tests.js';
import { dataOfInstance, insertEvents } from '../events/record.js';
import { insertChildEnd, insertInternalCommand } from './commands.js';
import { firstRow, rows, type Transaction } from '../sql/database.js';
import { withholdJobs } from '../work/withheld-jobs.js';
import { lingerAnnouncement } from '../hot-instances/linger-mark.js';
import { followParents } from '../descendants/follow-parents.js';
import type { LockedInstance } from './locks.js';
import { searchSummaryOf } from '../sql/search-summary.js';
import type { InstanceEnd } from '../steps/project.js';

/**
 * Maximum number of running descendants of a root instance. Processes that call themselves several times reach it
 * before they fill the disk.
 */
export const MAX_DESCENDANTS_OF_ROOT = 100_000;

/** Writes the child instances and their starts, or why a call is refused. */
export async function callChildren(
  transaction: Transaction,
  parent: LockedInstance,
  calls: readonly FactOf<'CHILD_CALLED'>[],
  traceContext?: TraceContext,
): Promise<void> {
  let room = await takeRoom(transaction, parent.rootWorkflowID, calls);
  for (const call of calls) {
    if (room <= 0) {
      await refuseCall(
        transaction,
        parent,
        call,
        `${MAX_DESCENDANTS_OF_ROOT} instances are already running below ${parent.rootWorkflowID}, which is the limit, so process ${call.processID} was not started. Check the called processes for recursion.`,
      );
      continue;
    }
    await callChild(transaction, parent, call, traceContext);
    room -= 1;
  }
}

/**
 * Counts only once the calls of the root and below it could have reached the limit. The transaction has locked the root.
 * @returns how many of the calls fit
 */
async function takeRoom(
  transaction: Transaction,
  rootWorkflowID: string,
  calls: readonly FactOf<'CHILD_CALLED'>[],
): Promise<number> {
  const called = await firstRow<{ atMost: number }>(
    transaction,
    'UPDATE instances SET descendants_at_most = descendants_at_most + $2 WHERE workflow_id = $1 RETURNING descendants_at_most AS "atMost"',
    [rootWorkflowID, calls.length],
  );
  // The deletion of a project may have removed the root first.
  if (!called || called.atMost <= MAX_DESCENDANTS_OF_ROOT) return Infinity;
  // The root's own calls are limited by its variables, so large collections are not refused.
  if (calls.every(({ depth }) => depth === 1)) return Infinity;
  // The order keeps Postgres on the index that begins with the running ones.
  const counted = await firstRow<{ running: number }>(
    transaction,
    `WITH descendants AS (
       SELECT count(*)::integer AS running FROM (
         SELECT FROM instances WHERE root_workflow_id = $1 AND parent_workflow_id IS NOT NULL AND completed_at IS NULL
         ORDER BY completed_at DESC NULLS FIRST LIMIT $3
       ) AS counted
     )
     UPDATE instances SET descendants_at_most = running + $2 FROM descendants WHERE workflow_id = $1 RETURNING running`,
    [rootWorkflowID, calls.length, MAX_DESCENDANTS_OF_ROOT],
  );
  return MAX_DESCENDANTS_OF_ROOT - counted!.running;
}

function refuseCall(
  transaction: Transaction,
  parent: LockedInstance,
  call: FactOf<'CHILD_CALLED'>,
  message: string,
): Promise<unknown> {
  return insertInternalCommand(transaction, parent.workflowID, {
    kind: 'END_CHILD',
    execution: call.child,
    outcome: { status: 'REFUSED', message },
  });
}

/**
 * Writes the child instance and its start. If the process does not exist, the parent gets a refusal instead. An
 * instance of a suspended definition is paused before its first step: the call waits until the definition is resumed.
 */
async function callChild(
  transaction: Transaction,
  parent: LockedInstance,
  call: FactOf<'CHILD_CALLED'>,
  traceContext?: TraceContext,
): Promise<void> {
  const definition = await resolveBinding(transaction, parent, call.processID, call.binding);
  if (!definition?.startsByCall) {
    const message = definition
      ? `Process ${call.processID} has no none start event, so only its events can start it`
      : `No process ${call.processID} is deployed in this project${describeBinding(call.binding)}`;
    await refuseCall(transaction, parent, call, message);
    return;
  }
  const { caughtErrors, caughtEscalations, depth } = call;
  const input: Omit<StartInput, 'variables'> = {
    parent: { workflowID: parent.workflowID, wait: call.child },
    caughtErrors,
    caughtEscalations,
    depth,
    ...(traceContext && { traceContext }),
  };
  await transaction.query(
    `WITH child AS (
       INSERT INTO instances (workflow_id, project_id, definition_id, parent_workflow_id, parent_wait, root_workflow_id, depth,
         business_id, started_by, variables, ancestor_definitions, ancestor_suspended, search_summary)
       VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $12, $13, $14)
     ), event AS (
       ${insertEvents({
         from: '(SELECT * FROM definitions WHERE id = $3) d',
         projectID: '$2',
         type: 'instance.started',
         subject: '$1',
         workflowID: '$1',
         processID: 'd.process_id',
         data: `${dataOfInstance({ workflowID: '$1::text', rootWorkflowID: '$6::text', businessID: '$8::text', definition: 'd' })} || jsonb_build_object('status', 'RUNNING', 'actor', $9::text)`,
       })}
     )
     INSERT INTO instance_starts (workflow_id, project_id, input, deliver_at) VALUES ($1, $2, $11, now())`,
    [
      call.workflowID,
      parent.projectID,
      definition.definitionID,
      parent.workflowID,
      call.child,
      parent.rootWorkflowID,
      call.depth,
      parent.businessID,
      parent.startedBy,
      JSON.stringify(call.variables),
      JSON.stringify(input),
      [...parent.ancestorDefinitions, parent.definitionID],
      parent.suspended || parent.ancestorSuspended,
      searchSummaryOf(call.variables),
    ],
  );
}

/** Locks the definition as a start does, so that it cannot be deleted or suspended at the same time. */
async function resolveBinding(
  transaction: Transaction,
  parent: LockedInstance,
  processID: string,
  binding: ChildBinding,
): Promise<{ definitionID: string; startsByCall: boolean } | undefined> {
  return firstRow(
    transaction,
    `SELECT id AS "definitionID", starts_by_call AS "startsByCall" FROM definitions
     WHERE project_id = ANY ($1::text[]) AND process_id = $2
       AND ($3::text IS NULL OR version_tag = $3)
       AND ($4::uuid IS NULL OR CASE WHEN (SELECT deployment_id IS NULL FROM definitions WHERE id = $4)
         THEN resource_id = (SELECT resource_id FROM definitions WHERE id = $4)
         ELSE id = (SELECT b.id FROM deployment_items b JOIN definitions c ON c.deployment_id = b.deployment_id
           WHERE c.id = $4 AND b.kind = 'PROCESS' AND b.key = $2) END)
     ORDER BY version DESC LIMIT 1 FOR SHARE`,
    [
      // In a test, the caller is a definition of the test, or a deployed one that the test has called.
      [ordinaryProjectOf(parent.projectID), ...(binding.kind === 'deployment' ? [parent.projectID] : [])],
      processID,
      binding.kind === 'versionTag' ? binding.versionTag : null,
      binding.kind === 'deployment' ? parent.definitionID : null,
    ],
  );
}

function describeBinding(binding: ChildBinding): string {
  if (binding.kind === 'versionTag') return ` with the version tag ${binding.versionTag}`;
  return binding.kind === 'deployment' ? ' in the same deployment' : '';
}

/**
 * Cancels child instances that their parent no longer waits for. From here on none of them and of their descendants
 * commits a step; commands then cancel them. Their jobs are no longer leased and no results accepted, and those of their
 * descendants as `followParents` says. The transaction has locked the parent.
 */
export async function cancelChildren(
  transaction: Transaction,
  canceled: readonly FactOf<'CHILD_CANCELED'>[],
): Promise<void> {
  const children = await lockRunning(
    transaction,
    canceled.map(({ workflowID }) => workflowID),
  );
  await transaction.query(
    'UPDATE instances SET canceling = true, parent_wait = NULL WHERE workflow_id = ANY($1::text[])',
    [children],
  );
  for (const workflowID of children) {
    await insertInternalCommand(
      transaction,
      workflowID,
      { kind: 'CANCEL_INSTANCE' },
      'The parent instance no longer waits for it',
    );
  }
  await withholdJobs(transaction, children);
  await followParents(transaction, children);
}

/** In the global lock order for instances of one depth, so that two transactions that lock siblings cannot deadlock. */
async function lockRunning(transaction: Transaction, workflowIDs: readonly string[]): Promise<string[]> {
  const locked = await rows<{ workflowID: string }>(
    transaction,
    `SELECT workflow_id AS "workflowID" FROM instances WHERE workflow_id = ANY($1::text[]) AND status = 'RUNNING' ORDER BY workflow_id FOR UPDATE`,
    [workflowIDs],
  );
  return locked.map(({ workflowID }) => workflowID);
}

/** Reports the end of this instance to its parent, if that still waits. The transaction has locked both. */
export async function reportEnd(transaction: Transaction, instance: LockedInstance, end: InstanceEnd): Promise<void> {
  const parent = await waitingParent(transaction, instance);
  if (!parent) return;
  const outcome = await outcomeOf(transaction, instance, end);
  const worker = await insertChildEnd(transaction, parent.workflowID, {
    kind: 'END_CHILD',
    execution: parent.wait,
    outcome,
  });
  if (worker !== undefined) transaction.announce([lingerAnnouncement(worker, parent.workflowID)]);
}

/** Reports escalations to the parent instance, if it still waits, before any end. The transaction has locked both. */
export async function reportEscalations(
  transaction: Transaction,
  instance: LockedInstance,
  escalations: readonly FactOf<'ESCALATION_THROWN'>[],
): Promise<void> {
  const parent = await waitingParent(transaction, instance);
  if (!parent) return;
  for (const { escalationCode, variables } of escalations) {
    await insertInternalCommand(transaction, parent.workflowID, {
      kind: 'ESCALATE_CHILD',
      execution: parent.wait,
      ...(escalationCode !== undefined && { escalationCode }),
      ...(variables && { variables }),
    });
  }
}

async function waitingParent(
  transaction: Transaction,
  { parentWorkflowID, parentWait }: LockedInstance,
): Promise<{ workflowID: string; wait: number } | undefined> {
  if (parentWorkflowID === null || parentWait === null) return undefined;
  const row = await firstRow<{ status: string }>(transaction, 'SELECT status FROM instances WHERE workflow_id = $1', [
    parentWorkflowID,
  ]);
  return row?.status === 'RUNNING' ? { workflowID: parentWorkflowID, wait: parentWait } : undefined;
}

async function outcomeOf(transaction: Transaction, instance: LockedInstance, end: InstanceEnd): Promise<ChildOutcome> {
  if (end.status === 'COMPLETED') {
    const row = await firstRow<{ variables: Variables }>(
      transaction,
      'SELECT variables FROM instances WHERE workflow_id = $1',
      [instance.workflowID],
    );
    return { status: 'COMPLETED', variables: row!.variables };
  }
  if (end.status === 'FAILED' && end.errorCode !== undefined) {
    return {
      status: 'ERROR',
      errorCode: end.errorCode,
      ...(end.reason !== undefined && { message: end.reason }),
      ...(end.variables && { variables: end.variables }),
    };
  }
  return { status: 'CANCELED', ...(end.reason !== undefined && { reason: end.reason }) };
}
