/** Incidents of a project, counted by group: what failed where, whatever the numbers and names in the message. */
import type { ErrorType } from '@perdure/engine/state/state.js';
import { rows, type Queryable } from '../../sql/database.js';
import { offsetOf, type Page, type PageRequest } from '../../sql/page.js';
import { incidentConditions, type IncidentFilter } from './filters.js';

export interface IncidentGroup {
  groupID: string;
  processID: string;
  /** That of the newest version. */
  processName: string | null;
  nodeID: string;
  errorType: ErrorType;
  errorCode: string | null;
  /** With `…` for the parts that can differ. */
  message: string;
  count: number;
  /** Instances with at least one of the incidents. */
  instances: number;
  firstRaisedAt: Date;
  lastRaisedAt: Date;
}

const MAX_GROUPS = 1_000;

/** The largest groups first, at most 1,000. Counts all incidents that match, so it takes as long as reading them. */
export async function listIncidentGroups(
  database: Queryable,
  projectID: string,
  filter: IncidentFilter,
  page: PageRequest,
): Promise<Page<IncidentGroup>> {
  const { text, values } = incidentConditions(projectID, filter);
  const groups = await rows<IncidentGroup>(
    database,
    `WITH groups AS (
       SELECT n.group_id, count(*)::int AS count, count(DISTINCT n.workflow_id)::int AS instances, min(n.raised_at) AS first,
         max(n.raised_at) AS last, min(n.definition_id::text)::uuid AS definition_id, min(n.node_id) AS node_id,
         min(n.error_type) AS error_type, min(n.error_code) AS error_code, min(n.message) AS message
       FROM incidents n ${text} GROUP BY n.group_id ORDER BY count(*) DESC, n.group_id LIMIT ${MAX_GROUPS}
     )
     SELECT g.group_id AS "groupID", d.process_id AS "processID", newest.process_name AS "processName", g.node_id AS "nodeID",
       g.error_type AS "errorType", g.error_code AS "errorCode", incident_text(g.message) AS message, g.count, g.instances,
       g.first AS "firstRaisedAt", g.last AS "lastRaisedAt"
     FROM groups g JOIN definitions d ON d.id = g.definition_id CROSS JOIN LATERAL (
       SELECT process_name FROM definitions v WHERE v.project_id = d.project_id AND v.process_id = d.process_id ORDER BY version DESC LIMIT 1
     ) AS newest
     ORDER BY g.count DESC, g.group_id`,
    values,
  );
  const offset = offsetOf(page);
  return { data: groups.slice(offset, offset + page.pageSize), total: groups.length };
}
