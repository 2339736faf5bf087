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
  for (const { name, text, replaced } of indexesIn(folder)) {
    if (!(await isValid(client, name))) {
      await client.query(`DROP INDEX CONCURRENTLY IF EXISTS ${name}`);
      await client.query(text);
      built.push(name);
    }
    if (replaced) await client.query(`DROP INDEX CONCURRENTLY IF EXISTS ${replaced}`);
  }
  return built;
}

/** Names of the indexes that are not built, or whose predecessor is still there, in order. */
export async function missingIndexes(client: Client, folder: string): Promise<string[]> {
  const missing: string[] = [];
  for (const { name, replaced } of indexesIn(folder)) {
    const isDone = (await isValid(client, name)) && !(replaced !== undefined && (await exists(client, replaced)));
    if (!isDone) missing.push(name);
  }
  return missing;
}

interface IndexFile {
  name: string;
  text: string;
  /** The index that goes when this one is built. */
  replaced: string | undefined;
}

/** A baseline builds its indexes with its tables, so a folder exists only after later changes. */
function indexesIn(folder: string): IndexFile[] {
  if (!existsSync(folder)) return [];
  const files = readdirSync(folder).filter((name) => name.endsWith('.sql'));
  return files.toSorted().map((file) => {
    const text = readFileSync(join(folder, file), 'utf8');
    return { name: basename(file, '.sql'), text, replaced: /^-- .*\bReplaces (\w+)$/m.exec(text)?.[1] };
  });
}

async function exists(client: Client, name: string): Promise<boolean> {
  const { rows } = await client.query<{ exists: boolean }>('SELECT to_regclass($1) IS NOT NULL AS exists', [name]);
  return rows[0]?.exists === true;
}

async function isValid(client: Client, name: string): Promise<boolean> {
  const { rows } = await client.query<{ valid: boolean }>(
    'SELECT indisvalid AS valid FROM pg_index WHERE indexrelid = to_regclass($1)',
    [name],
  );
  return rows[0]?.valid === true;
}
