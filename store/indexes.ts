/**
 * Indexes on tables that may already be large. Each is built concurrently, outside a transaction, so that writes
 * continue. An interrupted build leaves an invalid index, which is dropped and rebuilt. A file that says `Replaces X`
 * drops the index X once its own is built, so that reads always have one of them.
 */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import type { Client } from 'pg';

/**
 * Builds the missing indexes.
 * @param folder files named after the index that they build
 * @returns names of the built indexes, in order
 * @throws the database's error if one cannot be built; those built before it stay
 */
export async function buildIndexes(client: Client, folder: string): Promise<string[]> {
  const built: string[] = [];
  // A baseline builds its indexes with its tables, so a folder exists only after later changes.
  if (!existsSync(folder)) return built;
  for (const file of readdirSync(folder)
    .filter((name) => name.endsWith('.sql'))
    .toSorted()) {
    const name = basename(file, '.sql');
    const text = readFileSync(join(folder, file), 'utf8');
    if (!(await isValid(client, name))) {
      await client.query(`DROP INDEX CONCURRENTLY IF EXISTS ${name}`);
      await client.query(text);
      built.push(name);
    }
    const replaced = /^-- .*\bReplaces (\w+)$/m.exec(text)?.[1];
    if (replaced) await client.query(`DROP INDEX CONCURRENTLY IF EXISTS ${replaced}`);
  }
  return built;
}

async function isValid(client: Client, name: string): Promise<boolean> {
  const { rows } = await client.query<{ valid: boolean }>(
    'SELECT indisvalid AS valid FROM pg_index WHERE indexrelid = to_regclass($1)',
    [name],
  );
  return rows[0]?.valid === true;
}
