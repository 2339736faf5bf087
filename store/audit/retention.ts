import type { Pool } from 'pg';

const MOST_REMOVED = 5000;

/** SQL: the projects that have entries, some without a row. One index lookup each, however many entries they have. */
const projectsWithEntries = `
  SELECT min(project_id) AS project_id FROM audit_entries
  UNION ALL
  SELECT (SELECT min(a.project_id) FROM audit_entries a WHERE a.project_id > k.project_id) FROM known k WHERE k.project_id IS NOT NULL`;

/** In the order of the index `audit_entries_of_project_by_time`, so that a project without old entries costs one lookup. */
const removeStatement = `
  WITH RECURSIVE known AS (${projectsWithEntries})
  DELETE FROM audit_entries WHERE id IN (
    SELECT due.id FROM known k LEFT JOIN projects p ON p.id = k.project_id
      CROSS JOIN LATERAL (
        SELECT a.id FROM audit_entries a
        WHERE a.project_id = k.project_id AND a.recorded_at < now() - make_interval(secs => coalesce(p.audit_retention_ms, $1::float8) / 1000)
        ORDER BY a.recorded_at LIMIT ${MOST_REMOVED}
      ) due
    LIMIT ${MOST_REMOVED})`;

/**
 * Removes entries older than the retention of their project.
 * @param defaultMilliseconds for projects that do not set it; undefined keeps their entries
 * @returns how many, at most 5,000
 */
export async function removeOldEntries(pool: Pool, defaultMilliseconds: number | undefined): Promise<number> {
  const { rowCount } = await pool.query(removeStatement, [defaultMilliseconds ?? null]);
  return rowCount ?? 0;
}
