import { firstTurn, oneOf, PROJECTS_AT_ONCE, takeTurn } from '../turns/project-turns.js';
import type { Database } from '../sql/database.js';

const MAX_REMOVED = 5000;

/** SQL: projects that have entries, some without a row. One index lookup each, however many entries they have. */
const projectsWithEntries = `
  SELECT min(project_id) AS project_id FROM audit_entries WHERE project_id > $2
  UNION ALL
  SELECT (SELECT min(a.project_id) FROM audit_entries a WHERE a.project_id > k.project_id) FROM known k WHERE k.project_id IS NOT NULL`;

/** SQL: entries of the project `k` that are old enough. */
const isOld = `a.project_id = k.project_id AND a.recorded_at < now() - make_interval(secs => coalesce(k.audit_retention_ms, $1::float8) / 1000)`;

/** In the order of the index `audit_entries_of_project_by_time`, so that a project without old entries costs one lookup. */
const removeStatement = `
  WITH RECURSIVE known AS (${projectsWithEntries}), kept AS (
    SELECT known.project_id, p.audit_retention_ms FROM known LEFT JOIN projects p ON p.id = known.project_id
  ), chosen AS MATERIALIZED (
    SELECT k.* FROM kept k WHERE ${oneOf(`audit_entries a WHERE ${isOld} ORDER BY a.recorded_at`)} ORDER BY k.project_id LIMIT ${PROJECTS_AT_ONCE}
  ), turns AS MATERIALIZED (
    SELECT *, greatest(1, ${MAX_REMOVED} / count(*) OVER ())::integer AS share FROM chosen
  ), due AS MATERIALIZED (
    SELECT old.id FROM turns k CROSS JOIN LATERAL (
      SELECT a.id FROM audit_entries a WHERE ${isOld} ORDER BY a.recorded_at LIMIT k.share FOR UPDATE SKIP LOCKED
    ) old LIMIT ${MAX_REMOVED}
  ), removed AS (
    DELETE FROM audit_entries WHERE id IN (SELECT id FROM due) RETURNING 1
  )
  SELECT (SELECT count(*)::integer FROM removed) AS count, (SELECT max(project_id) FROM chosen) AS last, (SELECT count(*)::integer FROM chosen) AS projects`;

/**
 * Removes entries older than the retention of their project.
 * @param defaultMilliseconds for projects that do not set it; undefined keeps their entries
 * @param turn the projects that are next; moves on
 * @returns how many, at most 5,000, which projects share
 */
export async function removeOldEntries(
  database: Database,
  defaultMilliseconds: number | undefined,
  turn = firstTurn(),
): Promise<number> {
  const { count } = await takeTurn<{ count: number }>(database, turn, removeStatement, [defaultMilliseconds ?? null]);
  return count;
}
