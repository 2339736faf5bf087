/**
 * How long audit entries are kept: as long as the project says, at least as long as the host says, and as long as a timeline
 * has them. An entry that names an instance stays until the instance is removed, and one that suspends or resumes a
 * definition as long as the definition. A shorter setting is for entries recorded from then on (`audit_logs`).
 */
import { firstRow, type Queryable } from '../sql/database.js';
import type { Database } from '../sql/database.js';

const MAX_READ = 1_000;

/**
 * Where the next call continues: with the project after this one, and in a project after the last entry that was read. So
 * one call reads a limited number of entries, however many of them are kept, and each project has its turn.
 */
export interface RetentionWalk {
  after: string;
  within: Map<string, { recordedAt: string; id: string }>;
  /** Whether this round has left a project with more. */
  hasMore: boolean;
}

export function newWalk(): RetentionWalk {
  return { after: '', within: new Map(), hasMore: false };
}

export interface AuditLimits {
  /** For projects that do not set how long their entries are kept; undefined keeps them. */
  defaultMilliseconds: number | undefined;
  /** For all projects, whatever they set. */
  minimumMilliseconds: number;
}

/** SQL: whether a timeline has the entry `a`. */
const isInTimeline = `(EXISTS (SELECT FROM instances i WHERE i.workflow_id = a.workflow_id)
  OR (a.operation IN ('SuspendBpmnDefinition', 'ResumeBpmnDefinition')
    AND EXISTS (SELECT FROM definitions d WHERE d.id = a.definition_id::uuid)))`;

/**
 * In the order of the index `audit_entries_of_project_by_time`. $5: entries recorded before are kept for $6 milliseconds;
 * null keeps them.
 */
const removeStatement = `
  WITH old AS MATERIALIZED (
    SELECT a.id, a.recorded_at FROM audit_entries a
    WHERE a.project_id = $1 AND a.recorded_at < now() - make_interval(secs => $2::float8 / 1000)
      AND (a.recorded_at, a.id) > ($3::timestamptz, $4::bigint)
    ORDER BY a.recorded_at, a.id LIMIT ${MAX_READ}
  ), due AS MATERIALIZED (
    SELECT a.id FROM old JOIN audit_entries a USING (id) WHERE NOT ${isInTimeline}
      AND (a.recorded_at >= $5::timestamptz OR a.recorded_at < now() - make_interval(secs => $6::float8 / 1000))
    FOR UPDATE OF a SKIP LOCKED
  ), removed AS (
    DELETE FROM audit_entries WHERE id IN (SELECT id FROM due LIMIT ${MAX_READ}) RETURNING 1
  )
  SELECT (SELECT count(*)::integer FROM removed) AS removed, (SELECT count(*)::integer FROM old) AS read,
    last.recorded_at::text AS "recordedAt", last.id::text AS id
  FROM (SELECT 1) one LEFT JOIN LATERAL (SELECT recorded_at, id FROM old ORDER BY recorded_at DESC, id DESC LIMIT 1) last ON true`;

interface Read {
  removed: number;
  read: number;
  recordedAt: string;
  id: string;
}

/**
 * Removes entries of the next project.
 * @param walk moves on
 * @returns how many, and whether the walk continues
 */
export async function removeOldEntries(
  database: Database,
  { defaultMilliseconds = Infinity, minimumMilliseconds }: AuditLimits,
  walk: RetentionWalk,
): Promise<{ removed: number; hasMore: boolean }> {
  const project = await nextProject(database, walk.after);
  if (project === undefined) {
    const { hasMore } = walk;
    if (!hasMore) walk.within.clear();
    walk.after = '';
    walk.hasMore = false;
    return { removed: 0, hasMore };
  }
  const { projectID } = project;
  walk.after = projectID;
  const milliseconds = Math.max(project.retention ?? defaultMilliseconds, minimumMilliseconds);
  if (milliseconds === Infinity) return { removed: 0, hasMore: true };
  const formerly = Math.max(project.formerRetention ?? 0, project.formerlyDefault ? defaultMilliseconds : 0);
  const keptLonger = formerly === Infinity ? null : Math.max(formerly, milliseconds);
  const { recordedAt, id } = walk.within.get(projectID) ?? { recordedAt: '-infinity', id: '0' };
  const found = (await firstRow<Read>(database, removeStatement, [
    projectID,
    milliseconds,
    recordedAt,
    id,
    project.shortenedAt,
    keptLonger,
  ]))!;
  if (found.read > 0) walk.within.set(projectID, { recordedAt: found.recordedAt, id: found.id });
  walk.hasMore ||= found.read === MAX_READ;
  return { removed: found.removed, hasMore: true };
}

interface LoggedProject {
  projectID: string;
  retention: number | null;
  /** Entries recorded before are kept as long as the longest setting that was shortened, which can be the default. */
  shortenedAt: string;
  formerRetention: number | null;
  formerlyDefault: boolean;
}

/** Of the projects that have entries, some without a row, by one index lookup. */
async function nextProject(database: Queryable, after: string): Promise<LoggedProject | undefined> {
  return firstRow(
    database,
    `SELECT next.project_id AS "projectID", p.audit_retention_ms::float8 AS retention,
       coalesce(l.shortened_at, '-infinity')::text AS "shortenedAt", l.former_retention_ms::float8 AS "formerRetention",
       coalesce(l.formerly_default, false) AS "formerlyDefault"
     FROM (SELECT project_id FROM audit_entries WHERE project_id > $1 ORDER BY project_id LIMIT 1) next
       LEFT JOIN projects p ON p.id = next.project_id LEFT JOIN audit_logs l ON l.project_id = next.project_id`,
    [after],
  );
}
