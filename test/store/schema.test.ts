import { randomBytes } from 'node:crypto';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import pg from 'pg';
import { describe, expect, it } from 'vitest';
import { repositoryRoot } from '../../dev/repository.js';
import { migrate } from '../../store/migrate.js';
import { createDatabase, createEmptyDatabase } from '../support/infrastructure.js';
import { describeSchema } from './support/describe-schema.js';
import { useStore } from './support/store.js';

const accept = 'ACCEPT_GOLDEN=1 npx vitest run test/store/schema.test.ts';
const store = useStore();
const migrations = join(repositoryRoot, 'store', 'migrations');
const indexes = join(migrations, 'indexes');
/** Older migrations build indexes in their transactions. */
const LAST_THAT_LOCKS = '0019';

describe('the schema', () => {
  it('is the one under review in store/schema.sql', async () => {
    const golden = join(repositoryRoot, 'store', 'schema.sql');
    const found = await describeSchema(store.pool);
    if (process.env['ACCEPT_GOLDEN'] === '1') writeFileSync(golden, found);
    expect(found, `The migrations make another schema than store/schema.sql. To accept it: ${accept}`).toBe(
      readFileSync(golden, 'utf8'),
    );
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

  it('builds indexes on existing tables concurrently', () => {
    for (const file of readdirSync(migrations).filter(
      (name) => name.endsWith('.sql') && name > `${LAST_THAT_LOCKS}~`,
    )) {
      const text = readFileSync(join(migrations, file), 'utf8');
      const created = [...text.matchAll(/CREATE TABLE (\w+)/g)].map(([, table]) => table);
      const indexed = [...text.matchAll(/CREATE (?:UNIQUE )?INDEX .*? ON (\w+)/gs)].map(([, table]) => table);
      expect(
        indexed.filter((table) => !created.includes(table)),
        `${file} builds an index in a transaction, which blocks writes. Add a file to store/migrations/indexes instead.`,
      ).toEqual([]);
    }
    for (const file of readdirSync(indexes)) {
      const statements = readFileSync(join(indexes, file), 'utf8')
        .replaceAll(/^--.*$/gm, '')
        .split(';')
        .map((part) => part.trim())
        .filter(Boolean);
      expect(statements, file).toEqual([
        expect.stringMatching(new RegExp(`^CREATE (UNIQUE )?INDEX CONCURRENTLY ${file.replace('.sql', '')} ON `)),
      ]);
    }
  });

  it('builds an index again after an interrupted build', async () => {
    const database = await createDatabase();
    const pool = new pg.Pool({ connectionString: database.url });
    try {
      await pool.query("UPDATE pg_index SET indisvalid = false WHERE indexrelid = 'commands_of_people'::regclass");
      expect(await migrate(database.url)).toEqual(['commands_of_people']);
      expect(await migrate(database.url)).toEqual([]);
      expect(await describeSchema(pool)).toBe(await describeSchema(store.pool));
    } finally {
      await pool.end();
      await database.drop();
    }
  });

  it('builds the indexes of error codes over codes that are too long for them', async () => {
    const database = await createDatabase();
    const pool = new pg.Pool({ connectionString: database.url });
    try {
      await pool.query('DROP INDEX incidents_by_error_code, jobs_by_error_code');
      const code = randomBytes(4096).toString('hex');
      await pool.query(
        `INSERT INTO incidents (workflow_id, number, project_id, definition_id, element, node_id, error_type, error_code, message, raised_at)
         VALUES ('w', 1, 'p', gen_random_uuid(), 1, 'n', 'BpmnError', $1, 'm', now())`,
        [code],
      );
      await pool.query(
        `INSERT INTO jobs (workflow_id, number, project_id, element, node_id, task_type, retries, created_at, available_at, error_code, definition_path)
         VALUES ('w', 1, 'p', 1, 'n', 't', 1, now(), now(), $1, '{}')`,
        [code],
      );
      await pool.query(readFileSync(join(migrations, '0047_short-error-codes.sql'), 'utf8'));
      expect(await migrate(database.url)).toEqual(['incidents_by_error_code', 'jobs_by_error_code']);
      const { rows } = await pool.query('SELECT error_code FROM incidents UNION ALL SELECT error_code FROM jobs');
      expect(rows.map((row) => (row as { error_code: string }).error_code)).toEqual([
        code.slice(0, 255),
        code.slice(0, 255),
      ]);
    } finally {
      await pool.end();
      await database.drop();
    }
  });

  it('builds an index while instances write', async () => {
    const database = await createDatabase();
    const pool = new pg.Pool({ connectionString: database.url });
    const writer = await pool.connect();
    try {
      await pool.query('DROP INDEX commands_of_people');
      await writer.query(
        "BEGIN; INSERT INTO commands (workflow_id, number, body, awaited, deliver_at) VALUES ('w', 1, '{}', false, now())",
      );
      const migrating = migrate(database.url);
      await pool.query(
        "INSERT INTO commands (workflow_id, number, body, awaited, deliver_at) VALUES ('w', 2, '{}', false, now())",
      );
      await writer.query('COMMIT');
      expect(await migrating).toEqual(['commands_of_people']);
    } finally {
      writer.release();
      await pool.end();
      await database.drop();
    }
  });
});
