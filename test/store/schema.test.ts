import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import pg from 'pg';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { repositoryRoot } from '../../dev/repository.js';
import { ForeignSchemaError, migrate } from '../../store/migrate.js';
import { createEmptyDatabase, type TestDatabase } from '../support/infrastructure.js';
import { describeSchema } from './support/describe-schema.js';
import { useStore } from './support/store.js';

const accept = 'ACCEPT_GOLDEN=1 npx vitest run test/store/schema.test.ts';
const store = useStore();
const migrations = join(repositoryRoot, 'store', 'migrations');
const indexes = join(migrations, 'indexes');

describe('the schema', () => {
  it('is the one under review in store/schema.sql', async () => {
    const golden = join(repositoryRoot, 'store', 'schema.sql');
    const found = await describeSchema(store.database);
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
      expect(await describeSchema(pool)).toBe(await describeSchema(store.database));
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

  it('of a build before the first release is refused with what to do, and stays as it is', async () => {
    const database = await createEmptyDatabase();
    const pool = new pg.Pool({ connectionString: database.url });
    try {
      await pool.query(
        `CREATE TABLE schema_migrations (id serial PRIMARY KEY, name text NOT NULL, run_on timestamp NOT NULL);
         INSERT INTO schema_migrations (name, run_on) VALUES ('0001_of-an-early-build', now()), ('0002_more', now())`,
      );
      const refusal: unknown = await migrate(database.url).catch((error: unknown) => error);
      expect(refusal).toBeInstanceOf(ForeignSchemaError);
      expect((refusal as Error).message).toMatch(
        /^Database \w+ has the schema of a build before the first release: .*0001_of-an-early-build.* Drop it and create it again, or set DATABASE_URL/,
      );
      expect(await describeSchema(pool)).toBe('\n');
    } finally {
      await pool.end();
      await database.drop();
    }
  });

  it('gets indexes on existing tables concurrently', () => {
    for (const file of readdirSync(migrations).filter((name) => name.endsWith('.sql'))) {
      const text = readFileSync(join(migrations, file), 'utf8');
      const created = [...text.matchAll(/CREATE TABLE (\w+)/g)].map(([, table]) => table);
      const indexed = [...text.matchAll(/CREATE (?:UNIQUE )?INDEX \w+\s+ON (\w+)/g)].map(([, table]) => table);
      expect(
        indexed.filter((table) => !created.includes(table)),
        `${file} builds an index in a transaction, which blocks writes. Add a file to store/migrations/indexes instead.`,
      ).toEqual([]);
    }
    for (const file of existsSync(indexes) ? readdirSync(indexes) : []) {
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
});

/** A later release of an invented schema adds a column to a table with rows, fills it in, and indexes it. */
describe('a column that a later release adds', () => {
  let folder: string;
  let database: TestDatabase;
  let pool: pg.Pool;

  beforeEach(async () => {
    folder = mkdtempSync(join(tmpdir(), 'migrations-'));
    database = await createEmptyDatabase();
    pool = new pg.Pool({ connectionString: database.url });
    put('0001_parcels.sql', '-- Up Migration\nCREATE TABLE parcels (id integer PRIMARY KEY, weight integer NOT NULL);');
    expect(await migrate(database.url, folder)).toEqual(['0001_parcels']);
    await pool.query('INSERT INTO parcels SELECT n, n FROM generate_series(1, 25) n');
    put('0002_heavy.sql', '-- Up Migration\nALTER TABLE parcels ADD COLUMN heavy boolean;');
    put('indexes/parcels_heavy.sql', 'CREATE INDEX CONCURRENTLY parcels_heavy ON parcels (weight) WHERE heavy;');
    put(
      'backfills/heavy.sql',
      'UPDATE parcels SET heavy = weight > 10 WHERE id IN (SELECT id FROM parcels WHERE heavy IS NULL LIMIT 10)',
    );
  });
  afterEach(async () => {
    await pool.end();
    await database.drop();
    rmSync(folder, { recursive: true });
  });

  function put(file: string, text: string): void {
    mkdirSync(dirname(join(folder, file)), { recursive: true });
    writeFileSync(join(folder, file), text);
  }

  it('is added and indexed once, and filled in for all rows', async () => {
    expect(await migrate(database.url, folder)).toEqual(['0002_heavy', 'parcels_heavy']);
    const { rows } = await pool.query(
      'SELECT heavy, count(*)::int AS count FROM parcels GROUP BY heavy ORDER BY heavy',
    );
    expect(rows).toEqual([
      { heavy: false, count: 10 },
      { heavy: true, count: 15 },
    ]);
    expect(await migrate(database.url, folder)).toEqual([]);
  });

  it('has its index built again after an interrupted build', async () => {
    await migrate(database.url, folder);
    await pool.query("UPDATE pg_index SET indisvalid = false WHERE indexrelid = 'parcels_heavy'::regclass");
    expect(await migrate(database.url, folder)).toEqual(['parcels_heavy']);
    expect(await migrate(database.url, folder)).toEqual([]);
  });

  it('has its index replaced by another one, which is built first', async () => {
    await migrate(database.url, folder);
    rmSync(join(folder, 'indexes', 'parcels_heavy.sql'));
    put(
      'indexes/parcels_by_weight.sql',
      '-- In this order. Replaces parcels_heavy\nCREATE INDEX CONCURRENTLY parcels_by_weight ON parcels (heavy, weight);',
    );
    expect(await migrate(database.url, folder)).toEqual(['parcels_by_weight']);
    const { rows } = await pool.query("SELECT to_regclass('parcels_heavy') AS former");
    expect(rows).toEqual([{ former: null }]);
  });

  it('is indexed while rows are written', async () => {
    await migrate(database.url, folder);
    await pool.query('DROP INDEX parcels_heavy');
    const writer = await pool.connect();
    await writer.query('BEGIN; INSERT INTO parcels VALUES (26, 26)');
    const migrating = migrate(database.url, folder);
    await pool.query('INSERT INTO parcels VALUES (27, 27)');
    await writer.query('COMMIT');
    writer.release();
    expect(await migrating).toEqual(['parcels_heavy']);
  });
});
