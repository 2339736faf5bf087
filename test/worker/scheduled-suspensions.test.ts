/** Suspensions of definitions at a time, as a worker applies them. */
import { randomUUID } from 'node:crypto';
import pino from 'pino';
import { beforeAll, expect, it } from 'vitest';
import { takeDueSuspensions } from '../../store/suspension/scheduled.js';
import { firstTurn } from '../../store/turns/project-turns.js';
import { scheduledSuspensions } from '../../worker/schedules/scheduled-suspensions.js';
import { deploy, useStore, valueOf } from '../store/support/store.js';

const store = useStore();
const stopping = new AbortController().signal;
const failing = 'failing';

// A fault that only this project has.
beforeAll(async () => {
  await store.database.query(
    `CREATE FUNCTION refuse_suspension() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RAISE 'no suspension here'; END $$;
     CREATE TRIGGER refuse_suspension BEFORE UPDATE OF suspended_at ON definitions
       FOR EACH ROW WHEN (NEW.project_id = 'failing') EXECUTE FUNCTION refuse_suspension()`,
  );
});

/** Deploys a process so many times, with a suspension of each version that has been due for some time. */
async function due(project: string, versions: number, since: string): Promise<string> {
  const { definitionID } = await deploy(store, `p-${randomUUID()}`, { project });
  await store.database.query(
    `INSERT INTO definitions (project_id, resource_id, process_id, version, graph_sha256, compiler_version)
     SELECT project_id, resource_id, process_id, version + n, graph_sha256, compiler_version FROM definitions, generate_series(1, $2) n WHERE id = $1`,
    [definitionID, versions - 1],
  );
  await store.database.query(
    `UPDATE definitions SET suspension_scheduled_at = now() - $2::interval, suspension_due_at = now() - $2::interval,
       suspension_scheduled_instances = true, suspension_scheduled_by = 'eda', suspension_scheduled_actor_type = 'PERSON'
     WHERE project_id = $1`,
    [project, since],
  );
  return definitionID;
}

const suspended = (definitionID: string) =>
  valueOf<boolean>(store, 'SELECT suspended_at IS NOT NULL AS value FROM definitions WHERE id = $1', [definitionID]);
/** Milliseconds until the next attempt. */
const delays = () =>
  valueOf<number[]>(
    store,
    `SELECT array_agg(extract(epoch FROM suspension_due_at - now())::float8 * 1000) AS value FROM definitions WHERE project_id = $1`,
    [failing],
  );

it('a suspension at a time is applied next to a hundred of another project that fail', async () => {
  await due(failing, 100, '1 second');
  const other = await due(`waiting-${randomUUID()}`, 1, '0 seconds');
  const chore = scheduledSuspensions({ store: store.database, logger: pino({ level: 'silent' }) });
  // The share of a run is over after its first statement, which serves both projects.
  await chore.run({ until: performance.now() + 1, stopping });
  expect(await suspended(other)).toBe(true);
  expect(await chore.run({ until: Infinity, stopping })).toBe('done');
  // None of the failed ones is due again at once.
  expect(await takeDueSuspensions(store.database)).toEqual([]);
  expect(
    await valueOf(
      store,
      'SELECT count(*)::int AS value FROM definitions WHERE project_id = $1 AND suspended_at IS NULL',
      [failing],
    ),
  ).toBe(100);
});

it('an attempt that failed is repeated at growing intervals, up to five minutes', async () => {
  for (const [since, least, most] of [
    ['0 seconds', 4_000, 5_001],
    ['1 minute', 55_000, 61_000],
    ['1 day', 295_000, 300_001],
  ] as const) {
    await store.database.query('DELETE FROM definitions WHERE project_id = $1', [failing]);
    await due(failing, 1, since);
    expect(await takeDueSuspensions(store.database, firstTurn())).toHaveLength(1);
    const [delay] = await delays();
    expect(delay).toBeGreaterThan(least);
    expect(delay).toBeLessThan(most);
  }
});
