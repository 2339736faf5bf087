/** The instances that a check of an upgrade takes: every version gets an equal share, its newest instances first. */
import { rows, type Queryable } from '../../../store/sql/database.js';

export interface SampledInstance {
  workflowID: string;
  projectID: string;
  /** The version that it runs, or ended with. */
  processID: string;
  version: number;
  /** Content address of the graph that it started with. */
  startedGraph: string;
}

export interface Version {
  definitionID: string;
  processID: string;
  version: number;
}

/** Versions with instances that run, or ended since then. */
export async function sampledVersions(database: Queryable, since: Date): Promise<Version[]> {
  return rows<Version>(
    database,
    `SELECT d.id AS "definitionID", d.process_id AS "processID", d.version FROM definitions d
     WHERE EXISTS (SELECT FROM instances i WHERE i.definition_id = d.id AND (i.status = 'RUNNING' OR i.completed_at >= $1))
     ORDER BY d.process_id, d.version, d.id`,
    [since],
  );
}

/** At most `most` instances: all versions in turns, so that one with few leaves its share to the others. */
export async function sampleOf(
  database: Queryable,
  versions: readonly Version[],
  most: number,
  since: Date,
): Promise<SampledInstance[]> {
  const chosen: SampledInstance[] = [];
  let left = [...versions].map((version) => ({ version, taken: 0 }));
  while (left.length > 0 && chosen.length < most) {
    const share = Math.max(1, Math.floor((most - chosen.length) / left.length));
    const next: typeof left = [];
    for (const { version, taken } of left) {
      const count = Math.min(share, most - chosen.length);
      const found = count === 0 ? [] : await instancesOf(database, version, taken, count, since);
      chosen.push(...found);
      if (found.length === count && count > 0) next.push({ version, taken: taken + count });
    }
    left = next;
  }
  return chosen;
}

/** Running ones first. */
function instancesOf(
  database: Queryable,
  { definitionID, processID, version }: Version,
  after: number,
  count: number,
  since: Date,
): Promise<SampledInstance[]> {
  return rows<SampledInstance>(
    database,
    `SELECT i.workflow_id AS "workflowID", i.project_id AS "projectID", $5::text AS "processID", $6::integer AS version,
       d.graph_sha256 AS "startedGraph"
     FROM (
       SELECT workflow_id, project_id, started_definition_id, definition_id, number, status FROM instances
       WHERE definition_id = $1 AND step_count > 0 AND (status = 'RUNNING' OR completed_at >= $2)
       ORDER BY (status = 'RUNNING') DESC, number DESC OFFSET $3 LIMIT $4
     ) i JOIN definitions d ON d.id = coalesce(i.started_definition_id, i.definition_id)
     ORDER BY (i.status = 'RUNNING') DESC, i.number DESC`,
    [definitionID, since, after, count, processID, version],
  );
}
