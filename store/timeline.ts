/**
 * What operators did to an instance, in the order in which they did it: suspensions, and the commands by which people
 * steer it. Beside these, escalations that nothing caught. Read from the rows that each of these leaves anyway.
 */
import type { CommandBody, CommandKind } from '../engine/commands.js';
import type { FactOf } from '../engine/facts.js';
import { commandKind } from './commands.js';
import { rows, type Queryable } from './database.js';
import { executionKey } from './ids.js';
import type { Page, PageRequest } from './page.js';

/** Commands by which people steer an instance; what drives it (results, messages, called instances) is its history. */
const steering = ['RESOLVE_INCIDENT', 'MODIFY', 'MIGRATE', 'CANCEL_INSTANCE', 'SET_VARIABLES', 'TRIGGER_AD_HOC', 'SET_AD_HOC_VARIABLES'] as const satisfies readonly CommandKind[];

export type TimelineKind = 'SUSPEND' | 'RESUME' | (typeof steering)[number] | 'ESCALATION';

export interface TimelineEntry {
  kind: TimelineKind;
  at: Date;
  /** Who did it; null when an instance did. */
  actor: string | null;
  reason: string | null;
  outcome: 'PENDING' | 'APPLIED' | 'REJECTED';
  /** Why it was rejected; of what was applied: what else it has led to. */
  message: string | null;
  commandID: string | null;
  /** What was suspended or resumed: the instance, its definition, or something above it. */
  scope: 'instance' | 'definition' | 'parent' | null;
  incidentID?: string;
  /** Nodes that it names. */
  nodeIDs?: string[];
  /** Names of the variables it sets. */
  variables?: string[];
  targetVersion?: number;
  escalationCode?: string;
}

interface Row extends Omit<TimelineEntry, 'incidentID' | 'nodeIDs' | 'variables' | 'targetVersion' | 'escalationCode'> {
  body: CommandBody | FactOf<'ESCALATION_THROWN'> | null;
}

/** The instance and those above it, each with the definitions it ran by and when. */
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
    WHERE l.started_definition_id IS NOT NULL AND c.status = 'APPLIED' AND ${commandKind('c.body')} = 'MIGRATE'
  ), ran_by AS (
    SELECT workflow_id, definition_id, since, lead(since) OVER (PARTITION BY workflow_id ORDER BY since) AS until FROM changes_of_definition
  )`;

const entries = `
  SELECT changed_at AS at, 0 AS source, number, CASE WHEN suspended THEN 'SUSPEND' ELSE 'RESUME' END AS kind, actor, reason,
    'APPLIED' AS outcome, NULL AS message, NULL::uuid AS "commandID", scope, NULL::json AS body
  FROM (
    SELECT s.*, CASE WHEN s.workflow_id = $1 THEN 'instance'
        WHEN EXISTS (SELECT 1 FROM ran_by r WHERE r.workflow_id = $1 AND r.definition_id = s.definition_id AND s.changed_at >= r.since AND s.changed_at < coalesce(r.until, 'infinity')) THEN 'definition'
        ELSE 'parent' END AS scope
    FROM suspension_changes s
    WHERE s.number IN (
        SELECT c.number FROM line l JOIN suspension_changes c ON c.workflow_id = l.workflow_id
        UNION
        SELECT c.number FROM ran_by r JOIN suspension_changes c ON c.definition_id = r.definition_id AND c.changed_at >= r.since AND c.changed_at < coalesce(r.until, 'infinity'))
      -- Its own were made while it ran, whatever the clock of its last step says.
      AND (s.workflow_id = $1 OR EXISTS (SELECT 1 FROM line l WHERE l.workflow_id = $1 AND s.changed_at BETWEEN l.created_at AND coalesce(l.completed_at, 'infinity')))) suspensions
  UNION ALL
  SELECT created_at, 1, number, ${commandKind('body')}, actor, reason, status, message, id, NULL, body
  FROM commands WHERE workflow_id = $1 AND ${commandKind('body')} IN (${steering.map((kind) => `'${kind}'`).join(', ')})
  UNION ALL
  SELECT to_timestamp((p.inputs ->> 'now')::float8 / 1000), 2, p.facts_before + f.nth, 'ESCALATION', NULL, NULL, 'APPLIED', NULL, NULL, NULL, f.fact
  FROM parks p CROSS JOIN LATERAL json_array_elements(p.facts) WITH ORDINALITY AS f(fact, nth)
  WHERE p.workflow_id = $1 AND strpos(p.facts::text, '"caught":"NOWHERE"') > 0 AND f.fact::text LIKE '{"kind":"ESCALATION_THROWN"%"caught":"NOWHERE"%'`;

/** One page, chronological. */
export async function listTimeline(database: Queryable, workflowID: string, { page, pageSize }: PageRequest): Promise<Page<TimelineEntry>> {
  const [found, counted] = await Promise.all([
    rows<Row>(
      database,
      `${lineage} SELECT at, kind, actor, reason, outcome, message, "commandID", scope, body FROM (${entries}) entries ORDER BY at, source, number LIMIT $2 OFFSET $3`,
      [workflowID, pageSize, (page - 1) * pageSize],
    ),
    rows<{ total: number }>(database, `${lineage} SELECT count(*)::float8 AS total FROM (${entries}) entries`, [workflowID]),
  ]);
  return { data: found.map((row) => toEntry(workflowID, row)), total: counted[0]!.total };
}

function toEntry(workflowID: string, { body, ...entry }: Row): TimelineEntry {
  return { ...entry, ...(body && detailsOf(workflowID, body)) };
}

function detailsOf(workflowID: string, body: NonNullable<Row['body']>): Partial<TimelineEntry> {
  switch (body.kind) {
    case 'RESOLVE_INCIDENT':
      return { incidentID: executionKey(workflowID, body.incident), ...(body.variables && { variables: Object.keys(body.variables) }) };
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
      return { nodeIDs: [body.node], ...(body.escalationCode !== undefined && { escalationCode: body.escalationCode }) };
    default:
      return {};
  }
}
