/** Rows of tests of drafts in the store, and their deletion. */
import { expect, it } from 'vitest';
import { cancelForgottenTests, endTestsOfDeletedDrafts } from '../../store/definitions/tests-of-drafts.js';
import { createResource, findResource } from '../../store/definitions/resources.js';
import { definitionXML } from '../../store/definitions/definitions.js';
import { writeTestedDraft } from '../../store/definitions/tested-draft.js';
import { deleteProject, listProjects } from '../../store/projects/projects.js';
import { testProjectOf } from '../../store/projects/tests.js';
import { forgetTestedDrafts } from '../../store/projects/tests.js';
import { startInstance } from '../../store/instances/start.js';
import type { Queryable } from '../../store/sql/database.js';
import { finishDeletion } from '../support/deleted-projects.js';
import { rowsReadBy } from './support/rows-read.js';
import { deploy, graphOf, projectID, useStore } from './support/store.js';

const store = useStore();
const tests = testProjectOf(projectID);

async function tested(processID: string): Promise<string> {
  const content = { name: 'Ordering', xml: '<definitions/>', definitionsID: processID };
  const { resourceID } = await createResource(store.database, projectID, content, 'eda');
  const draft = await findResource(store.database, projectID, resourceID);
  const graph = graphOf(processID);
  const written = await writeTestedDraft(
    store.database,
    draft!,
    [{ processID, graph, sha256: '0'.repeat(63) + processID.length.toString(16), compilerVersion: 1 }],
    'eda',
  );
  return written!.get(processID)!;
}

const age = () =>
  store.database.query(
    `WITH older AS (UPDATE resources SET created_at = created_at - interval '2 days' WHERE project_id = $1)
     UPDATE definitions SET created_at = created_at - interval '2 days' WHERE project_id = $1`,
    [tests],
  );

const withoutChanges = (database: Queryable) => ({ ...database, transaction: async () => undefined }) as never;

it('the store keeps the file of a test as long as an instance needs it, at least for a day', async () => {
  const used = await tested('used');
  const unused = await tested('unused');
  const details = { projectID: tests, workflowID: 'test-used', variables: {} };
  expect((await startInstance(store.database, { definitionID: used, ...details })).kind).toBe('started');
  await forgetTestedDrafts(store.database);
  expect(await definitionXML(store.database, projectID, unused)).toBe('<definitions/>');
  await age();
  await forgetTestedDrafts(store.database);
  expect(await definitionXML(store.database, projectID, used)).toBe('<definitions/>');
  expect(await definitionXML(store.database, projectID, unused)).toBeUndefined();
  const { rows } = await store.database.query('SELECT count(*)::int AS files FROM resources WHERE project_id = $1', [
    tests,
  ]);
  expect(rows).toEqual([{ files: 1 }]);
});

it('tests that must end are found without reading the instances of other projects, page by page', async () => {
  const definitionID = await tested('ending');
  const { definitionID: ordinary } = await deploy(store, 'ordinary', { project: 'busy' });
  const insert = (project: string, definition: string, count: number) =>
    store.database.query(
      `INSERT INTO instances (workflow_id, project_id, definition_id, root_workflow_id, variables, created_at)
       SELECT id, $1, $2, id, '{}', now() - interval '30 days' FROM (SELECT $1 || '-' || n AS id FROM generate_series(1, $3) n) ids`,
      [project, definition, count],
    );
  await insert('busy', ordinary, 20_000);
  await insert(tests, definitionID, 70);
  await store.database.query('DELETE FROM resources WHERE project_id = $1 AND tested_draft IS NULL', [projectID]);
  await store.database.query('VACUUM ANALYZE instances, definitions, resources, projects');
  for (const end of [endTestsOfDeletedDrafts, cancelForgottenTests])
    expect(await rowsReadBy(store, (database) => end(withoutChanges(database)), /~tests/)).toBeLessThan(500);

  const first = await cancelForgottenTests(store.database);
  expect(first).toMatchObject({ last: { projectID: tests }, failures: [] });
  expect(await cancelForgottenTests(store.database, first.last)).toEqual({ last: undefined, failures: [] });
  const { rows } = await store.database.query<{ project: string; canceled: number }>(
    "SELECT project_id AS project, count(*)::int AS canceled FROM commands WHERE body->>'kind' = 'CANCEL_INSTANCE' GROUP BY 1",
  );
  expect(rows).toEqual([{ project: tests, canceled: 70 }]);
});

it('the store lists no project of tests, and deletes it with its project', async () => {
  await tested('listed');
  expect((await listProjects(store.database, 'all')).map(({ id }) => id)).not.toContain(tests);
  await store.database.query("UPDATE instances SET status = 'COMPLETED', completed_at = now() WHERE project_id = $1", [
    tests,
  ]);
  expect((await deleteProject(store.database, projectID)).kind).toBe('deleted');
  await finishDeletion(store.database, projectID);
  const { rows } = await store.database.query('SELECT id FROM projects WHERE id = ANY ($1)', [[projectID, tests]]);
  expect(rows).toEqual([]);
});
