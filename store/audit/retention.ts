import type { Pool } from 'pg';

const MOST_REMOVED = 5000;

/**
 * Removes entries older than the retention of their project.
 * @param defaultMilliseconds for projects that do not set it; undefined keeps their entries
 * @returns how many, at most 5,000
 */
export async function removeOldEntries(pool: Pool, defaultMilliseconds: number | undefined): Promise<number> {
  const { rowCount } = await pool.query(
    `DELETE FROM audit_entries WHERE id IN (
       SELECT due.id FROM projects p CROSS JOIN LATERAL (
         SELECT a.id FROM audit_entries a
         WHERE a.project_id = p.id AND a.recorded_at < now() - make_interval(secs => coalesce(p.audit_retention_ms, $1::float8) / 1000)
         ORDER BY a.id LIMIT ${MOST_REMOVED}
       ) due LIMIT ${MOST_REMOVED})`,
    [defaultMilliseconds ?? null],
  );
  return rowCount ?? 0;
}
