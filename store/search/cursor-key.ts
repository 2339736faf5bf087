import { randomBytes } from 'node:crypto';
import { firstRow, type Database } from '../sql/database.js';

/** The secret that signs search cursors, 32 bytes, shared by all APIs on this database. Created on first use. */
export async function searchCursorKey(database: Database): Promise<Buffer> {
  const found = await read(database);
  if (found !== undefined) return found;
  await database.query('INSERT INTO search_cursor_key (secret) VALUES ($1) ON CONFLICT DO NOTHING', [randomBytes(32)]);
  return (await read(database))!;
}

async function read(database: Database): Promise<Buffer | undefined> {
  return (await firstRow<{ secret: Buffer }>(database, 'SELECT secret FROM search_cursor_key', []))?.secret;
}
