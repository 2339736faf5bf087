/** Names of secrets, for those who write models. */
import { afterAll, beforeAll, expect, it } from 'vitest';
import { createSecrets } from '../../../outbound/secrets/secrets.js';
import { createDatabase, type TestDatabase } from '../../support/infrastructure.js';
import { startTestApi, type TestApi } from '../support/api.js';
import type { PooledDatabase } from '../../../store/connections/pooled-database.js';
import { openDatabase } from '../../support/database.js';

let database: TestDatabase;
let store: PooledDatabase;
let api: TestApi;
beforeAll(async () => {
  database = await createDatabase();
  store = openDatabase(database.url);
  const secrets = createSecrets(undefined, {
    p1: {
      MAIL: { values: ['mail-password', 'former-password'], hosts: [] },
      BANK: { values: ['bank-password'], hosts: ['api.bank.com', '*.bank.org:8443'] },
    },
    p2: { OTHER: { values: ['other-password'], hosts: [] } },
  });
  api = await startTestApi({ store, context: { secrets } });
});
afterAll(async () => {
  await api?.close();
  await store?.end();
  await database?.drop();
});

async function list(role: string, path: string) {
  const token = await api.issuer.sign({ sub: role, projects: [{ id: 'p1', roles: [role] }] });
  const response = await api.request('GET', path, { token });
  return { status: response.status, text: await response.text() };
}

it.each(['editor', 'admin'])('an %s reads the names and hosts of the secrets of the project, by name', async (role) => {
  const { status, text } = await list(role, '/projects/p1/secrets');
  expect(status).toBe(200);
  expect(JSON.parse(text)).toMatchObject({
    data: [
      { name: 'BANK', hosts: ['api.bank.com', '*.bank.org:8443'] },
      { name: 'MAIL', hosts: [] },
    ],
    pagination: { total: 2 },
  });
  expect(text).not.toContain('password');
});

it('secrets are read by page', async () => {
  const { text } = await list('editor', '/projects/p1/secrets?page=2&pageSize=1');
  expect(JSON.parse(text).data).toEqual([{ name: 'MAIL', hosts: [] }]);
});

it.each([
  ['a viewer', 'viewer', '/projects/p1/secrets'],
  ['an executor', 'executor', '/projects/p1/secrets'],
  ['an editor of another project', 'editor', '/projects/p2/secrets'],
  ['an editor who asks for a secret', 'editor', '/projects/p1/secrets/BANK'],
])('there is nothing for %s', async (_who, role, path) => {
  const { status, text } = await list(role, path);
  expect(status).toBe(404);
  expect(text).not.toMatch(/BANK|MAIL|OTHER|password/);
});
