/**
 * Timeline: what people did to an instance in order, that is its start, suspensions, operator commands, and work on user
 * tasks and jobs. A query over the audit log, whose entries are kept as long as the instance. Three sorts of entries have
 * another source, because no request makes them: the start (or the import), uncaught escalations, and the cancel by a parent instance.
 */
import type { CommandBody } from '@perdure/engine/contract/commands.js';
import type { FactOf } from '@perdure/engine/contract/facts.js';
import { commandKind } from './commands.js';
import { rows, type Queryable, type Database } from '../sql/database.js';
import { UNCAUGHT_ESCALATIONS } from '../steps/far-steps.js';
import type { Page, PageRequest } from '../sql/page.js';
import { executionKey } from '../sql/ids.js';
import { atOneMoment, now, stepsNumbered } from '../steps/recorded-steps.js';

/** The operations of the audit log that are actions on an instance. Results of job workers belong to the history. */
const KINDS = {
  SuspendBpmnInstance: 'SUSPEND',
  ResumeBpmnInstance: 'RESUME',
  ResolveBpmnIncident: 'RESOLVE_INCIDENT',
  ModifyBpmnInstance: 'MODIFY',
  MigrateBpmnInstance: 'MIGRATE',
  CancelBpmnInstance: 'CANCEL_INSTANCE',
  UpdateBpmnInstanceVariables: 'SET_VARIABLES',
  TriggerBpmnAdHocNode: 'TRIGGER_AD_HOC',
  SetBpmnAdHocVariables: 'SET_AD_HOC_VARIABLES',
  UpdateBpmnInstanceTimer: 'UPDATE_TIMER',
  FireBpmnInstanceTimer: 'FIRE_TIMER',
  CompleteBpmnUserTask: 'COMPLETE_USER_TASK',
  ThrowBpmnUserTaskError: 'THROW_USER_TASK_ERROR',
  CompleteBpmnExternalJob: 'COMPLETE_JOB',
  CompleteBpmnExternalJobsBatch: 'COMPLETE_JOB',
  ThrowBpmnExternalJobError: 'THROW_JOB_ERROR',
  ThrowBpmnExternalJobErrorsBatch: 'THROW_JOB_ERROR',
  ClaimBpmnUserTask: 'ASSIGN_USER_TASK',
  UnclaimBpmnUserTask: 'ASSIGN_USER_TASK',
  UpdateBpmnUserTaskAssignment: 'ASSIGN_USER_TASK',
  UpdateBpmnExternalJob: 'UPDATE_JOB',
  RedactBpmnVariables: 'REDACT_VARIABLES',
} as const;

export type TimelineKind = (typeof KINDS)[keyof typeof KINDS] | 'START' | 'IMPORT' | 'ESCALATION';

export interface TimelineEntry {
  kind: TimelineKind;
  at: Date;
  /** The actor; null if an instance did it. */
  actor: string | null;
  reason: string | null;
  outcome: 'PENDING' | 'APPLIED' | 'REJECTED';
  /** The reason for a rejection; for an applied command, a further consequence. */
  message: string | null;
  commandID: string | null;
  /** The batch that the command was an item of. */
  batchID: string | null;
  /** The suspended or resumed object: the instance, its definition, or an ancestor. */
  scope: 'instance' | 'definition' | 'parent' | null;
  incidentID?: string;
  /** The user task or job. */
  executionKey?: string;
  /** Nodes that it names. */
  nodeIDs?: string[];
  /** Names of the variables it sets. */
  variables?: string[];
  targetVersion?: number;
  escalationCode?: string;
}

interface Row extends Omit<
  TimelineEntry,
  'incidentID' | 'nodeIDs' | 'variables' | 'targetVersion' | 'escalationCode' | 'executionKey'
> {
  /** The number of the command in the instance. */
  command: number | null;
  /** For an escalation: its step, and its position among the uncaught escalations there. */
  step: number | null;
  nth: number | null;
  /** The user task or job. */
  key: string | null;
  /** Names of variables. */
  names: string[] | null;
}

const listOf = (words: readonly string[]) => words.map((word) => `'${word}'`).join(', ');

/** SQL: whether the entry `a` is an action on an instance that changed it. */
const isAction = (a: string) => `${a}.operation IN (${listOf(Object.keys(KINDS))}) AND ${changesInstances(a)}`;

/** SQL: see `AuditDraft.leavesInstances`. */
const changesInstances = (a: string) => `NOT ${a}.details ? 'leavesInstances'`;

/** SQL: the kind of the entry `a`. */
const kindOf = (a: string) =>
  `CASE ${a}.operation ${Object.entries(KINDS)
    .map(([operation, kind]) => `WHEN '${operation}' THEN '${kind}'`)
    .join(' ')} WHEN 'SuspendBpmnDefinition' THEN 'SUSPEND' WHEN 'ResumeBpmnDefinition' THEN 'RESUME' END`;

/** The instance and its ancestors, each with its definitions over time. */
const lineage = `
  WITH RECURSIVE line AS (
    SELECT workflow_id, parent_workflow_id, definition_id, started_definition_id, created_at, completed_at FROM instances WHERE workflow_id = $1
    UNION ALL
    SELECT i.workflow_id, i.parent_workflow_id, i.definition_id, i.started_definition_id, i.created_at, i.completed_at
    FROM instances i JOIN line l ON i.workflow_id = l.parent_workflow_id
  ), changes_of_definition AS (
    SELECT workflow_id, coalesce(started_definition_id, definition_id) AS definition_id, created_at AS since FROM line
    UNION ALL
    SELECT l.workflow_id, (c.body -> 'target' ->> 'definitionID')::uuid, c.applied_at
    FROM line l JOIN audit_entries m ON m.workflow_id = l.workflow_id AND m.operation = 'MigrateBpmnInstance'
      JOIN commands c ON c.workflow_id = l.workflow_id AND c.number = m.command_number
    WHERE l.started_definition_id IS NOT NULL AND c.status = 'APPLIED'
  ), ran_by AS (
    SELECT workflow_id, definition_id, since, lead(since) OVER (PARTITION BY workflow_id ORDER BY since) AS until FROM changes_of_definition
  )`;

/** Suspensions and resumes of definitions and ancestors while the instance ran. Each has its own index. */
const suspensionsAround = `
  SELECT a.recorded_at AS at, 1 AS source, a.id AS number,
    CASE WHEN EXISTS (SELECT 1 FROM ran_by r WHERE r.workflow_id = $1 AND ${isOfDefinition('a')}) THEN 'definition' ELSE 'parent' END AS scope,
    NULL::integer AS step, NULL::integer AS nth
  FROM audit_entries a
  WHERE a.id IN (
      SELECT b.id FROM line l JOIN audit_entries b ON b.workflow_id = l.workflow_id
      WHERE l.workflow_id <> $1 AND b.operation IN ('SuspendBpmnInstance', 'ResumeBpmnInstance') AND ${changesInstances('b')}
      UNION
      SELECT b.id FROM ran_by r JOIN audit_entries b ON ${isOfDefinition('b')} WHERE ${changesInstances('b')})
    AND EXISTS (SELECT 1 FROM line l WHERE l.workflow_id = $1 AND a.recorded_at BETWEEN l.created_at AND coalesce(l.completed_at, 'infinity'))`;

/** SQL: whether the entry `a` suspends or resumes the definition of the row `r` while it was the definition. */
function isOfDefinition(a: string): string {
  return `${a}.definition_id = r.definition_id::text AND ${a}.operation IN ('SuspendBpmnDefinition', 'ResumeBpmnDefinition')
    AND ${a}.recorded_at >= r.since AND ${a}.recorded_at < coalesce(r.until, 'infinity')`;
}

/** SQL, as in the index `commands_of_parents`: whether a parent instance cancels its child with the command `c`. */
const isByParent = `c.actor IS NULL AND c.audit IS NULL AND ${commandKind('left(c.body::text, 64)')} = 'CANCEL_INSTANCE'`;

/** One page of entries: the last $3 of the first $2. Each source is cut at $2 before the merge. */
const found = `
  SELECT e.at, CASE e.source WHEN -1 THEN CASE WHEN b.imported_at IS NULL THEN 'START' ELSE 'IMPORT' END WHEN 2 THEN 'CANCEL_INSTANCE' WHEN 3 THEN 'ESCALATION' ELSE ${kindOf('a')} END AS kind,
    coalesce(a.actor, b.started_by) AS actor, coalesce(a.details ->> 'reason', c.reason) AS reason,
    coalesce(c.status, a.outcome, 'APPLIED') AS outcome, c.message, c.id AS "commandID", c.number AS command, a.batch_id AS "batchID", e.scope,
    e.step, e.nth, CASE WHEN c.id IS NULL THEN a.execution_key END AS key, CASE WHEN c.id IS NULL THEN a.details -> 'names' END AS names
  FROM (
    SELECT * FROM (
      (${suspensionsAround})
      UNION ALL
      (SELECT a.recorded_at, 0, a.id, CASE WHEN a.operation IN ('SuspendBpmnInstance', 'ResumeBpmnInstance') THEN 'instance' END, NULL, NULL
       FROM audit_entries a WHERE a.workflow_id = $1 AND ${isAction('a')} ORDER BY a.recorded_at, a.id LIMIT $2)
      UNION ALL
      (SELECT c.created_at, 2, c.number, NULL, NULL, NULL FROM commands c WHERE c.workflow_id = $1 AND ${isByParent} LIMIT $2)
      UNION ALL
      (SELECT coalesce(imported_at, created_at), -1, 0, NULL, NULL, NULL FROM instances WHERE workflow_id = $1)
      UNION ALL
      (SELECT to_timestamp(${now} / 1000), 3, p.facts_before + nth, NULL, p.number, nth
       FROM (SELECT step, times FROM far_steps WHERE workflow_id = $1 AND subject = ${UNCAUGHT_ESCALATIONS} ORDER BY step LIMIT $2) f
         JOIN steps p ON p.workflow_id = $1 AND p.number = f.step, generate_series(1, f.times) nth LIMIT $2)
    ) entries ORDER BY source >= 0, at, source, number LIMIT $3 OFFSET $2 - $3
  ) e
    LEFT JOIN audit_entries a ON e.source IN (0, 1) AND a.id = e.number
    LEFT JOIN commands c ON c.workflow_id = $1 AND c.number = CASE e.source WHEN 0 THEN a.command_number WHEN 2 THEN e.number END
    LEFT JOIN instances b ON e.source = -1 AND b.workflow_id = $1
  ORDER BY e.source >= 0, e.at, e.source, e.number`;

const counted = `
  SELECT (SELECT count(*) FROM (${suspensionsAround}) suspensions)::float8
    + (SELECT count(*) FROM audit_entries a WHERE a.workflow_id = $1 AND ${isAction('a')})
    + (SELECT count(*) FROM commands c WHERE c.workflow_id = $1 AND ${isByParent})
    + (SELECT count(*) FROM instances WHERE workflow_id = $1)
    + coalesce((SELECT sum(times) FROM far_steps WHERE workflow_id = $1 AND subject = ${UNCAUGHT_ESCALATIONS}), 0) AS total`;

/** Maximum command bodies in memory at a time, each up to 1 MiB. */
const BODIES_AT_ONCE = 8;

/** One page, chronological. */
export async function listTimeline(
  database: Database,
  workflowID: string,
  { page, pageSize }: PageRequest,
): Promise<Page<TimelineEntry>> {
  return atOneMoment(database, async (moment) => {
    const entries = await rows<Row>(moment, `${lineage} ${found}`, [workflowID, page * pageSize, pageSize]);
    const [count] = await rows<{ total: number }>(moment, `${lineage} ${counted}`, [workflowID]);
    const details = new Map([
      ...(await detailsOfCommands(moment, workflowID, entries)),
      ...(await detailsOfEscalations(moment, workflowID, entries)),
    ]);
    return { data: entries.map((row) => toEntry(row, details.get(row))), total: count!.total };
  });
}

async function detailsOfCommands(
  database: Queryable,
  workflowID: string,
  entries: readonly Row[],
): Promise<[Row, Details][]> {
  const commands = entries.filter(({ command }) => command !== null);
  const details: [Row, Details][] = [];
  for (let first = 0; first < commands.length; first += BODIES_AT_ONCE) {
    const some = new Map(commands.slice(first, first + BODIES_AT_ONCE).map((row) => [row.command!, row]));
    const bodies = await rows<{ number: number; body: CommandBody }>(
      database,
      'SELECT number, body FROM commands WHERE workflow_id = $1 AND number = ANY($2::integer[])',
      [workflowID, [...some.keys()]],
    );
    for (const { number, body } of bodies) details.push([some.get(number)!, detailsOf(workflowID, body)]);
  }
  return details;
}

async function detailsOfEscalations(
  database: Queryable,
  workflowID: string,
  entries: readonly Row[],
): Promise<[Row, Details][]> {
  const escalations = entries.filter(({ step }) => step !== null);
  const details: [Row, Details][] = [];
  for await (const { number, facts } of stepsNumbered(database, workflowID, [
    ...new Set(escalations.map(({ step }) => step!)),
  ])) {
    const uncaught = facts.filter(
      (fact) => fact.kind === 'ESCALATION_THROWN' && fact.caught === 'NOWHERE',
    ) as FactOf<'ESCALATION_THROWN'>[];
    for (const row of escalations)
      if (row.step === number) details.push([row, detailsOf(workflowID, uncaught[row.nth! - 1]!)]);
  }
  return details;
}

type Details = Partial<TimelineEntry>;

function toEntry(
  { command: _command, step: _step, nth: _nth, key, names, ...entry }: Row,
  details: Details = {},
): TimelineEntry {
  return {
    ...entry,
    ...(key !== null && { executionKey: key }),
    ...(names && { variables: names }),
    ...details,
  };
}

function detailsOf(workflowID: string, body: CommandBody | FactOf<'ESCALATION_THROWN'>): Details {
  switch (body.kind) {
    case 'RESOLVE_INCIDENT':
      return {
        incidentID: executionKey(workflowID, body.incident),
        ...(body.variables && { variables: Object.keys(body.variables) }),
      };
    case 'COMPLETE_JOB':
      return {
        executionKey: executionKey(workflowID, body.execution),
        ...(body.result?.activateElements && { nodeIDs: body.result.activateElements.map((each) => each.elementId) }),
        ...(body.variables && { variables: Object.keys(body.variables) }),
      };
    case 'CHANGE_USER_TASK':
      return { executionKey: executionKey(workflowID, body.execution) };
    case 'COMPLETE_USER_TASK':
    case 'THROW_USER_TASK_ERROR':
    case 'THROW_JOB_ERROR':
      return {
        executionKey: executionKey(workflowID, body.execution),
        ...(body.variables && { variables: Object.keys(body.variables) }),
      };
    case 'SET_VARIABLES':
      return { variables: Object.keys(body.variables) };
    case 'SET_AD_HOC_VARIABLES':
      return { nodeIDs: [body.node], variables: Object.keys(body.variables) };
    case 'UPDATE_TIMER':
    case 'FIRE_TIMER':
    case 'FIRE_TIMERS':
      return { nodeIDs: [body.node] };
    case 'TRIGGER_AD_HOC':
      return { nodeIDs: [body.nodeID] };
    case 'MODIFY':
      return { nodeIDs: body.instructions.map(({ nodeID }) => nodeID) };
    case 'MIGRATE':
      return { targetVersion: body.target.version };
    case 'ESCALATION_THROWN':
      return {
        nodeIDs: [body.node],
        ...(body.escalationCode !== undefined && { escalationCode: body.escalationCode }),
      };
    default:
      return {};
  }
}
