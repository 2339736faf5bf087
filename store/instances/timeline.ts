/**
 * Timeline: what people did to an instance in order, that is its start, suspensions, operator commands, and work on user
 * tasks and jobs, plus uncaught escalations. Read from the rows that each of these writes anyway. Changes of jobs and
 * redactions have their audit entry only, so they are listed as long as it is kept.
 */
import type { CommandBody, CommandKind } from '@perdure/engine/contract/commands.js';
import type { FactOf } from '@perdure/engine/contract/facts.js';
import { commandKind } from './commands.js';
import { rows, type Queryable, type Database } from '../sql/database.js';
import { UNCAUGHT_ESCALATIONS } from '../steps/far-steps.js';
import { executionKey } from '../sql/ids.js';
import type { Page, PageRequest } from '../sql/page.js';
import { atOneMoment, now, stepsNumbered } from '../steps/recorded-steps.js';

/** Operator commands; commands that drive an instance (results, messages, child instances) belong to its history. */
const operatorCommands = [
  'RESOLVE_INCIDENT',
  'MODIFY',
  'MIGRATE',
  'CANCEL_INSTANCE',
  'SET_VARIABLES',
  'TRIGGER_AD_HOC',
  'SET_AD_HOC_VARIABLES',
] as const satisfies readonly CommandKind[];

/** Ends of work that people did. Results of job workers belong to the history. */
type WorkEnd = 'COMPLETE_USER_TASK' | 'THROW_USER_TASK_ERROR' | 'COMPLETE_JOB' | 'THROW_JOB_ERROR';

export type TimelineKind =
  | 'START'
  | 'SUSPEND'
  | 'RESUME'
  | (typeof operatorCommands)[number]
  | WorkEnd
  | 'ASSIGN_USER_TASK'
  | 'UPDATE_JOB'
  | 'REDACT_VARIABLES'
  | 'ESCALATION';

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
  'incidentID' | 'executionKey' | 'nodeIDs' | 'variables' | 'targetVersion' | 'escalationCode'
> {
  /** Of a command, or of the fact. */
  number: number;
  /** For an escalation: its step, and its position among the uncaught escalations there. */
  step: number | null;
  nth: number | null;
  /** The number of the user task that was assigned. */
  userTask: number | null;
  /** The execution key of the job that was changed. */
  job: string | null;
  /** Names of redacted variables. */
  names: string[] | null;
}

/** SQL: whether the command is an operator command, as in the index `commands_of_people`. */
const isOperatorCommand = (c: string) =>
  `${commandKind(`left(${c}.body::text, 64)`)} IN (${operatorCommands.map((kind) => `'${kind}'`).join(', ')})`;

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
    SELECT l.workflow_id, (c.body -> 'target' ->> 'definitionID')::uuid, c.applied_at FROM line l JOIN commands c USING (workflow_id)
    WHERE l.started_definition_id IS NOT NULL AND c.status = 'APPLIED' AND ${isOperatorCommand('c')} AND ${commandKind('c.body')} = 'MIGRATE'
  ), ran_by AS (
    SELECT workflow_id, definition_id, since, lead(since) OVER (PARTITION BY workflow_id ORDER BY since) AS until FROM changes_of_definition
  )`;

/** Suspensions and resumes of the instance, its definitions and its ancestors, without those of starts only. */
const suspensions = `
  SELECT s.changed_at AS at, 0 AS source, s.number, CASE WHEN suspended THEN 'SUSPEND' ELSE 'RESUME' END AS kind,
    CASE WHEN s.workflow_id = $1 THEN 'instance'
      WHEN EXISTS (SELECT 1 FROM ran_by r WHERE r.workflow_id = $1 AND r.definition_id = s.definition_id AND s.changed_at >= r.since AND s.changed_at < coalesce(r.until, 'infinity')) THEN 'definition'
      ELSE 'parent' END AS scope, NULL::integer AS step, NULL::integer AS nth
  FROM suspension_changes s
  WHERE s.number IN (
      SELECT c.number FROM line l JOIN suspension_changes c ON c.workflow_id = l.workflow_id
      UNION
      SELECT c.number FROM ran_by r JOIN suspension_changes c ON c.definition_id = r.definition_id AND c.instances AND c.changed_at >= r.since AND c.changed_at < coalesce(r.until, 'infinity'))
    -- Its own suspensions happened while it ran, regardless of the clock of its last step.
    AND (s.workflow_id = $1 OR EXISTS (SELECT 1 FROM line l WHERE l.workflow_id = $1 AND s.changed_at BETWEEN l.created_at AND coalesce(l.completed_at, 'infinity')))`;

/** Commands that ended user tasks, and jobs without a lease: each has its own index. */
const workEnds = `
  SELECT c.created_at, 1, c.number, NULL, NULL, NULL::integer, NULL::integer
  FROM (
    SELECT ending_command FROM user_tasks WHERE workflow_id = $1 AND ending_command IS NOT NULL
    UNION ALL
    SELECT ending_command FROM jobs WHERE workflow_id = $1 AND ending_command IS NOT NULL AND ended_by_client IS NULL
  ) w JOIN commands c ON c.workflow_id = $1 AND c.number = w.ending_command`;

const auditedOnly =
  "audit_entries a WHERE a.workflow_id = $1 AND a.operation IN ('UpdateBpmnExternalJob', 'RedactBpmnVariables')";

/** One page of entries: the last $3 of the first $2. Each source is cut at $2 before the merge. */
const found = `
  SELECT e.at, e.number::float8 AS number, coalesce(e.kind, ${commandKind('left(c.body::text, 64)')}) AS kind, coalesce(s.actor, c.actor, u.actor, a.actor, b.started_by) AS actor, coalesce(s.reason, c.reason, u.reason, a.details ->> 'reason') AS reason,
    coalesce(c.status, 'APPLIED') AS outcome, c.message, c.id AS "commandID", c.audit ->> 'batchID' AS "batchID", e.scope, e.step, e.nth, u.user_task AS "userTask", a.execution_key AS job, a.details -> 'names' AS names
  FROM (
    SELECT * FROM (
      (${suspensions})
      UNION ALL
      (SELECT c.created_at, 1, c.number, NULL, NULL, NULL, NULL FROM commands c WHERE c.workflow_id = $1 AND ${isOperatorCommand('c')} ORDER BY c.created_at, c.number LIMIT $2)
      UNION ALL
      (${workEnds} ORDER BY c.created_at, c.number LIMIT $2)
      UNION ALL
      (SELECT changed_at, 3, number, 'ASSIGN_USER_TASK', NULL, NULL, NULL FROM user_task_changes WHERE workflow_id = $1 ORDER BY changed_at, number LIMIT $2)
      UNION ALL
      (SELECT a.recorded_at, 4, a.id, CASE a.operation WHEN 'RedactBpmnVariables' THEN 'REDACT_VARIABLES' ELSE 'UPDATE_JOB' END, NULL, NULL, NULL FROM ${auditedOnly} ORDER BY a.recorded_at, a.id LIMIT $2)
      UNION ALL
      (SELECT created_at, -1, 0, 'START', NULL, NULL, NULL FROM instances WHERE workflow_id = $1)
      UNION ALL
      (SELECT to_timestamp(${now} / 1000), 2, p.facts_before + nth, 'ESCALATION', NULL, p.number, nth
       FROM (SELECT step, times FROM far_steps WHERE workflow_id = $1 AND subject = ${UNCAUGHT_ESCALATIONS} ORDER BY step LIMIT $2) f
         JOIN steps p ON p.workflow_id = $1 AND p.number = f.step, generate_series(1, f.times) nth LIMIT $2)
    ) entries ORDER BY source >= 0, at, source, number LIMIT $3 OFFSET $2 - $3
  ) e
    LEFT JOIN suspension_changes s ON e.source = 0 AND s.number = e.number
    LEFT JOIN commands c ON e.source = 1 AND c.workflow_id = $1 AND c.number = e.number
    LEFT JOIN user_task_changes u ON e.source = 3 AND u.number = e.number
    LEFT JOIN audit_entries a ON e.source = 4 AND a.id = e.number
    LEFT JOIN instances b ON e.source = -1 AND b.workflow_id = $1
  ORDER BY e.source >= 0, e.at, e.source, e.number`;

const counted = `
  SELECT (SELECT count(*) FROM (${suspensions}) suspensions)::float8
    + (SELECT count(*) FROM commands c WHERE c.workflow_id = $1 AND ${isOperatorCommand('c')})
    + (SELECT count(*) FROM (${workEnds}) work_ends) + (SELECT count(*) FROM user_task_changes WHERE workflow_id = $1)
    + (SELECT count(*) FROM ${auditedOnly})
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
    return { data: entries.map((row) => toEntry(workflowID, row, details.get(row))), total: count!.total };
  });
}

async function detailsOfCommands(
  database: Queryable,
  workflowID: string,
  entries: readonly Row[],
): Promise<[Row, Details][]> {
  const commands = entries.filter(({ commandID }) => commandID !== null);
  const details: [Row, Details][] = [];
  for (let first = 0; first < commands.length; first += BODIES_AT_ONCE) {
    const some = new Map(commands.slice(first, first + BODIES_AT_ONCE).map((row) => [row.number, row]));
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
  workflowID: string,
  { number: _number, step: _step, nth: _nth, userTask, job, names, ...entry }: Row,
  details: Details = {},
): TimelineEntry {
  const changed = userTask === null ? job : executionKey(workflowID, userTask);
  return {
    ...entry,
    ...details,
    ...(changed !== null && { executionKey: changed }),
    ...(names && { variables: names }),
  };
}

function detailsOf(workflowID: string, body: CommandBody | FactOf<'ESCALATION_THROWN'>): Details {
  switch (body.kind) {
    case 'RESOLVE_INCIDENT':
      return {
        incidentID: executionKey(workflowID, body.incident),
        ...(body.variables && { variables: Object.keys(body.variables) }),
      };
    case 'COMPLETE_USER_TASK':
    case 'THROW_USER_TASK_ERROR':
    case 'COMPLETE_JOB':
    case 'THROW_JOB_ERROR':
      return {
        executionKey: executionKey(workflowID, body.execution),
        ...(body.variables && { variables: Object.keys(body.variables) }),
      };
    case 'SET_VARIABLES':
      return { variables: Object.keys(body.variables) };
    case 'SET_AD_HOC_VARIABLES':
      return { nodeIDs: [body.node], variables: Object.keys(body.variables) };
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
