import type { Database } from '../../store/sql/database.js';

/** Names of the tables in which a row has this text, as text or as bytes. */
export async function tablesWith(store: Database, text: string): Promise<string[]> {
  const { rows } = await store.query<{ name: string }>(
    `SELECT table_name AS name FROM information_schema.tables WHERE table_schema = 'public' AND table_type = 'BASE TABLE' ORDER BY 1`,
  );
  const bytes = Buffer.from(text).toString('hex');
  const found: string[] = [];
  for (const { name } of rows) {
    const { rowCount } = await store.query(
      `SELECT FROM ${name} t WHERE strpos(t::text, $1) > 0 OR strpos(t::text, $2) > 0 LIMIT 1`,
      [text, bytes],
    );
    if (rowCount) found.push(name);
  }
  return found;
}
