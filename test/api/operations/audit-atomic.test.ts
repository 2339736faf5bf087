/** A change and its audit entry are one transaction: where the entry cannot be written, nothing changes. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { operations } from '../../../api/operations/index.js';
import { changesOn, type Change } from './support/changes.js';
import { startTestHost, type TestHost } from './support/host.js';
import { watchRows } from './support/watch-rows.js';
import { foldAll } from '../../store/support/store.js';

/** Name of the connections of the API: chores of the host change rows as well. */
const APPLICATION = 'requests';

let host: TestHost;
let watched: Awaited<ReturnType<typeof watchRows>>;
const prepared = new Map<string, Change>();

/** With the provider's entry first, or in another project. */
const OTHERWISE = ['CreateProject', 'DeleteProject', 'PutProjectMember', 'DeleteProjectMember'];
const recorded = operations
  .filter(({ records }) => records !== undefined)
  .map(({ operationID }) => operationID)
  .filter((operation) => !OTHERWISE.includes(operation));

beforeAll(async () => {
  host = await startTestHost({ application: APPLICATION });
  const { changes } = await changesOn(host);
  for (const operation of recorded) prepared.set(operation, await changes[operation]!());
  await host.stopWorker();
  // Otherwise an erasure folds first, in separate transactions.
  await foldAll({ database: host.store });
  watched = await watchRows(host.store, APPLICATION);
  await host.store.query(`
    CREATE FUNCTION refuse() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RAISE EXCEPTION 'no entry today'; END $$;
    CREATE TRIGGER refuse BEFORE INSERT ON audit_entries FOR EACH ROW EXECUTE FUNCTION refuse()`);
}, 300_000);
afterAll(() => host.close());

describe('where its entry cannot be written', () => {
  it.each(recorded)('%s changes nothing', async (operation) => {
    await watched.forget();
    const { status } = await prepared.get(operation)!.request();
    expect(status).toBe(500);
    expect(await watched.changed()).toEqual([]);
  });

  it('a change that needs none is noticed', async () => {
    await watched.forget();
    await host.api.context.store.query("UPDATE projects SET name = 'changed' WHERE id = 'p1'");
    expect(await watched.changed()).toEqual(['projects']);
  });
});
