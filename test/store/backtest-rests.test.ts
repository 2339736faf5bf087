/** Projects share the time of backtests: each rests for its own comparisons. The time that a comparison takes is made up. */
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { Compare } from '../../backtests/comparer.js';
import { ensureProject } from '../../store/projects/projects.js';
import { backtests } from '../../worker/backtests/backtests.js';
import { silent } from '../support/host-services.js';
import { uniqueName } from '../support/infrastructure.js';
import { useStore, valueOf } from './support/store.js';

const store = useStore();
const SECOND_MS = 1_000;

let [slow, quick] = ['', ''];
/** How far the clock of this process has been put forward. */
let ahead = 0;
/** Of a comparison, by project. */
let durations: Record<string, number>;

beforeEach(async () => {
  await store.database.query('DELETE FROM backtests');
  [slow, quick] = [uniqueName('project'), uniqueName('project')];
  for (const project of [slow, quick]) await ensureProject(store.database, project);
  durations = { [slow]: 60 * SECOND_MS, [quick]: SECOND_MS };
  ahead = 0;
  const now = performance.now.bind(performance);
  vi.spyOn(performance, 'now').mockImplementation(() => now() + ahead);
});
afterEach(() => void vi.restoreAllMocks());

const compare: Compare = Object.assign(
  async (_store: unknown, { projectID }: { projectID: string }, workflowID: string) => {
    ahead += durations[projectID]!;
    return { kind: 'compared' as const, item: { workflowID, outcome: 'SAME' as const }, flows: {} };
  },
  { ready: async () => undefined },
);

async function begin(project: string, items: number): Promise<void> {
  await store.database.query(
    `WITH backtest AS (
       INSERT INTO backtests (project_id, process_id, graph, graph_sha256, deployed_at, created_by, total, status)
       VALUES ($1, 'p', '{}', 'x', now(), 'eda', $2, 'RUNNING') RETURNING id
     )
     INSERT INTO backtest_items (backtest_id, position, workflow_id) SELECT id, n, 'w' || n FROM backtest, generate_series(1, $2::integer) n`,
    [project, items],
  );
}

const compared = (project: string) =>
  valueOf<number>(
    store,
    `SELECT count(*)::int AS value FROM backtests b JOIN backtest_items i ON i.backtest_id = b.id
     WHERE b.project_id = $1 AND i.outcome IS NOT NULL`,
    [project],
  );

/** A worker of which each run continues until nothing may be compared now. */
function worker() {
  const chore = backtests({ store: store.database, logger: silent, compare });
  return () => chore.run({ until: Infinity, stopping: new AbortController().signal });
}

test('a comparison of a minute does not hold up the backtest of another project', async () => {
  durations[quick] = 0;
  await begin(slow, 10);
  await begin(quick, 300);
  const run = worker();
  for (let runs = 0; runs < 20 && (await compared(quick)) < 300; runs += 1) await run();
  expect(await compared(quick)).toBe(300);
  expect(await compared(slow)).toBe(1);
});

test('alone, a project rests seven times as long as it compares', async () => {
  await begin(quick, 10);
  const run = worker();
  await run();
  expect(await compared(quick)).toBe(1);
  ahead += 6 * SECOND_MS;
  await run();
  expect(await compared(quick)).toBe(1);
  ahead += SECOND_MS;
  await run();
  expect(await compared(quick)).toBe(2);
});

test('projects share an eighth of the time, however long their comparisons take', async () => {
  durations = { [slow]: 20 * SECOND_MS, [quick]: 5 * SECOND_MS };
  await begin(slow, 100);
  await begin(quick, 100);
  const run = worker();
  const began = performance.now();
  while ((await compared(slow)) < 4) {
    await run();
    ahead += 10 * SECOND_MS;
  }
  const shareOf = (milliseconds: number) => milliseconds / (performance.now() - began);
  // The fourth comparison has not been rested for.
  for (const share of [shareOf(3 * durations[slow]!), shareOf((await compared(quick)) * durations[quick]!)]) {
    expect(share).toBeGreaterThan(0.05);
    expect(share).toBeLessThan(0.07);
  }
});

test('a project that is alone again does not rest for others', async () => {
  await begin(slow, 10);
  await begin(quick, 1);
  const run = worker();
  await run();
  expect([await compared(slow), await compared(quick)]).toEqual([1, 1]);
  ahead += 7 * 60 * SECOND_MS;
  await run();
  expect(await compared(slow)).toBe(2);
});
