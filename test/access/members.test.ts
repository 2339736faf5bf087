/** Members of projects at real identity providers: what is written there shows in the tokens they issue. */
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import { useStore } from '../store/support/store.js';
import { startTestApi } from '../api/support/api.js';
import { read } from '../api/operations/support/host.js';
import { startProviderApi, type ProviderApi } from './support/api.js';
import { providersOf, type IdentityProvider } from './support/provider.js';

const providers = await providersOf(process.env['ACCESS_PROVIDERS']);

describe.each(providers)('members at $name', { timeout: 60_000 }, ({ start, obstacle }) => {
  if (obstacle !== undefined) return void test.skip(`cannot be tested here: ${obstacle}`);

  let provider: IdentityProvider;
  let api: ProviderApi;
  let project: string;
  let members: string;

  beforeAll(async () => {
    provider = await start();
    api = await startProviderApi(provider);
  });
  afterAll(async () => {
    await api?.close();
    await provider?.close();
  });
  beforeEach(async () => {
    project = await api.createProject();
    members = `/projects/${project}/members`;
  });

  const memberPath = async (account: Parameters<IdentityProvider['subject']>[0]) =>
    `${members}/${encodeURIComponent(await provider.subject(account))}`;

  test('get their role with the next token, lose it with the next token, and are listed in the meantime', async () => {
    expect((await api.as('system-admin', 'GET', members)).body).toEqual({
      data: [],
      pagination: { page: 1, pageSize: 20, total: 0, totalPages: 0 },
    });
    expect((await api.as('outsider', 'GET', `/projects/${project}`)).status).toBe(404);

    const put = await api.as('system-admin', 'PUT', await memberPath('outsider'), { role: 'executor' });
    expect(put).toMatchObject({
      status: 200,
      body: {
        subject: await provider.subject('outsider'),
        name: expect.stringContaining('outsider'),
        role: 'executor',
      },
    });
    expect((await api.as('outsider', 'GET', `/projects/${project}`)).status).toBe(200);
    expect((await api.as('outsider', 'GET', members)).status).toBe(404);
    expect((await api.as('system-admin', 'GET', members)).body.data).toEqual([put.body]);

    expect((await api.as('system-admin', 'PUT', await memberPath('outsider'), { role: 'viewer' })).body.role).toBe(
      'viewer',
    );
    expect((await api.as('outsider', 'POST', `/projects/${project}/bpmn/signals`, { signalName: 'x' })).status).toBe(
      404,
    );
    expect((await api.as('system-admin', 'GET', members)).body.data).toMatchObject([{ role: 'viewer' }]);

    expect((await api.as('system-admin', 'DELETE', await memberPath('outsider'))).status).toBe(204);
    expect((await api.as('outsider', 'GET', `/projects/${project}`)).status).toBe(404);
    expect((await api.as('system-admin', 'DELETE', await memberPath('outsider'))).status).toBe(404);
  });

  test('are in the audit log with the role that they got, and the one that they had', async () => {
    const outsider = await memberPath('outsider');
    await api.as('system-admin', 'PUT', outsider, { role: 'admin' });
    await api.as('system-admin', 'PUT', await memberPath('editor'), { role: 'admin' });
    await api.as('system-admin', 'PUT', outsider, { role: 'viewer' });
    await api.as('system-admin', 'DELETE', outsider);
    const { data } = (await api.as('system-admin', 'GET', `/projects/${project}/audit?order=asc`)).body;
    const subject = await provider.subject('outsider');
    const ofOutsider = data.filter((entry: Record<string, unknown>) => entry['subject'] === subject);
    expect(ofOutsider.map((entry: Record<string, unknown>) => entry['details'])).toEqual([
      { role: { from: null, to: 'admin' } },
      { role: { from: 'admin', to: 'viewer' } },
      { role: { from: 'viewer', to: null } },
    ]);
  });

  test('keep the role of a token that was issued before, until it expires', async () => {
    await api.as('system-admin', 'PUT', await memberPath('viewer'), { role: 'viewer' });
    const token = await provider.token('viewer');
    await api.as('system-admin', 'DELETE', await memberPath('viewer'));
    expect((await api.call('GET', `/projects/${project}`, { token })).status).toBe(200);
    expect((await api.as('viewer', 'GET', `/projects/${project}`)).status).toBe(404);
  });

  test('of one project are none of another, and their roles there stay', async () => {
    const other = await api.createProject();
    await api.as('system-admin', 'PUT', await memberPath('editor'), { role: 'admin' });
    await api.as(
      'system-admin',
      'PUT',
      `/projects/${other}/members/${encodeURIComponent(await provider.subject('editor'))}`,
      { role: 'viewer' },
    );
    expect((await api.as('editor', 'GET', members)).body.data).toMatchObject([{ role: 'admin' }]);
    expect((await api.as('editor', 'GET', `/projects/${other}/members`)).status).toBe(404);
    expect((await api.as('editor', 'GET', '/projects/demo')).status).toBe(200);
  });

  test('are changed by admins of the project alone, and the last of these stays', async () => {
    await api.as('system-admin', 'PUT', await memberPath('admin'), { role: 'admin' });
    await api.as('system-admin', 'PUT', await memberPath('editor'), { role: 'editor' });
    expect((await api.as('editor', 'PUT', await memberPath('editor'), { role: 'admin' })).status).toBe(404);
    for (const [method, json] of [
      ['DELETE', undefined],
      ['PUT', { role: 'editor' }],
    ] as const) {
      expect(await api.as('admin', method, await memberPath('admin'), json)).toMatchObject({
        status: 409,
        body: { code: 'CONFLICT' },
      });
    }
    expect((await api.as('admin', 'PUT', await memberPath('editor'), { role: 'admin' })).status).toBe(200);
    expect((await api.as('admin', 'DELETE', await memberPath('admin'))).status).toBe(204);
    expect((await api.as('editor', 'GET', members)).body.data).toMatchObject([{ role: 'admin' }]);
  });

  test('two admins who remove each other at once do not both succeed', async () => {
    for (const account of ['admin', 'editor'] as const)
      await api.as('system-admin', 'PUT', await memberPath(account), { role: 'admin' });
    const [admin, editor] = [await provider.token('admin'), await provider.token('editor')];
    const [pathOfAdmin, pathOfEditor] = [await memberPath('admin'), await memberPath('editor')];
    const [one, other] = await Promise.all([
      api.call('DELETE', pathOfEditor, { token: admin }),
      api.call('DELETE', pathOfAdmin, { token: editor }),
    ]);
    expect([one.status, other.status].sort()).toEqual([204, 409]);
  });

  test('are listed page by page, by subject', async () => {
    for (const account of ['viewer', 'executor', 'editor'] as const)
      await api.as('system-admin', 'PUT', await memberPath(account), { role: account });
    const all = (await api.as('system-admin', 'GET', members)).body.data as { subject: string }[];
    expect(all.map(({ subject }) => subject)).toEqual(all.map(({ subject }) => subject).toSorted());
    const second = await api.as('system-admin', 'GET', `${members}?page=2&pageSize=2`);
    expect(second.body).toEqual({ data: all.slice(2), pagination: { page: 2, pageSize: 2, total: 3, totalPages: 2 } });
  });

  test.each<[string, string]>([
    ['a name', 'nobody'],
    ['the folder above', '..'],
    ['the folder above, encoded', '%2e%2e'],
    ['another path', '%2e%2e%2fusers'],
    ['NUL', 'a%00b'],
    ['bytes that are not text', '%ff'],
    ['a new line', 'x%0d%0ay'],
    ['SQL', encodeURIComponent("' OR 1=1--")],
    ['a uuid', '00000000-0000-4000-8000-00000000abcd'],
    ['300 characters', 'x'.repeat(300)],
  ])('that no provider knows are not found: %s', async (_, subject) => {
    for (const [method, json] of [
      ['DELETE', undefined],
      ['PUT', { role: 'viewer' }],
    ] as const) {
      const { status } = await api.as('system-admin', method, `${members}/${subject}`, json);
      // `..` names the collection itself, which has other methods.
      expect([404, 405], method).toContain(status);
    }
    expect((await api.as('system-admin', 'GET', members)).body.pagination.total).toBe(0);
  });

  test.each([
    { role: 'owner' },
    { role: 'Admin' },
    {},
    { role: ['viewer'] },
    { roles: ['viewer'] },
    { role: 'viewer', subject: 'x' },
  ])('are refused with %j', async (json) => {
    expect((await api.as('system-admin', 'PUT', await memberPath('outsider'), json)).status).toBe(400);
  });
});

describe('members where the host may not change them', () => {
  const store = useStore();

  test('are managed by the provider, which the answer names', async () => {
    const api = await startTestApi({ store: store.database });
    try {
      const token = await api.issuer.sign({ projects: [{ id: 'p1', roles: ['admin'] }] });
      for (const [method, path, json] of [
        ['GET', '', undefined],
        ['PUT', '/somebody', { role: 'viewer' }],
        ['DELETE', '/somebody', undefined],
      ] as const) {
        const answer = await read(
          await api.request(method, `/projects/p1/members${path}`, { token, ...(json === undefined ? {} : { json }) }),
        );
        expect(answer).toMatchObject({
          status: 409,
          body: { code: 'MEMBERSHIP_MANAGED_BY_PROVIDER', details: { issuer: api.issuer.url } },
        });
        expect(answer.body.message).toContain(api.issuer.url);
      }
    } finally {
      await api.close();
    }
  });
});

describe('members at a provider that misbehaves', () => {
  let server: Server;
  let asked: string[];
  let answer: (response: import('node:http').ServerResponse) => void;
  let api: Awaited<ReturnType<typeof startTestApi>>;

  beforeEach(async () => {
    asked = [];
    server = createServer((request, response) => {
      asked.push(request.url ?? '');
      answer(response);
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/administration`;
    api = await startTestApi({ env: { OIDC_ADMIN_URL: url, OIDC_ADMIN_CLIENT_SECRET: 'a-secret' } });
  });
  afterEach(async () => {
    await api.close();
    server.close();
    server.closeAllConnections();
  });

  const list = async () => {
    const token = await api.issuer.sign({ projects: [{ id: 'p1', roles: ['admin'] }] });
    return read(await api.request('GET', '/projects/p1/members', { token }));
  };

  test.each<[string, typeof answer]>([
    ['fails', (response) => response.writeHead(500).end('stack trace')],
    ['refuses our secret', (response) => response.writeHead(401).end()],
    ['sends us elsewhere', (response) => response.writeHead(302, { location: '/elsewhere' }).end()],
    ['answers no JSON', (response) => response.writeHead(200).end('<html>')],
    ['answers something else', (response) => response.writeHead(200).end('{"accounts":[]}')],
    ['answers without end', (response) => response.writeHead(200).end(Buffer.alloc(5 * 1024 * 1024, ' '))],
    ['hangs up', (response) => response.destroy()],
    ['does not answer in time', () => undefined],
  ])('are not available while it %s', async (what, behaviour) => {
    answer = behaviour;
    const { timeout } = AbortSignal;
    const timeouts = vi
      .spyOn(AbortSignal, 'timeout')
      .mockImplementation((milliseconds) =>
        timeout.call(AbortSignal, what === 'does not answer in time' ? milliseconds / 50 : milliseconds),
      );
    const found = await list().finally(() => timeouts.mockRestore());
    expect(found).toMatchObject({ status: 503, body: { code: 'UNAVAILABLE' } });
    expect(found.headers.get('retry-after')).toMatch(/^\d+$/);
    expect(asked).toEqual(['/administration/accounts']);
    expect(JSON.stringify(api.logs())).not.toContain('a-secret');
    answer = (response) =>
      response
        .writeHead(200)
        .end(JSON.stringify([{ sub: 'ada', name: 'Ada', projects: [{ id: 'p1', roles: ['viewer', 'editor'] }] }]));
    expect((await list()).body.data).toEqual([{ subject: 'ada', name: 'Ada', role: 'editor' }]);
  });
});
