import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import pg from 'pg';
import { describe, expect, it } from 'vitest';
import { repositoryRoot } from '../../scripts/repository.js';
import { migrate } from '../../store/migrate.js';
import { createEmptyDatabase } from '../support/infrastructure.js';
import { describeSchema } from './support/describe-schema.js';
import { useStore } from './support/store.js';

const accept = 'ACCEPT_GOLDEN=1 npx vitest run test/store/schema.test.ts';
const store = useStore();

describe('the schema', () => {
  it('is the one under review in store/schema.sql', async () => {
    const golden = join(repositoryRoot, 'store', 'schema.sql');
    const found = await describeSchema(store.pool);
    if (process.env['ACCEPT_GOLDEN'] === '1') writeFileSync(golden, found);
    expect(found, `The migrations make another schema than store/schema.sql. To accept it: ${accept}`).toBe(readFileSync(golden, 'utf8'));
  });

  it('is migrated once when several hosts start together', async () => {
    const database = await createEmptyDatabase();
    try {
      const applied = await Promise.all([migrate(database.url), migrate(database.url), migrate(database.url)]);
      expect(applied.filter(({ length }) => length > 0)).toHaveLength(1);
      const pool = new pg.Pool({ connectionString: database.url });
      expect(await describeSchema(pool)).toBe(await describeSchema(store.pool));
      await pool.end();
    } finally {
      await database.drop();
    }
  });

  it('of a newer build is left as it is by one that is rolled back', async () => {
    const database = await createEmptyDatabase();
    const pool = new pg.Pool({ connectionString: database.url });
    try {
      await migrate(database.url);
      await pool.query("INSERT INTO schema_migrations (name, run_on) VALUES ('9999_of-a-newer-build', now())");
      expect(await migrate(database.url)).toEqual([]);
    } finally {
      await pool.end();
      await database.drop();
    }
  });
});
