import { randomUUID } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import {
  definitionXML,
  definitionsOfResource,
  findDefinition,
  listProcesses,
  listVersions,
} from '../../store/definitions/definitions.js';
import { loadGraph } from '../../store/steps/graphs.js';
import {
  createProject,
  deleteProject,
  ensureProject,
  findProject,
  listProjects,
} from '../../store/projects/projects.js';
import {
  createResource,
  deleteResource,
  deployResource,
  findResource,
  listLatestResources,
  listResources,
  updateResource,
} from '../../store/definitions/resources.js';
import { startInstance } from '../../store/instances/start.js';
import { STORED_BY_START, storePayload } from '../../store/steps/stored-payloads.js';
import { finishDeletion } from '../support/deleted-projects.js';
import { began, deploy, graphOf, commitStep, projectID, start, useStore, valueOf } from './support/store.js';

const store = useStore();
const page = { page: 1, pageSize: 100 };
const content = { name: 'Ordering', xml: '<definitions/>', definitionsID: 'ordering' };

async function draft(definitionsID = 'ordering'): Promise<string> {
  return (await createResource(store.database, projectID, { ...content, definitionsID }, 'eda')).resourceID;
}

function deployAs(resourceID: string, processID: string, xml = content.xml) {
  const graph = graphOf(processID);
  return deployResource(store.database, {
    projectID,
    resourceID,
    xml,
    deployedBy: 'dora',
    processes: [{ processID, processName: 'Name', graph, sha256: `graph-${processID}`, compilerVersion: 1 }],
  });
}

const update = (resourceID: string, changed: typeof content, revisions?: number[]) =>
  updateResource(store.database, { projectID, resourceID }, changed, revisions);

describe('a resource', () => {
  it('is changed once by many who have read the same revision', async () => {
    const resourceID = await draft();
    const updates = await Promise.all(
      Array.from({ length: 20 }, (_, index) => update(resourceID, { ...content, name: `by ${index}` }, [1])),
    );
    const [winner, ...others] = updates.filter((updated) => !('kind' in updated));
    expect(winner).toMatchObject({ revision: 2 });
    expect(others).toEqual([]);
    expect(updates.filter((updated) => 'kind' in updated && updated.kind === 'changed')).toHaveLength(19);
    expect(await findResource(store.database, projectID, resourceID)).toEqual(winner);
  });

  it('is a draft that can be changed until it is deployed', async () => {
    const resourceID = await draft();
    expect(await findResource(store.database, projectID, resourceID)).toMatchObject({
      ...content,
      createdBy: 'eda',
      deployedAt: null,
    });
    expect(await update(resourceID, { ...content, name: 'New' })).toMatchObject({
      name: 'New',
      updatedAt: expect.any(Date),
    });
    await deployAs(resourceID, `p-${randomUUID()}`);
    expect(await update(resourceID, content)).toMatchObject({
      kind: 'refused',
      code: 'CONFLICT',
    });
    expect(
      await updateResource(store.database, { projectID: 'elsewhere', resourceID }, content, undefined),
    ).toMatchObject({
      kind: 'refused',
      code: 'NOT_FOUND',
    });
  });

  it('is deployed once; the same file as a new resource is a new version', async () => {
    const processID = `p-${randomUUID()}`;
    const first = await draft();
    expect(await deployAs(first, processID)).toEqual({ kind: 'deployed', definitionIDs: [expect.any(String)] });
    expect(await deployAs(first, processID)).toEqual({ kind: 'deployed', definitionIDs: [] });
    await deployAs(await draft(), processID);
    const { data } = await listVersions(store.database, projectID, processID, {}, page);
    expect(data.map(({ version, processName }) => [version, processName])).toEqual([
      [2, 'Name'],
      [1, 'Name'],
    ]);
    expect(await findResource(store.database, projectID, first)).toMatchObject({
      deployedBy: 'dora',
      deployedAt: expect.any(Date),
    });
  });

  it('is numbered without gaps when many are deployed at once', async () => {
    const processID = `p-${randomUUID()}`;
    const drafts = await Promise.all(Array.from({ length: 12 }, () => draft()));
    await Promise.all(drafts.map((resourceID) => deployAs(resourceID, processID)));
    const { data } = await listVersions(store.database, projectID, processID, {}, page);
    expect(data.map(({ version }) => version)).toEqual(Array.from({ length: 12 }, (_, index) => 12 - index));
  });

  it('is not deployed with processes compiled from another text', async () => {
    expect(await deployAs(await draft(), 'p', '<other/>')).toMatchObject({ kind: 'refused', code: 'CONFLICT' });
    expect(await deployAs(randomUUID(), 'p')).toMatchObject({ kind: 'refused', code: 'NOT_FOUND' });
  });

  it('keeps the graph by its content and the definition by its id', async () => {
    const processID = `p-${randomUUID()}`;
    const resourceID = await draft();
    await deployAs(resourceID, processID);
    const [definition] = await definitionsOfResource(store.database, projectID, resourceID);
    expect(definition).toMatchObject({ processID, version: 1, suspendedAt: null, resourceName: 'Ordering' });
    expect(await findDefinition(store.database, projectID, definition!.definitionID)).toEqual(definition);
    expect(await findDefinition(store.database, 'elsewhere', definition!.definitionID)).toBeUndefined();
    expect(await definitionXML(store.database, projectID, definition!.definitionID)).toBe(content.xml);
    expect(await loadGraph(store.database, definition!.graphSha256)).toEqual(graphOf(processID));
    expect(await loadGraph(store.database, 'unknown')).toBeUndefined();
  });

  it('is deleted unless it has instances', async () => {
    const { resourceID, definitionID } = await deploy(store);
    const used = await deploy(store);
    const workflowID = await start(store, { definitionID: used.definitionID });
    await commitStep(store, workflowID, 1, [...began, { kind: 'INSTANCE_COMPLETED' }]);
    expect(await deleteResource(store.database, projectID, used.resourceID)).toMatchObject({
      kind: 'refused',
      code: 'CONFLICT',
    });
    expect(await deleteResource(store.database, 'elsewhere', resourceID)).toMatchObject({
      kind: 'refused',
      code: 'NOT_FOUND',
    });
    expect(await deleteResource(store.database, projectID, resourceID)).toEqual({ kind: 'deleted' });
    expect(await findDefinition(store.database, projectID, definitionID)).toBeUndefined();
  });

  it('is not deleted under an instance that starts in the same moment', async () => {
    for (let round = 0; round < 10; round += 1) {
      const { resourceID, definitionID } = await deploy(store);
      const [deleted, ...starts] = await Promise.all([
        deleteResource(store.database, projectID, resourceID),
        ...Array.from({ length: 4 }, () =>
          startInstance(store.database, { projectID, definitionID, workflowID: randomUUID(), variables: {} }),
        ),
      ]);
      const started = starts.filter(({ kind }) => kind === 'started').length;
      expect(
        await valueOf(store, 'SELECT count(*)::int AS value FROM instances WHERE definition_id = $1', [definitionID]),
      ).toBe(started);
      expect(deleted.kind).toBe(started === 0 ? 'deleted' : 'refused');
    }
  });

  it('is listed newest first, and by its newest revision', async () => {
    const definitionsID = `file-${randomUUID()}`;
    const ids = [await draft(definitionsID), await draft(definitionsID)];
    await deployAs(ids[1]!, `p-${randomUUID()}`);
    expect(
      (await listResources(store.database, projectID, { definitionsID }, page)).data.map(
        ({ resourceID }) => resourceID,
      ),
    ).toEqual(ids.reverse());
    const { data } = await listLatestResources(store.database, projectID, page);
    expect(data.filter((summary) => summary.definitionsID === definitionsID)).toMatchObject([
      { latestResourceID: ids[0], versionCount: 2, isDeployed: true, name: 'Ordering' },
    ]);
  });
});

describe('processes', () => {
  it('are summed up over their versions and instances', async () => {
    const processID = `Sum-${randomUUID()}`;
    const { definitionID } = await deploy(store, processID);
    const { definitionID: newest } = await deploy(store, processID);
    await start(store, { definitionID });
    const over = await start(store, { definitionID: newest });
    await commitStep(store, over, 1, [...began, { kind: 'INSTANCE_COMPLETED' }]);
    await store.database.query('UPDATE definitions SET suspended_at = now() WHERE id = $1', [definitionID]);
    const list = (filter: Parameters<typeof listProcesses>[2]) =>
      listProcesses(store.database, projectID, filter, page);
    const { data } = await list({ q: processID.toLowerCase() });
    expect(data).toEqual([
      { processID, processName: null, versionCount: 2, suspendedVersionCount: 1, runningCount: 1, totalCount: 2 },
    ]);
    expect((await list({ q: processID, suspended: false })).total).toBe(0);
    expect((await list({ q: '%' })).total).toBe(0);
    expect((await list({ createdAfter: new Date(Date.now() + 60_000).toISOString() })).total).toBe(0);
    const versions = await listVersions(store.database, projectID, processID, { suspended: true }, page);
    expect(versions.data).toMatchObject([{ version: 1, definitionID, runningCount: 1, totalCount: 1 }]);
  });

  it('count at most 10,000 instances', async () => {
    const processID = `many-${randomUUID()}`;
    const { definitionID } = await deploy(store, processID);
    await store.database.query(
      `INSERT INTO instances (workflow_id, project_id, definition_id, root_workflow_id, variables)
       SELECT $2 || n, $3, $1, $2 || n, '{}' FROM generate_series(1, 10500) n`,
      [definitionID, processID, projectID],
    );
    const counts = { runningCount: 10_000, totalCount: 10_000 };
    expect((await listProcesses(store.database, projectID, { q: processID }, page)).data).toMatchObject([counts]);
    expect((await listVersions(store.database, projectID, processID, {}, page)).data).toMatchObject([counts]);
  });
});

describe('a project', () => {
  it('is created once, or made on first use', async () => {
    const id = randomUUID();
    expect(await createProject(store.database, id, 'Shop')).toMatchObject({ id, name: 'Shop' });
    expect(await createProject(store.database, id, 'Other')).toMatchObject({ kind: 'refused', code: 'CONFLICT' });
    await ensureProject(store.database, id);
    expect(await findProject(store.database, id)).toMatchObject({ name: 'Shop' });
    expect((await listProjects(store.database, [id, 'nobody'])).map((project) => project.id)).toEqual([id]);
    expect((await listProjects(store.database, 'all')).map((project) => project.id)).toContain(id);
  });

  it('is deleted with everything in it unless an instance runs', async () => {
    const project = randomUUID();
    const workflowID = await start(store, { project });
    expect(await deleteProject(store.database, project)).toMatchObject({ kind: 'refused', code: 'CONFLICT' });
    await commitStep(store, workflowID, 1, [...began, { kind: 'INSTANCE_COMPLETED' }]);
    await storePayload(store.database, { workflowID, storedBy: STORED_BY_START }, Buffer.from('large'));
    expect(await deleteProject(store.database, project)).toMatchObject({ kind: 'deleted' });
    await finishDeletion(store.database, project);
    expect(await findProject(store.database, project)).toBeUndefined();
    expect(
      await valueOf(store, 'SELECT count(*)::int AS value FROM erased_instances WHERE workflow_id = $1', [workflowID]),
    ).toBe(1);
    for (const table of ['steps', 'stored_payloads'])
      expect(
        await valueOf(store, `SELECT count(*)::int AS value FROM ${table} WHERE workflow_id = $1`, [workflowID]),
      ).toBe(0);
    expect(await deleteProject(store.database, project)).toMatchObject({ kind: 'refused', code: 'NOT_FOUND' });
  });
});
