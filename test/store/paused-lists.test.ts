/** The list of paused instances reads those, however many others are running. */
import { beforeAll, expect, it } from 'vitest';
import { listInstances } from '../../store/instances/lists.js';
import { resumeDefinition, suspendDefinition } from '../../store/suspension/definitions.js';
import { readProjectStatistics } from '../../store/statistics/project-statistics.js';
import { deploy, projectID, useStore } from './support/store.js';
import { rowsReadBy } from './support/rows-read.js';

const store = useStore();
const COUNT = 30_000;
/** The oldest instances are suspended, called by those, of a suspended version, and called by these: so many of each. */
const OF_EACH = 20;
const MOST_READ = 500;
const newest = { page: 1, pageSize: 100 };
let definitionID: string;

const paused = () => listInstances(store.database, projectID, { suspended: true }, newest);
const readByPaused = () =>
  rowsReadBy(
    store,
    (database) => listInstances(database, projectID, { suspended: true }, newest),
    /^SELECT (?!id FROM definitions)/,
  );

beforeAll(async () => {
  ({ definitionID } = await deploy(store, 'suspended'));
  const { definitionID: other } = await deploy(store, 'many');
  await store.database.query(
    `INSERT INTO instances (workflow_id, project_id, definition_id, root_workflow_id, parent_workflow_id, suspended_at, ancestor_suspended,
       ancestor_definitions, variables)
     SELECT 'w' || n, $1, CASE WHEN kind = 2 THEN $2::uuid ELSE $3::uuid END, 'w' || CASE WHEN is_called THEN n - 1 ELSE n END,
       CASE WHEN is_called THEN 'w' || n - 1 END, CASE WHEN kind = 0 THEN now() END, kind = 1,
       CASE WHEN kind = 3 THEN ARRAY[$2::uuid] WHEN is_called THEN ARRAY[$3::uuid] ELSE '{}' END, '{}'
     FROM (SELECT n, kind, kind IN (1, 3) OR kind = 4 AND n % 3 = 0 AS is_called
       FROM (SELECT n, least(n / ${OF_EACH}, 4) AS kind FROM generate_series(0, ${COUNT}) n) numbered) made`,
    [projectID, definitionID, other],
  );
  await store.database.query('ANALYZE instances');
}, 120_000);

const by = () => ({ projectID, definitionID, actor: 'ada' });

it('finds instances that are suspended, and those below them', async () => {
  const { data, total } = await paused();
  expect(total).toBe(2 * OF_EACH);
  expect(data.map(({ workflowID }) => workflowID)).toEqual(
    Array.from({ length: total }, (_, index) => `w${total - 1 - index}`),
  );
  expect(await readByPaused()).toBeLessThan(MOST_READ);
});

it('finds those of a suspended version too, and what they have called', async () => {
  await suspendDefinition(store.database, by());
  const { data, total } = await paused();
  expect({ total, listed: data.length }).toEqual({ total: 4 * OF_EACH, listed: 4 * OF_EACH });
  expect(await readByPaused()).toBeLessThan(MOST_READ);
  expect(await readProjectStatistics(store.database, projectID)).toMatchObject({ paused: total });
  const { total: others } = await listInstances(
    store.database,
    projectID,
    { suspended: false },
    { page: 1, pageSize: 1 },
  );
  expect(others).toBeGreaterThan(10_000);
  await resumeDefinition(store.database, by());
});
