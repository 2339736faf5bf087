/** The deletion of projects: marked at once, deleted in pages. */
import { randomUUID } from 'node:crypto';
import { beforeEach, expect, it } from 'vitest';
import { createBatch } from '../../store/batches/create.js';
import { runTurn, takeTurns } from '../../store/batches/turns.js';
import { createResource, deleteResource, deployResource, findResource } from '../../store/definitions/resources.js';
import { writeTestedDraft } from '../../store/definitions/tested-draft.js';
import { startInstance } from '../../store/instances/start.js';
import { deletePageOfProject, MAX_IN_TEMPORAL } from '../../store/projects/deletion.js';
import {
  createProject,
  deletedProjectIDs,
  deleteProject,
  ensureProject,
  findProject,
  listProjects,
} from '../../store/projects/projects.js';
import { changeProjectSettings } from '../../store/projects/project-settings.js';
import { testProjectOf } from '../../store/projects/tests.js';
import { rows } from '../../store/sql/database.js';
import { deletePages, finishDeletion, settleDeletion } from '../support/deleted-projects.js';
import { untilBlocked } from './support/blocked.js';
import { killedAt } from './support/killed.js';
import { began, commitStep, deploy, graphOf, start, useStore, valueOf } from './support/store.js';

const store = useStore();

// Instances of earlier tests take no places in Temporal.
beforeEach(() => store.database.query('DELETE FROM erased_instances'));

const countOf = (table: string, project: string) =>
  valueOf<number>(store, `SELECT count(*)::int AS value FROM ${table} WHERE project_id = $1`, [project]);

/** A project with ended instances of one definition, each with so many steps, which the statistics include. */
async function projectWith(instances: number, steps: number): Promise<{ project: string; definitionID: string }> {
  const project = `p-${randomUUID()}`;
  const { definitionID } = await deploy(store, undefined, { project });
  await store.database.query(
    `WITH added AS (
       INSERT INTO instances (workflow_id, project_id, definition_id, root_workflow_id, variables, status, completed_at, step_count)
       SELECT $1 || '-' || n, $1, $2, $1 || '-' || n, '{}', 'COMPLETED', now(), $4 FROM generate_series(1, $3) n RETURNING workflow_id
     ), folded AS (
       INSERT INTO folded_instances (workflow_id, steps, state) SELECT workflow_id, $4, '{}' FROM added
     )
     INSERT INTO steps (workflow_id, number, facts_before, fact_count, inputs, facts)
     SELECT workflow_id, number, 0, 0, '{}', '[]' FROM added, generate_series(1, $4) number`,
    [project, definitionID, instances, steps],
  );
  return { project, definitionID };
}

const stepsOf = (project: string) =>
  valueOf<number>(store, "SELECT count(*)::int AS value FROM steps WHERE workflow_id LIKE $1 || '-%'", [project]);

it('a project of three pages of instances is deleted page by page, and no other project', async () => {
  const { project } = await projectWith(500, 2);
  const other = await projectWith(3, 2);
  expect(await deleteProject(store.database, project)).toMatchObject({ kind: 'deleted' });
  expect([await countOf('instances', project), await findProject(store.database, project)]).toEqual([500, undefined]);
  const left: number[] = [];
  while ((await deletePageOfProject(store.database, project)) === 'more')
    left.push(await countOf('instances', project));
  expect(left.slice(0, 3)).toEqual([300, 100, 0]);
  expect(await stepsOf(project)).toBe(0);
  expect([await countOf('instances', other.project), await stepsOf(other.project)]).toEqual([3, 6]);
  expect(await deletedProjectIDs(store.database)).toContain(project);
  await settleDeletion(store.database, project);
  expect(await deletePageOfProject(store.database, project)).toBe('gone');
  expect(await deletedProjectIDs(store.database)).not.toContain(project);
});

it('no transaction of a deletion deletes more than 2,000 rows, however many an instance has', async () => {
  const { project } = await projectWith(1, 4_500);
  await deleteProject(store.database, project);
  const left: number[] = [];
  while ((await deletePageOfProject(store.database, project)) === 'more') left.push(await stepsOf(project));
  expect(left.slice(0, 3)).toEqual([2_500, 500, 0]);
});

it('instances are deleted also if a page has room for all their rows but one', async () => {
  const { project } = await projectWith(200, 19);
  await deleteProject(store.database, project);
  await settleDeletion(store.database, project);
  expect(await deletePages(store.database, project)).toBe('gone');
});

it('a process that is killed within a page leaves everything of the page, and the next one continues', async () => {
  const { project } = await projectWith(250, 1);
  await deleteProject(store.database, project);
  expect(await deletePageOfProject(store.database, project)).toBe('more');
  expect(await stepsOf(project)).toBe(50);
  await killedAt(store, ['LOCK TABLE erased_instances IN SHARE MODE'], (database) =>
    deletePageOfProject(database, project),
  );
  expect([await countOf('instances', project), await stepsOf(project)]).toEqual([50, 50]);
  await finishDeletion(store.database, project);
  expect(await countOf('instances', project)).toBe(0);
});

it('several processes delete different pages, each instance once', async () => {
  const { project } = await projectWith(450, 1);
  await deleteProject(store.database, project);
  await settleDeletion(store.database, project);
  const pages: string[] = [];
  const work = async () => {
    while (!pages.includes('gone')) pages.push(await deletePageOfProject(store.database, project));
  };
  await Promise.all([work(), work(), work()]);
  const erased = "SELECT count(*)::int AS value FROM erased_instances WHERE workflow_id LIKE $1 || '-%'";
  expect(await valueOf(store, erased, [project])).toBe(450);
});

it('instances stay while too many wait for the deletion of their workflows from Temporal', async () => {
  const { project } = await projectWith(150, 1);
  await deleteProject(store.database, project);
  await settleDeletion(store.database, project);
  await store.database.query(
    "INSERT INTO erased_instances (workflow_id, project_id) SELECT 'waiting-' || n, $2 FROM generate_series(1, $1) n",
    [MAX_IN_TEMPORAL - 100, project],
  );
  expect(await deletePages(store.database, project)).toBe('waiting');
  expect([await countOf('instances', project), await stepsOf(project)]).toEqual([50, 50]);
  await store.database.query("DELETE FROM erased_instances WHERE workflow_id LIKE 'waiting-%'");
  expect(await deletePages(store.database, project)).toBe('gone');
});

it('a project is deleted however many instances of another one wait for the deletion of their workflows', async () => {
  const { project } = await projectWith(150, 1);
  await deleteProject(store.database, project);
  await settleDeletion(store.database, project);
  await store.database.query(
    "INSERT INTO erased_instances (workflow_id, project_id) SELECT 'waiting-' || n, 'other' FROM generate_series(1, $1) n",
    [MAX_IN_TEMPORAL],
  );
  expect(await deletePages(store.database, project)).toBe('gone');
});

it('an instance stays until the statistics include it', async () => {
  const project = `p-${randomUUID()}`;
  const workflowID = await start(store, { project });
  await commitStep(store, workflowID, 1, [...began, { kind: 'INSTANCE_COMPLETED' }]);
  await deleteProject(store.database, project);
  await settleDeletion(store.database, project);
  expect(await deletePages(store.database, project)).toBe('waiting');
  await finishDeletion(store.database, project);
  expect(await countOf('statistics', project)).toBe(0);
});

it('a start and a deletion at once: the project is not deleted, or the instance not started', async () => {
  for (let round = 0; round < 10; round += 1) {
    const project = `p-${randomUUID()}`;
    const { definitionID } = await deploy(store, undefined, { project });
    const startOne = () =>
      startInstance(store.database, { projectID: project, definitionID, workflowID: randomUUID(), variables: {} });
    const [deleted, ...starts] = await Promise.all([
      deleteProject(store.database, project),
      ...Array.from({ length: 4 }, startOne),
    ]);
    const refused = deleted.kind === 'refused';
    expect(starts.some(({ kind }) => kind === 'started')).toBe(refused);
    if (!refused) expect(await startOne()).toMatchObject({ code: 'NOT_FOUND' });
  }
});

/** Deletes the project in a transaction that commits once `work` waits for it. */
async function deleteAgainst<T>(project: string, work: () => Promise<T>): Promise<T> {
  const { waiting } = await store.database.transaction(async (transaction) => {
    await deleteProject(transaction, project);
    const begun = work();
    await untilBlocked(store);
    return { waiting: begun };
  });
  return waiting;
}

it('starts, deployments, deletions of files, and tests that wait for a deletion find no project after it', async () => {
  const project = `p-${randomUUID()}`;
  const { definitionID, resourceID } = await deploy(store, undefined, { project });
  const again = async () => {
    await store.database.query('UPDATE projects SET deleted_at = NULL WHERE id = $1', [project]);
    await store.database.query('UPDATE definitions SET deleted_at = NULL WHERE project_id = $1', [project]);
  };
  const workflowID = randomUUID();
  expect(
    await deleteAgainst(project, () =>
      startInstance(store.database, { projectID: project, definitionID, workflowID, variables: {} }),
    ),
  ).toMatchObject({ kind: 'refused', code: 'NOT_FOUND' });
  await again();
  const xml = '<definitions/>';
  const file = { name: 'draft', xml, definitionsID: 'draft' };
  const draft = await createResource(store.database, project, file, 'eda');
  const processes = [{ processID: 'draft', graph: graphOf('draft'), sha256: randomUUID(), compilerVersion: 1 }];
  const deployment = { projectID: project, resourceID: draft.resourceID, xml, deployedBy: 'eda', processes };
  expect(await deleteAgainst(project, () => deployResource(store.database, deployment))).toMatchObject({
    code: 'NOT_FOUND',
  });
  await again();
  expect(await deleteAgainst(project, () => deleteResource(store.database, project, resourceID))).toMatchObject({
    code: 'NOT_FOUND',
  });
  await again();
  const tested = (await findResource(store.database, project, draft.resourceID))!;
  expect(
    await deleteAgainst(project, () => writeTestedDraft(store.database, tested, processes, 'eda')),
  ).toBeUndefined();
  expect(await rows(store.database, 'SELECT FROM projects WHERE id = $1', [testProjectOf(project)])).toEqual([]);
});

it('a deletion that waits for a start is refused', async () => {
  const project = `p-${randomUUID()}`;
  const { definitionID } = await deploy(store, undefined, { project });
  const { deletion } = await store.database.transaction(async (transaction) => {
    await startInstance(transaction, { projectID: project, definitionID, workflowID: randomUUID(), variables: {} });
    const begun = deleteProject(store.database, project);
    await untilBlocked(store);
    return { deletion: begun };
  });
  expect(await deletion).toMatchObject({ kind: 'refused', code: 'CONFLICT' });
  expect(await findProject(store.database, project)).toMatchObject({ id: project });
  expect(
    await rows(store.database, 'SELECT FROM definitions WHERE project_id = $1 AND deleted_at IS NOT NULL', [project]),
  ).toEqual([]);
});

it('of two deletions at once, one deletes and the other finds no project', async () => {
  const project = `p-${randomUUID()}`;
  await ensureProject(store.database, project);
  const both = await Promise.all([1, 2].map(() => deleteProject(store.database, project)));
  expect(both.map(({ kind }) => kind).toSorted()).toEqual(['deleted', 'refused']);
  expect(both.find(({ kind }) => kind === 'refused')).toMatchObject({ code: 'NOT_FOUND' });
});

it('a deleted project is in no list, cannot be changed, and keeps its id until nothing of it is left', async () => {
  const project = `p-${randomUUID()}`;
  await ensureProject(store.database, project);
  await deleteProject(store.database, project);
  expect(await listProjects(store.database, [project])).toEqual([]);
  expect((await listProjects(store.database, 'all')).map(({ id }) => id)).not.toContain(project);
  expect(await changeProjectSettings(store.database, project, { eventRetention: 1_000 })).toBeUndefined();
  await ensureProject(store.database, project);
  expect(await findProject(store.database, project)).toBeUndefined();
  expect(await createProject(store.database, project, 'Again')).toMatchObject({
    code: 'CONFLICT',
    message: `Project ${project} is being deleted. Repeat the request after the deletion`,
  });
  await finishDeletion(store.database, project);
  expect(await createProject(store.database, project, 'Again')).toMatchObject({ id: project, name: 'Again' });
});

it('a project stays until the requests from before its deletion have ended, its tests are deleted, and Temporal has no schedule', async () => {
  const project = `p-${randomUUID()}`;
  const { definitionID } = await deploy(store, undefined, { project });
  await store.database.query('INSERT INTO projects (id, name) VALUES ($1, $1)', [testProjectOf(project)]);
  await store.database.query(
    `INSERT INTO start_timers (definition_id, node_id, trigger, project_id, type, timer, deployed_at, send_at)
     VALUES ($1, 'begin', 0, $2, 'cycle', 'R/PT1H', now(), NULL)`,
    [definitionID, project],
  );
  await deleteProject(store.database, project);
  expect(await deletePages(store.database, project)).toBe('waiting');
  // A request from before the deletion.
  await createResource(store.database, project, { name: 'late', xml: '<x/>', definitionsID: 'late' }, 'eda');
  await settleDeletion(store.database, project);
  expect(await deletePages(store.database, project)).toBe('waiting');
  expect(await countOf('resources', project)).toBe(0);
  await store.database.query('UPDATE start_timers SET send_at = NULL WHERE project_id = $1 AND NOT wanted', [project]);
  expect(await deletePages(store.database, project)).toBe('waiting');
  expect(await deletePages(store.database, testProjectOf(project))).toBe('gone');
  expect(await deletePages(store.database, project)).toBe('gone');
});

it('a batch that runs begins no item after the deletion of its project, and is given to no runner', async () => {
  const { project } = await projectWith(2, 1);
  const workflowIDs = [`${project}-1`, `${project}-2`];
  await createBatch(store.database, {
    projectID: project,
    operation: 'DELETE',
    targets: { kind: 'instances', workflowIDs },
    input: {},
    createdBy: 'eda',
    itemsPerSecond: 100,
  });
  await store.database.query("UPDATE batches SET paced_until = now() - interval '1 minute' WHERE project_id = $1", [
    project,
  ]);
  const [turn] = (await takeTurns(store.database, 5)).filter(({ projectID }) => projectID === project);
  await deleteProject(store.database, project);
  await runTurn(store.database, turn!);
  expect(await countOf('instances', project)).toBe(2);
  expect((await takeTurns(store.database, 5)).map(({ projectID }) => projectID)).not.toContain(project);
  await finishDeletion(store.database, project);
  expect(await countOf('batches', project)).toBe(0);
});
