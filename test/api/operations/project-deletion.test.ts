/** Requests for a project that has been deleted and whose rows a worker has yet to delete. */
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { sequenceModel } from '@perdure/testkit/models';
import { finishDeletion } from '../../support/deleted-projects.js';
import { eventually } from '../../support/eventually.js';
import { read, startTestHost, type Called, type TestHost } from './support/host.js';

let host: TestHost;

beforeAll(async () => {
  host = await startTestHost();
});
afterAll(() => host.close());

const xml = sequenceModel('p', []);

/** A project that only tokens name, with a way to call it in a role. */
function newProject() {
  const id = `p-${randomUUID()}`;
  const call = async (role: string, method: string, path: string, json?: unknown): Promise<Called> => {
    const token = await host.api.issuer.sign({ sub: role, projects: [{ id, roles: [role] }] });
    return read(
      await host.api.request(method, `/projects/${id}${path}`, { token, ...(json !== undefined && { json }) }),
    );
  };
  const listedFor = async (role: string) => {
    const token = await host.api.issuer.sign({ sub: role, projects: [{ id, roles: [role] }] });
    const { body } = await read(await host.api.request('GET', '/projects', { token }));
    return (body as { id: string }[]).map((project) => project.id);
  };
  return { id, call, listedFor };
}

const draft = { name: 'a draft', xml };

test('is 404 from the response on, with everything in it, for members and system admins, and in no list', async () => {
  const { id, call, listedFor } = newProject();
  const resource = await call('editor', 'POST', '/bpmn/resources', draft);
  expect(resource.status).toBe(201);
  await call('editor', 'POST', `/bpmn/resources/${resource.body.resourceID}/deploy`);
  expect((await call('admin', 'DELETE', '')).status).toBe(204);
  const gone = await Promise.all([
    call('viewer', 'GET', ''),
    call('admin', 'GET', '/settings'),
    call('admin', 'PATCH', '/settings', { name: 'again' }),
    call('viewer', 'GET', `/bpmn/resources/${resource.body.resourceID}`),
    call('executor', 'POST', '/bpmn/instances', { processId: 'p' }),
    call('executor', 'POST', '/bpmn/external-jobs/poll', { taskType: 'pack', clientID: 'w' }),
    call('admin', 'DELETE', ''),
  ]);
  expect(gone.map(({ status }) => status)).toEqual(gone.map(() => 404));
  const founder = await host.api.issuer.sign({ sub: 'founder', roles: ['system-admin'] });
  for (const method of ['GET', 'DELETE'])
    expect((await host.api.request(method, `/projects/${id}`, { token: founder })).status).toBe(404);
  for (const role of ['viewer', 'editor', 'admin']) expect(await listedFor(role)).toEqual([]);
});

test('its id is a conflict for what would begin a new project with it, until nothing is left of the old one', async () => {
  const { id, call } = newProject();
  await call('editor', 'POST', '/bpmn/resources', draft);
  await call('admin', 'DELETE', '');
  const bundle = { files: [{ name: 'p.bpmn', content: xml }] };
  for (const [path, json] of [
    ['/bpmn/resources', draft],
    ['/bpmn/deployments', bundle],
  ] as const) {
    const refused = await call('editor', 'POST', path, json);
    expect(refused).toMatchObject({ status: 409, body: { code: 'CONFLICT' } });
    expect(refused.body.detail).toBe(`Project ${id} is being deleted. Repeat the request after the deletion.`);
  }
  await finishDeletion(host.store, id);
  expect((await call('editor', 'POST', '/bpmn/deployments', bundle)).status).toBe(201);
  // Each process looks at the list of deleted projects again within half a second.
  await eventually(
    () => call('viewer', 'GET', ''),
    ({ status }) => status === 200,
  );
});

test('a long poll that began before the deletion ends without a job, and the next one is 404', async () => {
  const { id, call } = newProject();
  await call('editor', 'POST', '/bpmn/resources', draft);
  const poll = (timeout: string) =>
    call('executor', 'POST', '/bpmn/external-jobs/poll', { taskType: 'pack', clientID: 'w', timeout });
  const waiting = poll('3s');
  await eventually(
    () => host.store.query('SELECT FROM job_workers WHERE project_id = $1', [id]),
    ({ rowCount }) => rowCount === 1,
  );
  expect((await call('admin', 'DELETE', '')).status).toBe(204);
  expect((await waiting).status).toBe(204);
  expect((await poll('0s')).status).toBe(404);
});

test('of two deletions at once, one is 204 and the other 404', async () => {
  const { call } = newProject();
  await call('editor', 'POST', '/bpmn/resources', draft);
  const both = await Promise.all([call('admin', 'DELETE', ''), call('admin', 'DELETE', '')]);
  expect(both.map(({ status }) => status).toSorted()).toEqual([204, 404]);
});

test('a bundle that is deployed while the project is deleted is in the deleted project, or refused', async () => {
  for (let round = 0; round < 5; round += 1) {
    const { id, call } = newProject();
    await call('editor', 'POST', '/bpmn/resources', draft);
    const bundle = { files: [{ name: 'p.bpmn', content: xml }] };
    const [deployed, deleted] = await Promise.all([
      call('editor', 'POST', '/bpmn/deployments', bundle),
      call('admin', 'DELETE', ''),
    ]);
    expect(deleted.status).toBe(204);
    expect([201, 409]).toContain(deployed.status);
    const started = await call('executor', 'POST', '/bpmn/instances', { processId: 'p' });
    expect(started.status).toBe(404);
    await finishDeletion(host.store, id);
  }
});
