/** The audit log of the organization: what system admins see of all projects, also of those that no longer exist. */
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { finishDeletion } from '../../support/deleted-projects.js';
import { eventually } from '../../support/eventually.js';
import { read, startTestHost, type TestHost } from './support/host.js';

let host: TestHost;
let founder: string;

beforeAll(async () => {
  host = await startTestHost();
  founder = await host.api.issuer.sign({ sub: 'founder', roles: ['system-admin'] });
});
afterAll(() => host.close());

const asFounder = async (method: string, path: string, json?: unknown) =>
  read(await host.api.request(method, path, { token: founder, ...(json !== undefined && { json }) }));
const entries = async (query: string) =>
  (await asFounder('GET', `/audit?${query}`)).body.data as Record<string, unknown>[];

test('has the whole life of a project after it was deleted, with its settings old and new', async () => {
  const { id } = (await asFounder('POST', '/projects', { name: 'Short-lived' })).body;
  await asFounder('PATCH', `/projects/${id}/settings`, { auditRetention: 'P400D', description: 'evidence' });
  await asFounder('PATCH', `/projects/${id}/settings`, { auditRetention: 'P90D' });
  expect((await asFounder('DELETE', `/projects/${id}`)).status).toBe(204);
  expect((await asFounder('GET', `/projects/${id}/audit`)).status).toBe(404);
  const by = { projectID: id, actor: 'founder', outcome: 'APPLIED' };
  expect(await entries(`projectID=${id}`)).toMatchObject([
    { ...by, operation: 'DeleteProject', details: { name: 'Short-lived' } },
    { ...by, operation: 'ChangeProjectSettings', details: { auditRetention: { from: 'P400D', to: 'P90D' } } },
    {
      ...by,
      operation: 'ChangeProjectSettings',
      details: { auditRetention: { from: null, to: 'P400D' }, description: { from: null, to: 'evidence' } },
    },
    { ...by, operation: 'CreateProject', details: { name: 'Short-lived' } },
  ]);
  expect(await entries(`projectID=${id}&operation=DeleteProject`)).toHaveLength(1);
});

test('has the entries of all projects as one stream', async () => {
  const ids: string[] = [];
  for (const name of ['one', 'two']) ids.push((await asFounder('POST', '/projects', { name })).body.id as string);
  const response = await host.api.request('GET', '/audit?operation=CreateProject&order=asc', {
    token: founder,
    headers: { accept: 'application/x-ndjson' },
  });
  const lines = (await response.text()).trim().split('\n');
  const found = lines.map((line) => (JSON.parse(line) as { projectID: string }).projectID);
  expect(found.filter((id) => ids.includes(id))).toEqual(ids);
});

test('has the creation of a project by the first request of a token that names it, once', async () => {
  const id = `named-${randomUUID()}`;
  const token = await host.api.issuer.sign({ sub: 'ann', projects: [{ id, roles: ['editor'] }] });
  await Promise.all([1, 2, 3].map(() => host.api.request('GET', `/projects/${id}`, { token })));
  expect(await entries(`projectID=${id}`)).toMatchObject([
    { actor: 'ann', operation: 'CreateProject', details: { name: id, namedBy: 'token' } },
  ]);
});

test('keeps the entries of a deleted project from a later one with the same id', async () => {
  const id = `again-${randomUUID()}`;
  const token = await host.api.issuer.sign({ sub: 'ann', projects: [{ id, roles: ['admin'] }] });
  const asAdmin = async (method: string, path: string) =>
    read(await host.api.request(method, `/projects/${id}${path}`, { token }));
  await asAdmin('GET', '');
  expect((await asAdmin('DELETE', '')).status).toBe(204);
  await finishDeletion(host.store, id);
  await eventually(
    () => asAdmin('GET', ''),
    ({ status }) => status === 200,
  );
  const operationsIn = (list: unknown) => (list as { operation: string }[]).map(({ operation }) => operation);
  expect(operationsIn((await asAdmin('GET', '/audit')).body.data)).toEqual(['CreateProject']);
  expect(operationsIn(await entries(`projectID=${id}`))).toEqual(['CreateProject', 'DeleteProject', 'CreateProject']);
});
