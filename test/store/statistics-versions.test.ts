/** The numbers of a project with thousands of versions: most have no running instance. */
import { expect, it } from 'vitest';
import { readProjectStatistics } from '../../store/statistics/project-statistics.js';
import { firstRow, type Queryable } from '../../store/sql/database.js';
import { deploy, projectID, start, useStore } from './support/store.js';

const store = useStore();
const VERSIONS = 3_000;

async function lookups(database: Queryable): Promise<number> {
  const found = await firstRow<{ count: number }>(
    database,
    "SELECT idx_scan::float8 AS count FROM pg_stat_xact_user_tables WHERE relname = 'instances'",
    [],
  );
  return found!.count;
}

it('each version without running instances is looked up once, whatever ranges ages and targets make', async () => {
  const { definitionID } = await deploy(store, 'many');
  await store.database.query(
    `INSERT INTO definitions (project_id, resource_id, process_id, version, graph_sha256, compiler_version)
     SELECT project_id, resource_id, process_id, n, graph_sha256, compiler_version FROM definitions, generate_series(2, $2::integer) n
     WHERE id = $1`,
    [definitionID, VERSIONS],
  );
  const running = await start(store, { definitionID });
  await store.database.query("UPDATE instances SET created_at = now() - interval '40 days' WHERE workflow_id = $1", [
    running,
  ]);
  await start(store, { definitionID });
  await store.database.query('ANALYZE');
  await store.database.transaction(async (transaction) => {
    await transaction.query('SET LOCAL enable_seqscan = off');
    const before = await lookups(transaction);
    expect(await readProjectStatistics(transaction, projectID)).toMatchObject({
      running: 2,
      runningByAge: [1, 1, 1, 1],
    });
    expect((await lookups(transaction)) - before).toBeLessThan(VERSIONS + 100);
  });
}, 120_000);
