/** A search of instances that were created before a time begins with the newest of them. */
import { beforeAll, expect, test } from 'vitest';
import { searchBatches, type Batch } from '../../store/search/search.js';
import type { Database, Queryable } from '../../store/sql/database.js';
import { rowsReadBy } from './support/rows-read.js';
import { deploy, projectID, useStore } from './support/store.js';

const store = useStore();
const COUNT = 30_000;
const OLD = 3_000;
let definitionID: string;

const timeOf = (number: number) => new Date(Date.UTC(2026, 0, 1) + number * 3_600_000);

beforeAll(async () => {
  ({ definitionID } = await deploy(store, 'many'));
  await store.database.query(
    `INSERT INTO instances (workflow_id, project_id, definition_id, root_workflow_id, status, created_at, completed_at, variables)
     SELECT 'w' || n, $1, $2, 'w' || n, 'COMPLETED', $3::timestamptz + n * interval '1 hour', now(), '{}' FROM generate_series(1, ${COUNT}) n`,
    [projectID, definitionID, timeOf(0)],
  );
  await store.database.query('VACUUM ANALYZE instances');
});

/** Enough that one statement reads all variables of an instance. */
const names = Array.from({ length: 7 }, (_, n) => `v${n}`);

async function readBatch(database: Queryable, createdBefore: Date): Promise<Batch> {
  const transaction = (work: (transaction: Queryable) => unknown) => work(database);
  const request = { names, below: 1e15, size: 200, prefilter: undefined, wantsError: false, milliseconds: 10_000 };
  const filter = { projectID, definitionID, createdBefore };
  return (await searchBatches({ transaction } as Database, filter, async () => request).next()).value;
}

const read = (createdBefore: Date) => readBatch(store.database, createdBefore);

test('newer instances are not read', async () => {
  const rowsRead = await rowsReadBy(store, (database) => readBatch(database, timeOf(OLD)), /^WITH/);
  expect(rowsRead).toBeLessThan(1_000);
  expect(await read(timeOf(OLD))).toMatchObject({ candidates: 200, isEnd: false });
});

test('an instance that took its number after one that began later is found', async () => {
  await store.database.query(
    `INSERT INTO instances (workflow_id, project_id, definition_id, root_workflow_id, created_at, variables)
     VALUES ('late', $1, $2, 'late', $3::timestamptz + interval '20 seconds', '{}'), ('waited', $1, $2, 'waited', $3::timestamptz - interval '1 second', '{}'), ('last', $1, $2, 'last', $3::timestamptz + interval '2 minutes', '{}')`,
    [projectID, definitionID, timeOf(COUNT + 1)],
  );
  expect((await read(timeOf(COUNT + 1))).text).toContain('"waited"');
});

test('an imported instance is found by the time at which it began', async () => {
  await store.database.query(
    `INSERT INTO instances (workflow_id, project_id, definition_id, root_workflow_id, created_at, variables, imported_system, imported_id, imported_at)
     VALUES ('imported', $1, $2, 'imported', $3, '{}', 'other', '1', now())`,
    [projectID, definitionID, timeOf(1)],
  );
  expect((await read(timeOf(OLD))).text).toContain('"imported"');
});
