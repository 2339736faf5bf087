/** Tokens with a valid signature and hostile claims. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createProject } from '../../../store/projects/projects.js';
import { createDatabase, type TestDatabase } from '../../support/infrastructure.js';
import { startTestApi } from '../support/api.js';
import type { TestApi, TestApiOptions } from '../support/api.js';
import { testOperations } from '../support/operations.js';
import { openDatabase } from '../../support/database.js';
import type { PooledDatabase } from '../../../store/connections/pooled-database.js';

const member = { projects: [{ id: 'p1', roles: ['viewer'] }] };
const now = () => Math.floor(Date.now() / 1000);

async function statusOf(
  api: TestApi,
  claims: Record<string, unknown>,
  without: readonly string[] = [],
  header = {},
): Promise<number> {
  const token = await api.issuer.sign({ ...member, ...claims }, { without, header });
  return (await api.request('GET', '/projects/p1/things/known', { token })).status;
}

async function withApi<Result>(options: TestApiOptions, use: (api: TestApi) => Promise<Result>): Promise<Result> {
  const api = await startTestApi({ operations: testOperations, ...options });
  try {
    return await use(api);
  } finally {
    await api.close();
  }
}

/** Has the project `p1`: for a system admin the row decides which projects there are. */
let store: PooledDatabase;
let database: TestDatabase;
beforeAll(async () => {
  database = await createDatabase();
  store = openDatabase(database.url);
  await createProject(store, 'p1', 'p1');
});
afterAll(async () => {
  await store.end();
  await database.drop();
});

describe('with the generic preset', () => {
  let api: TestApi;
  beforeAll(async () => {
    api = await startTestApi({ operations: testOperations });
  });
  afterAll(() => api.close());

  test('a token with a reserved name is refused with the reason', async () => {
    const token = await api.issuer.sign({ ...member, sub: 'hook:1' });
    const response = await api.request('GET', '/projects/p1/things/known', { token });
    expect(await response.json()).toMatchObject({
      code: 'UNAUTHORIZED',
      message:
        'The access token is not valid: its subject begins with "hook:", which is reserved. Rename the account at the identity provider.',
    });
  });

  test.each([
    ['another issuer', { iss: 'https://elsewhere.example' }],
    ['the issuer with a slash more', { iss: 'ISSUER/' }],
    ['an issuer that is a list', { iss: ['ISSUER'] }],
    ['another audience', { aud: 'somebody' }],
    ['an audience that begins like ours', { aud: 'perdure-console' }],
    ['no audience in the list', { aud: [] }],
    ['a list of audiences with a number', { aud: ['perdure', 5] }],
    ['an audience that is an object', { aud: { perdure: true } }],
    ['expiry beyond the tolerance', { exp: now() - 40 }],
    ['expiry as a string', { exp: String(now() + 300) }],
    ['issued in the future beyond the tolerance', { iat: now() + 60 }],
    ['issued at a string', { iat: String(now()) }],
    ['not yet valid', { nbf: now() + 60 }],
    ['an empty subject', { sub: '' }],
    ['a subject that is null', { sub: null }],
    ['a subject that is a number', { sub: 5 }],
    ['a subject that is a list', { sub: ['someone'] }],
    ['a subject of 10 KB', { sub: 'x'.repeat(10_000) }],
    ['a subject with a line break', { sub: 'some\r\none' }],
    ['the name of a Nexus endpoint', { sub: 'nexus:shop' }],
    ['the name of a hook', { sub: 'hook:0b7c9c3e-6f0e-4d5c-8b62-5f6d0a3a3c11' }],
    ['the name of the connectors', { sub: 'perdure:connectors' }],
    ['a reserved name in other letters', { sub: ' Perdure:Connectors' }],
    ['a subject with NUL', { sub: 'some\u0000one' }],
    ['the marks of an ID token: nonce', { nonce: 'n' }],
    ['the marks of an ID token: at_hash', { at_hash: 'h', aud: ['console', 'perdure'] }],
    ['the type of a refresh token', { typ: 'Refresh' }],
    ['the type of an offline token', { typ: 'Offline' }],
    ['the type of an ID token', { typ: 'ID' }],
    ['the use of an ID token', { token_use: 'id' }],
    ['the events of a logout token', { events: { 'http://schemas.openid.net/event/backchannel-logout': {} } }],
    ['a binding to a key of the client', { cnf: { jkt: 'x' } }],
  ])('%s is 401', async (_, claims) => {
    const iss =
      'iss' in claims ? JSON.parse(JSON.stringify(claims.iss).replace('ISSUER', api.issuer.url)) : api.issuer.url;
    expect(await statusOf(api, { ...claims, iss })).toBe(401);
  });

  test.each(
    ['exp', 'iat', 'nbf'].flatMap((claim) =>
      ['1e400', '-1e400', '1e300', '-1', 'null', '"1700000000"', 'true', '[1700000000]', '{}'].map((text) => [
        claim,
        text,
      ]),
    ),
  )('a token whose %s is %s, not a finite number of seconds, is 401', async (claim, text) => {
    const token = await api.issuer.sign(member, { texts: { [claim]: text } });
    expect((await api.request('GET', '/projects/p1/things/known', { token })).status).toBe(401);
  });

  test('times with fractions of a second are fine', async () => {
    expect(await statusOf(api, { iat: now() - 0.5, nbf: now() - 10.25, exp: now() + 300.75 })).toBe(200);
  });

  test.each(['exp', 'iat', 'sub', 'aud', 'iss'])('a token without %s is 401', async (name) => {
    expect(await statusOf(api, {}, [name])).toBe(401);
  });

  test.each(['logout+jwt', 'dpop+jwt', 'secevent+jwt', 'JWE'])('the header type %s is 401', async (typ) => {
    expect(await statusOf(api, {}, [], { typ })).toBe(401);
  });

  test.each(['JWT', 'at+jwt', 'AT+JWT', 'application/at+jwt'])('the header type %s is accepted', async (typ) => {
    expect(await statusOf(api, {}, [], { typ })).toBe(200);
  });

  test('expiry and issue within the tolerance are accepted', async () => {
    expect(await statusOf(api, { exp: now() - 5 })).toBe(200);
    expect(await statusOf(api, { iat: now() + 15 })).toBe(200);
    expect(await statusOf(api, { aud: ['console', 'perdure'] })).toBe(200);
  });

  test('an expired token is refused with "The access token expired"', async () => {
    const token = await api.issuer.sign({ ...member, exp: now() - 100, iat: now() - 400 });
    const response = await api.request('GET', '/projects/p1/things/known', { token });
    expect(response.status).toBe(401);
    expect(response.headers.get('www-authenticate')).toContain('error_description="The access token expired"');
    expect(await response.json()).toMatchObject({ message: 'The access token expired' });
  });

  test.each([['Admin'], ['ADMIN '], ['admin\u0000'], ['аdmin'], ['project-admin'], ['viewer admin'], ['viewer,admin']])(
    'the role word %j gives no right',
    async (word) => {
      expect(await statusOf(api, { projects: [{ id: 'p1', roles: [word] }] })).toBe(404);
    },
  );

  test('a roles list that is a string is never split', async () => {
    expect(await statusOf(api, { projects: [{ id: 'p1', roles: 'viewer admin' }] })).toBe(404);
    expect(await statusOf(api, { projects: [], roles: 'user system-admin' })).toBe(404);
    expect(await statusOf(api, { projects: 'p1' })).toBe(404);
    expect(await statusOf(api, { projects: { p1: ['viewer'] } })).toBe(404);
  });

  test.each(['P1', 'p1/', 'p1%2f', 'p1 ', 'p', 'p11', ''])('membership of %j is not membership of p1', async (id) => {
    expect(await statusOf(api, { projects: [{ id, roles: ['admin'] }] })).toBe(404);
  });

  test('odd entries in the projects claim are passed over', async () => {
    const projects = [
      null,
      5,
      'p1',
      {},
      { id: 'p1' },
      { id: 5, roles: ['admin'] },
      { id: 'p1', roles: [null, 'viewer', 'nonsense'] },
    ];
    expect(await statusOf(api, { projects })).toBe(200);
  });

  test('the highest of several roles counts, also over several entries', async () => {
    const token = await api.issuer.sign({
      projects: [
        { id: 'p1', roles: ['viewer', 'editor'] },
        { id: 'p1', roles: ['executor'] },
      ],
    });
    expect((await api.request('DELETE', '/projects/p1/things/known', { token })).status).toBe(204);
  });

  test('a project role called system-admin, a group called admin and an organization admin open no project', async () => {
    expect(await statusOf(api, { projects: [{ id: 'p1', roles: ['system-admin'] }] })).toBe(404);
    expect(await statusOf(api, { projects: [], groups: ['admin', 'system-admin'] })).toBe(404);
    expect(await statusOf(api, { projects: [], roles: ['admin'] })).toBe(404);
  });

  test('a system admin is admin of every project, and of the organization', async () => {
    await withApi({ store }, async (api) => {
      const token = await api.issuer.sign({ roles: ['system-admin'] });
      expect((await api.request('DELETE', '/projects/p1/things/known', { token })).status).toBe(204);
      expect((await api.request('DELETE', '/projects/nobody-made-this/things/known', { token })).status).toBe(404);
      expect((await api.request('POST', '/things', { token })).status).toBe(201);
    });
  });

  test('a development project answers to its name and to its uuid, in paths and in claims', async () => {
    const uuid = '00000000-0000-4000-8000-000000000001';
    const byName = await api.issuer.sign({ projects: [{ id: 'demo', roles: ['executor'] }] });
    const byUuid = await api.issuer.sign({ projects: [{ id: uuid, roles: ['executor'] }] });
    for (const token of [byName, byUuid]) {
      for (const id of ['demo', uuid]) {
        const response = await api.request('POST', `/projects/${id}/echo/x`, { token, json: {} });
        expect(await response.json()).toMatchObject({ params: { projectID: 'demo', thingID: 'x' } });
      }
    }
    const other = await api.request('POST', '/projects/other/echo/x', { token: byName, json: {} });
    expect(other.status).toBe(404);
  });
});

test('a token older than the configured age is 401', async () => {
  await withApi({ env: { OIDC_MAX_TOKEN_AGE_SECONDS: '60' } }, async (api) => {
    expect(await statusOf(api, { iat: now() - 200 })).toBe(401);
    expect(await statusOf(api, { iat: now() - 30 })).toBe(200);
  });
});

test('only configured clients may have obtained the token', async () => {
  await withApi({ env: { OIDC_AUTHORIZED_PARTIES: 'console, worker' } }, async (api) => {
    expect(await statusOf(api, { azp: 'console' })).toBe(200);
    expect(await statusOf(api, { client_id: 'worker' })).toBe(200);
    expect(await statusOf(api, { azp: 'other', client_id: 'worker' })).toBe(401);
    expect(await statusOf(api, {})).toBe(401);
  });
});

test('with the keycloak preset only tokens of type Bearer are accepted, and roles come from the realm', async () => {
  await withApi({ env: { OIDC_PRESET: 'keycloak' } }, async (api) => {
    expect(await statusOf(api, {})).toBe(401);
    expect(await statusOf(api, { typ: 'ID' })).toBe(401);
    expect(await statusOf(api, { typ: 'Bearer', nonce: 'n' })).toBe(200);
  });
  await withApi({ env: { OIDC_PRESET: 'keycloak' }, store }, async (api) => {
    expect(await statusOf(api, { typ: 'Bearer', projects: [], realm_access: { roles: ['system-admin'] } })).toBe(200);
  });
});
