/**
 * Statistics of the planner for tables that have grown. Postgres collects them about once a minute. A prepared statement
 * keeps the plan that its connection made for an empty table until then, and such a plan can read the whole table.
 */
import { rows, type Database } from './database.js';

/** The plans of smaller tables matter little. */
const MIN_ROWS = 100;
/** Larger tables take minutes to double, and autovacuum analyzes them in time. */
const MAX_ROWS = 100_000;

/**
 * Analyzes the tables that have doubled since they were last analyzed. Connections then make new plans.
 * @returns their names
 */
export async function analyzeGrown(database: Database): Promise<string[]> {
  const grown = await rows<{ name: string }>(
    database,
    `SELECT quote_ident(s.relname) AS name FROM pg_stat_user_tables s JOIN pg_class c ON c.oid = s.relid
     WHERE s.schemaname = current_schema() AND c.reltuples < ${MAX_ROWS} AND s.n_live_tup >= 2 * greatest(c.reltuples, ${MIN_ROWS})
     ORDER BY 1`,
    [],
  );
  const names = grown.map(({ name }) => name);
  // Another host may be analyzing them.
  if (names.length > 0) await database.query(`ANALYZE (SKIP_LOCKED) ${names.join(', ')}`);
  return names;
}
