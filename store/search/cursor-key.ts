import { randomBytes } from 'node:crypto';
import type { Pool } from 'pg';
import { firstRow } from '../sql/database.js';

/** The secret that signs search cursors, 32 bytes, shared by all APIs on this database. Created on first use. */
export async function searchCursorKey(pool: Pool): Promise<Buffer> {
  const found = await read(pool);
  if (found !== undefined) return found;
  await pool.query('INSERT INTO search_cursor_key (secret) VALUES ($1) ON CONFLICT DO NOTHING', [randomBytes(32)]);
  return (await read(pool))!;
}

async function read(pool: Pool): Promise<Buffer | undefined> {
  return (await firstRow<{ secret: Buffer }>(pool, 'SELECT secret FROM search_cursor_key', []))?.secret;
}
