/**
 * Importing running instances: rows, first step commit, and start of an instance and of all that it calls, in one
 * transaction. The workflow then starts from the rows, as after a restore, so the size of the state is of no concern.
 */
import type { ImportSource } from '@perdure/engine/contract/imported.js';
import type { StepCommit } from '@perdure/engine/contract/step-commit.js';
import { writeEntry, type AuditDraft } from '../audit/entries.js';
import { dataOfInstance, insertEvents } from '../events/record.js';
import { lockWithAncestors } from '../instances/locks.js';
import { admitImported, type ImportRefusal } from '../processes/admission.js';
import { outboxAnnouncements } from '../sql/announcements.js';
import { firstRow, rows, type Database, type Queryable, type Transaction } from '../sql/database.js';
import { refused, transactUnlessRefused, type Refusal } from '../sql/refusal.js';
import { searchSummaryOf } from '../sql/search-summary.js';
import { indexedText, optionalIndexedText } from '../sql/text.js';
import { project, type StepChanges } from '../steps/project.js';
import { writeLocked } from '../steps/step-commit.js';
import { letSuspensionsPass } from '../suspension/earlier-writes.js';
import { noteKeyedTypes } from '../work/limits/limits.js';
import { addImportedComments } from './comments.js';
import { decodeInstance, type InstanceToImport } from './instance.js';

export interface ImportRequest {
  projectID: string;
  root: { workflowID: string; processID: string; businessID: string | undefined; source: ImportSource };
  /** Versions of all instances. */
  definitionIDs: readonly string[];
  /** Encoded, the root first, and callers before what they call. */
  instances: readonly Uint8Array[];
  /** Epoch milliseconds: the time of the first step of all of them. */
  now: number;
  flags: readonly string[];
  importedBy: string;
  /** Writes everything and keeps nothing. */
  dryRun: boolean;
  audit: AuditDraft | undefined;
}

export type ImportOutcome =
  | { kind: 'imported' }
  /** The source has been imported as another instance. */
  | { kind: 'present'; workflowID: string }
  /** That of a called instance has. */
  | { kind: 'calledPresent'; source: ImportSource; workflowID: string }
  | ImportRefusal
  | Refusal<'DEFINITION_SUSPENDED' | 'NOT_FOUND'>;

/** The instance that a source has been imported as. */
export async function findImported(
  database: Queryable,
  projectID: string,
  { system, id }: ImportSource,
): Promise<string | undefined> {
  const found = await firstRow<{ workflowID: string }>(
    database,
    `SELECT workflow_id AS "workflowID" FROM instances WHERE project_id = $1 AND imported_system = $2 AND imported_id = $3`,
    [projectID, indexedText(system), indexedText(id)],
  );
  return found?.workflowID;
}

/** Writes all instances, or none. Of several imports of one source, each waits for the one before. */
export async function writeImport(database: Database, request: ImportRequest): Promise<ImportOutcome> {
  const outcome = await transactUnlessRefused(database, async (transaction) => {
    const written = await writeAll(transaction, request);
    return written.kind === 'imported' && request.dryRun ? refused('BAD_REQUEST', 'only a dry run') : written;
  });
  if (outcome.kind === 'refused' && outcome.code === 'BAD_REQUEST') return { kind: 'imported' };
  if (outcome.kind !== 'refused' || outcome.code !== 'CONFLICT') return outcome as ImportOutcome;
  const { workflowID, system, id } = outcome.details as { workflowID: string; system: string; id: string };
  const { source } = request.root;
  return source.system === system && source.id === id
    ? { kind: 'present', workflowID }
    : { kind: 'calledPresent', source: { system, id }, workflowID };
}

type Written = { kind: 'imported' } | ImportRefusal | Refusal<'CONFLICT' | 'DEFINITION_SUSPENDED' | 'NOT_FOUND'>;

async function writeAll(transaction: Transaction, request: ImportRequest): Promise<Written> {
  const { projectID, root, audit } = request;
  await letSuspensionsPass(transaction);
  const unusable = await refusalByDefinitions(transaction, request);
  if (unusable) return unusable;
  const first = decodeInstance(request.instances[0]!);
  const taken = await writeTree(transaction, request, first);
  if (taken) return taken;
  if (audit)
    await writeEntry(transaction, projectID, {
      ...audit,
      workflowID: root.workflowID,
      definitionID: first.definitionID,
    });
  const refusal = await admitTree(transaction, request, first);
  if (refusal) return refusal;
  transaction.announce(outboxAnnouncements(['starts', 'matching']));
  return { kind: 'imported' };
}

/** Last, because suspensions, starts, and ends of the process wait for these locks, and writing a tree takes seconds. */
async function admitTree(
  transaction: Transaction,
  request: ImportRequest,
  { definitionID, variables }: InstanceToImport,
): Promise<ImportRefusal | Refusal<'DEFINITION_SUSPENDED' | 'NOT_FOUND'> | undefined> {
  const unusable = await refusalByDefinitions(transaction, request, 'FOR SHARE');
  if (unusable) return unusable;
  const { projectID, root, dryRun } = request;
  const { workflowID, processID, businessID } = root;
  const applicant = { projectID, processID, definitionID, workflowID, businessID, variables };
  const admission = await admitImported(transaction, applicant, { dryRun });
  if (admission.kind === 'refused') return admission;
  // A change of the settings has read all instances with the numbers that were given before its own lock.
  await transaction.query('UPDATE instances SET number = DEFAULT, concurrency_group = $2 WHERE workflow_id = $1', [
    workflowID,
    admission.group,
  ]);
  return undefined;
}

/** @param lock locks them as a start does, in one order, so that none is deleted or suspended before the commit */
async function refusalByDefinitions(
  transaction: Transaction,
  { projectID, definitionIDs }: ImportRequest,
  lock: 'FOR SHARE' | '' = '',
): Promise<Refusal<'DEFINITION_SUSPENDED' | 'NOT_FOUND'> | undefined> {
  const ids = [...new Set(definitionIDs)].toSorted();
  const found = await rows<{ id: string; suspended: boolean }>(
    transaction,
    `SELECT id, coalesce(suspended_at, starts_suspended_at) IS NOT NULL AS suspended FROM definitions
     WHERE project_id = $1 AND id = ANY($2::uuid[]) AND deleted_at IS NULL ORDER BY id ${lock}`,
    [projectID, ids],
  );
  const missing = ids.find((id) => !found.some((definition) => definition.id === id));
  if (missing !== undefined) return refused('NOT_FOUND', `This project has no definition ${missing}`);
  const suspended = found.find((definition) => definition.suspended);
  if (!suspended) return undefined;
  return refused('DEFINITION_SUSPENDED', `Definition ${suspended.id} is suspended. Retry after it is resumed.`);
}

/** @returns which source has been imported before */
async function writeTree(
  transaction: Transaction,
  request: ImportRequest,
  root: InstanceToImport,
): Promise<Refusal<'CONFLICT'> | undefined> {
  for (const [index, encoded] of request.instances.entries()) {
    const instance = index === 0 ? root : decodeInstance(encoded);
    if (!(await insertInstance(transaction, request, instance)))
      return refusedAsPresent(transaction, request.projectID, instance);
    await writeFirstStep(transaction, request, instance);
  }
  return undefined;
}

/** In a later statement, which sees what the insertion waited for. */
async function refusedAsPresent(
  transaction: Transaction,
  projectID: string,
  { source }: InstanceToImport,
): Promise<Refusal<'CONFLICT'>> {
  const workflowID = await findImported(transaction, projectID, source);
  return refused('CONFLICT', 'the source has been imported', { ...source, workflowID });
}

async function insertInstance(
  transaction: Transaction,
  { projectID, root, instances, importedBy, now }: ImportRequest,
  { workflowID, definitionID, source, startedBy, createdAt, parent, depth, variables }: InstanceToImport,
): Promise<boolean> {
  const inserted = await firstRow(
    transaction,
    `WITH parent AS MATERIALIZED (
       SELECT ancestor_definitions || definition_id AS definitions FROM instances WHERE workflow_id = $4::text
     ), instance AS (
       INSERT INTO instances (workflow_id, project_id, definition_id, parent_workflow_id, parent_wait, root_workflow_id, depth,
         ancestor_definitions, business_id, started_by, variables, search_summary, created_at,
         imported_system, imported_id, imported_started_by, imported_at, descendants_at_most)
       SELECT $1, $2, $3::uuid, $4::text, $5::integer, $6, $7::integer, coalesce((SELECT definitions FROM parent), '{}'), $8::text, $9::text, $10::json, $11::jsonb,
         coalesce($12::timestamptz, now()), $13::text, $14::text, $15::text, to_timestamp($16::float8 / 1000), $17::integer
       ON CONFLICT (project_id, imported_system, imported_id) WHERE imported_system IS NOT NULL DO NOTHING
       RETURNING workflow_id
     ), event AS (
       ${insertEvents({
         from: 'instance JOIN definitions d ON d.id = $3::uuid',
         projectID: '$2',
         type: 'instance.imported',
         subject: '$1',
         workflowID: '$1',
         processID: 'd.process_id',
         data: `${dataOfInstance({ workflowID: '$1::text', rootWorkflowID: '$6::text', businessID: '$8::text', definition: 'd' })} || jsonb_build_object('status', 'RUNNING', 'actor', $9::text, 'importedFrom', jsonb_build_object('system', $13::text, 'id', $14::text))`,
       })}
     )
     SELECT workflow_id FROM instance`,
    [
      workflowID,
      projectID,
      definitionID,
      parent?.workflowID ?? null,
      parent?.wait ?? null,
      root.workflowID,
      depth,
      optionalIndexedText(root.businessID),
      indexedText(importedBy),
      JSON.stringify(variables),
      searchSummaryOf(variables),
      createdAt ?? null,
      indexedText(source.system),
      indexedText(source.id),
      optionalIndexedText(startedBy),
      now,
      parent ? 0 : instances.length - 1,
    ],
  );
  return inserted !== undefined;
}

/** The start comes last, because the first step of an instance ends the start of any other. */
async function writeFirstStep(
  transaction: Transaction,
  request: ImportRequest,
  instance: InstanceToImport,
): Promise<void> {
  const { workflowID, fact, activeNodes, incidentScopes: scopes, comments } = instance;
  const locked = (await lockWithAncestors(transaction, workflowID))!;
  const commit: StepCommit = {
    workflowID,
    number: 1,
    inputs: {
      now: request.now,
      lastCommand: 0,
      ...(request.flags.length > 0 && { flags: request.flags }),
      imported: true,
    },
    facts: [fact],
    outcomes: [],
    activeNodes,
    ...(scopes && { incidentScopes: scopes }),
  };
  const changes = project(commit.facts);
  await noteKeyed(transaction, workflowID, changes);
  await writeLocked(transaction, commit, changes, locked.instance, locked.ancestors);
  await setTaskTimes(transaction, instance);
  await addImportedComments(transaction, workflowID, comments);
  await transaction.query(
    `INSERT INTO instance_starts (workflow_id, project_id, input, deliver_at) VALUES ($1, $2, '{"imported": true}', now())`,
    [workflowID, request.projectID],
  );
}

/** As a step commit does. */
async function noteKeyed(transaction: Transaction, workflowID: string, { jobsCreated }: StepChanges): Promise<void> {
  const keyed = [...jobsCreated.values()].filter(({ limitKey }) => limitKey !== undefined);
  if (keyed.length === 0) return;
  await noteKeyedTypes(
    transaction,
    workflowID,
    keyed.map(({ taskType }) => taskType),
  );
}

/** Tasks that were created before the import. */
async function setTaskTimes(
  transaction: Transaction,
  { workflowID, taskTimes: older }: InstanceToImport,
): Promise<void> {
  if (older.length === 0) return;
  await transaction.query(
    `UPDATE user_tasks t SET created_at = o.created_at FROM unnest($2::integer[], $3::timestamptz[]) AS o(number, created_at)
     WHERE t.workflow_id = $1 AND t.number = o.number`,
    [workflowID, older.map(({ number }) => number), older.map(({ createdAt }) => createdAt)],
  );
}
