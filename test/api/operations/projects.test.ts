import { afterAll, beforeAll, expect, test } from 'vitest';
import { read, startTestHost, type TestHost } from './support/host.js';
import { sequenceModel, serviceTask } from '@perdure/testkit/models';
import { deploy, start } from './support/steps.js';

let host: TestHost;

beforeAll(async () => {
  host = await startTestHost();
});
afterAll(() => host.close());

const as = async (claims: Record<string, unknown>, method: string, path: string, json?: unknown) =>
  read(
    await host.api.request(method, path, {
      token: await host.api.issuer.sign(claims),
      ...(json === undefined ? {} : { json }),
    }),
  );

test('an organization admin creates a project and is not a member of it', async () => {
  const created = await as({ roles: ['admin'] }, 'POST', '/projects', { name: 'Orders' });
  expect(created).toMatchObject({ status: 201, body: { name: 'Orders' } });
  expect(created.body.createdAt).toMatch(/Z$/);
  expect((await as({ roles: ['admin'] }, 'GET', `/projects/${created.body.id}`)).status).toBe(404);
  const member = { projects: [{ id: created.body.id, roles: ['viewer'] }] };
  expect((await as(member, 'GET', `/projects/${created.body.id}`)).body).toEqual(created.body);
});

test('a project name is needed, and nothing else is taken', async () => {
  expect((await as({ roles: ['admin'] }, 'POST', '/projects', { name: ' ' })).status).toBe(400);
  const unknown = await as({ roles: ['admin'] }, 'POST', '/projects', { name: 'x', id: 'mine' });
  expect(unknown).toMatchObject({ status: 400, body: { code: 'BAD_REQUEST' } });
  expect(unknown.body.message).toContain('id');
});

test('a project that only tokens know is empty for its viewers and is made by its first editor', async () => {
  const viewer = { projects: [{ id: 'from-token', roles: ['viewer'] }] };
  const editor = { projects: [{ id: 'from-token', roles: ['editor'] }] };
  expect(await as(viewer, 'GET', '/projects/from-token')).toMatchObject({
    status: 200,
    body: { id: 'from-token', name: 'from-token' },
  });
  expect((await as(viewer, 'GET', '/projects/from-token/bpmn/instances')).body).toEqual({
    data: [],
    pagination: { page: 1, pageSize: 20, total: 0, totalPages: 0 },
  });
  expect((await host.store.query("SELECT 1 FROM projects WHERE id = 'from-token'")).rowCount).toBe(0);
  const made = await as(editor, 'GET', '/projects/from-token');
  expect(made.status).toBe(200);
  expect((await as(viewer, 'GET', '/projects/from-token')).body).toEqual(made.body);
});

test('the list shows the projects of the token, to a system admin every project', async () => {
  const mine = {
    projects: [
      { id: 'alpha', roles: ['editor'] },
      { id: 'beta', roles: ['viewer'] },
    ],
  };
  expect((await as(mine, 'GET', '/projects')).body.map(({ id }: { id: string }) => id)).toEqual(['alpha', 'beta']);
  expect((await as({}, 'GET', '/projects')).body).toEqual([]);
  const all = (await as({ roles: ['system-admin'] }, 'GET', '/projects')).body.map(({ id }: { id: string }) => id);
  expect(all).toContain('alpha');
  expect(all).not.toContain('beta');
});

test('a project that was never created does not exist for a system admin either', async () => {
  const systemAdmin = { roles: ['system-admin'] };
  for (const path of ['', '/bpmn/instances', '/bpmn/resources', '/bpmn/external-jobs/queue-depth']) {
    expect((await as(systemAdmin, 'GET', `/projects/nobody-made-this${path}`)).status, path).toBe(404);
  }
  const { body } = await as({ roles: ['admin'] }, 'POST', '/projects', { name: 'Made' });
  expect((await as(systemAdmin, 'GET', `/projects/${body.id}/bpmn/instances`)).status).toBe(200);
});

test('deleting takes everything in the project along, and waits for running instances', async () => {
  const workflowID = await start(host, await deploy(host, sequenceModel('deleted', [serviceTask('work')])));
  expect(await host.call('admin', 'DELETE', '')).toMatchObject({ status: 409, body: { code: 'CONFLICT' } });
  expect((await host.call('editor', 'DELETE', `/bpmn/instances/${workflowID}`)).status).toBe(204);
  expect((await host.call('admin', 'DELETE', '')).status).toBe(204);
  expect((await host.call('viewer', 'GET', `/bpmn/instances/${workflowID}`)).status).toBe(404);
  expect((await host.call('viewer', 'GET', '/bpmn/resources')).status).toBe(404);
});
