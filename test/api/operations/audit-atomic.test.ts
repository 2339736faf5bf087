/** A change and its audit entry are one transaction: where the entry cannot be written, nothing changes. */
import { isDeepStrictEqual } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { operations } from '../../../api/operations/index.js';
import { changesOn, type Change } from './support/changes.js';
import { startTestHost, type TestHost } from './support/host.js';
import { eventually } from '../../support/eventually.js';
import { foldAll } from '../../store/support/store.js';

let host: TestHost;
const prepared = new Map<string, Change>();

/** With the provider's entry first, or in another project. */
const OTHERWISE = ['CreateProject', 'DeleteProject', 'PutProjectMember', 'DeleteProjectMember'];
const recorded = operations
  .filter(({ records }) => records !== undefined)
  .map(({ operationID }) => operationID)
  .filter((operation) => !OTHERWISE.includes(operation));

beforeAll(async () => {
  host = await startTestHost();
  const { changes } = await changesOn(host);
  for (const operation of recorded) prepared.set(operation, await changes[operation]!());
  await host.stopWorker();
  // Otherwise an erasure folds first, in separate transactions.
  await foldAll({ database: host.store });
  // From here on, only the requests of the tests change anything.
  await eventually(
    async () => [await everything(), await everything()],
    ([before, after]) => isDeepStrictEqual(before, after),
  );
  await host.store.query(`
    CREATE FUNCTION refuse() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RAISE EXCEPTION 'no entry today'; END $$;
    CREATE TRIGGER refuse BEFORE INSERT ON audit_entries FOR EACH ROW EXECUTE FUNCTION refuse()`);
}, 300_000);
afterAll(() => host.close());

/** Columns that the runners of batches and backtests do not touch. */
const COLUMNS: { readonly [table: string]: string } = {
  backtests: 'id',
  backtest_items: 'backtest_id, position',
  backtest_groups: 'backtest_id',
  batches: 'id, status',
  batch_items: 'batch_id, position',
};

/** A digest of every row of every table. */
async function everything(): Promise<string[]> {
  const tables = await host.store.query<{ name: string }>(
    "SELECT table_name AS name FROM information_schema.tables WHERE table_schema = 'public' AND table_type = 'BASE TABLE' ORDER BY 1",
  );
  const digests = tables.rows.map(
    ({ name }) =>
      `SELECT '${name}' AS name, md5(coalesce(string_agg(row, E'\\n' ORDER BY row), '')) AS digest FROM (SELECT ROW(${COLUMNS[name] ?? 't.*'})::text AS row FROM ${name} t) AS every`,
  );
  const { rows } = await host.store.query<{ name: string; digest: string }>(digests.join(' UNION ALL '));
  // Postgres may read the tables in parallel, in any order.
  return rows.map(({ name, digest }) => `${name} ${digest}`).toSorted();
}

describe('where its entry cannot be written', () => {
  it.each(recorded)('%s changes nothing', async (operation) => {
    const before = await everything();
    const { status } = await prepared.get(operation)!.request();
    expect(status).toBe(500);
    expect(await everything()).toEqual(before);
  });
});
