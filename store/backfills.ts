/**
 * Changes of existing rows that would hold locks for too long in a migration. Each file has a statement that changes
 * some rows and is repeated, each time in a separate transaction, until it finds none.
 * An interrupted backfill continues when the next host starts.
 */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Client } from 'pg';

/** @throws the database's error; what has been changed until then stays */
export async function runBackfills(client: Client, folder: string): Promise<void> {
  if (!existsSync(folder)) return;
  for (const file of readdirSync(folder).toSorted()) {
    const statement = readFileSync(join(folder, file), 'utf8');
    for (let changed = 1; changed > 0;) changed = (await client.query(statement)).rowCount ?? 0;
  }
}
