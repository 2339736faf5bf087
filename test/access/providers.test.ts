/**
 * Access with tokens of real identity providers, also when their keys change or they are down. `npm run providers` plays
 * all of it on Keycloak as well (`ACCESS_PROVIDERS=all`).
 */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { decodeProtectedHeader } from 'jose';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { withoutRequest } from '../api/operations/support/steps.js';
import { startProviderApi, type ProviderApi } from './support/api.js';
import { providersOf, type IdentityProvider, type ServiceAccount } from './support/provider.js';
import { startProxy, type Proxy } from './support/proxy.js';

const providers = await providersOf(process.env['ACCESS_PROVIDERS']);

const signal = (project: string) => ['POST', `/projects/${project}/bpmn/signals`, { signalName: 'x' }] as const;
const draft = (project: string) => ['POST', `/projects/${project}/bpmn/resources`, { name: 'x' }] as const;
const settings = (project: string) => ['GET', `/projects/${project}/settings`, undefined] as const;
const project = (id: string) => ['GET', `/projects/${id}`, undefined] as const;

/** Rights of each service account in the project `demo`: 200 or 400 past the access check, 404 before it. */
const rights: Record<ServiceAccount, [read: number, act: number, write: number, administer: number]> = {
  viewer: [200, 404, 404, 404],
  executor: [200, 200, 404, 404],
  editor: [200, 200, 400, 404],
  admin: [200, 200, 400, 200],
  'system-admin': [200, 200, 400, 200],
  outsider: [404, 404, 404, 404],
};

describe.each(providers)('tokens of $name', { timeout: 60_000 }, ({ start, obstacle }) => {
  if (obstacle !== undefined) return void test.skip(`cannot be tested here: ${obstacle}`);
  let provider: IdentityProvider;
  let api: ProviderApi;

  beforeAll(async () => {
    provider = await start();
    api = await startProviderApi(provider);
    // The first editor makes the row of a project that tokens name; for system admins it exists from then on.
    await api.as('editor', ...project('demo'));
  });
  afterAll(async () => {
    await api?.close();
    await provider?.close();
  });

  test.each(Object.entries(rights))('allow %s what its role in the project allows', async (account, expected) => {
    const found: number[] = [];
    for (const of of [project, signal, draft, settings]) {
      const [method, path, json] = of('demo');
      found.push((await api.as(account as ServiceAccount, method, path, json)).status);
    }
    expect(found).toEqual(expected);
  });

  test('show each account its own projects and no other', async () => {
    // Other test files may be making the same accounts members of projects of theirs.
    const idsOf = async (account: ServiceAccount) =>
      ((await api.as(account, 'GET', '/projects')).body as { id: string }[])
        .map(({ id }) => id)
        .filter((id) => ['demo', 'other'].includes(id));
    expect(await idsOf('viewer')).toEqual(['demo']);
    expect(await idsOf('executor')).toEqual(['demo', 'other']);
    expect(await idsOf('outsider')).toEqual([]);
    expect(await idsOf('system-admin')).toEqual(expect.arrayContaining(['demo']));
  });

  test('answer a foreign project, an unknown one and a role too low with the same bytes', async () => {
    const bodies = [
      await api.as('viewer', ...project('other')),
      await api.as('viewer', ...project('no-such-project')),
      await api.as('viewer', ...signal('demo')),
      await api.as('outsider', ...settings('demo')),
    ].map(({ status, body }) => ({ status, body: withoutRequest(body) }));
    for (const body of bodies) expect(body).toEqual(bodies[0]);
    expect(bodies[0]?.status).toBe(404);
  });

  test('are recognized as those of service accounts', async () => {
    await api.as('viewer', 'GET', '/projects/no-such-project');
    const line = api.api.logs().findLast(({ operation }) => operation === 'GetProject');
    expect(line).toMatchObject({
      serviceAccount: true,
      subject: await provider.subject('viewer'),
    });
  });

  test('are refused when a byte of them is changed', async () => {
    const token = await provider.token('viewer');
    const [header, payload, signature] = token.split('.') as [string, string, string];
    const raised = Buffer.from(Buffer.from(payload, 'base64url').toString().replaceAll('viewer', 'editor')).toString(
      'base64url',
    );
    for (const changed of [
      `${header}.${raised}.${signature}`,
      `${header}.${payload}.${signature.slice(0, -8)}`,
      `${header}.${payload}.`,
      `${header}.${payload}`,
    ]) {
      expect((await api.call('GET', '/projects/demo', { token: changed })).status).toBe(401);
    }
  });

  test('are accepted throughout a change of keys, the new ones from the first on', async () => {
    const before = await provider.token('viewer');
    const statuses: number[] = [];
    let running = true;
    const requests = (async () => {
      while (running) {
        const token = await provider.token('viewer').catch(() => undefined);
        if (token !== undefined) statuses.push((await api.call('GET', '/projects/demo', { token })).status);
      }
    })();
    await provider.rotateKeys();
    const after = await provider.token('viewer');
    expect(decodeProtectedHeader(after).kid).not.toBe(decodeProtectedHeader(before).kid);
    expect((await api.call('GET', '/projects/demo', { token: after })).status).toBe(200);
    running = false;
    await requests;
    expect(new Set(statuses)).toEqual(new Set([200]));
  });
});

describe.each(providers)('while $name is down', { timeout: 60_000 }, ({ start, obstacle }) => {
  if (obstacle !== undefined) return void test.skip(`cannot be tested here: ${obstacle}`);
  let provider: IdentityProvider;
  let proxy: Proxy;
  let apis: ProviderApi[] = [];
  let folder: string;

  beforeAll(async () => {
    provider = await start();
    proxy = await startProxy(provider.issuer);
    folder = mkdtempSync(join(tmpdir(), 'perdure-access-'));
  });
  afterEach(async () => {
    await Promise.all(apis.map((api) => api.close()));
    apis = [];
    proxy.open();
  });
  afterAll(async () => {
    await proxy?.close();
    await provider?.close();
    rmSync(folder, { recursive: true, force: true });
  });

  /** An API that reaches the keys and the administration of the provider through the proxy alone. */
  async function startApi(keySetTimes: Parameters<typeof startProviderApi>[1] = {}): Promise<ProviderApi> {
    const { jwks_uri: keys } = (await (await fetch(`${provider.issuer}/.well-known/openid-configuration`)).json()) as {
      jwks_uri: string;
    };
    const {
      OIDC_ISSUER: issuer,
      OIDC_PRESET: preset = 'generic',
      OIDC_ADMIN_URL: url = '',
      OIDC_ADMIN_CLIENT_ID: clientID,
    } = provider.environment;
    const administration = {
      kind: preset === 'keycloak' ? 'keycloak' : 'development',
      url: proxy.through(url),
      secretVariable: 'THE_SECRET',
      ...(clientID && { clientID }),
    };
    const file = join(folder, `${crypto.randomUUID()}.json`);
    writeFileSync(
      file,
      JSON.stringify({ issuers: [{ issuer, preset, jwksURI: proxy.through(keys), administration }] }),
    );
    const env = {
      OIDC_ISSUER: '',
      OIDC_CONFIG: file,
      THE_SECRET: provider.environment['OIDC_ADMIN_CLIENT_SECRET'],
    };
    const api = await startProviderApi(provider, { ...keySetTimes, env });
    apis.push(api);
    return api;
  }

  test('requests continue with the keys that are known', async () => {
    const api = await startApi({
      keySetTimes: { freshMilliseconds: 0, firstBackOffMilliseconds: 0, maxBackOffMilliseconds: 0 },
    });
    const token = await provider.token('viewer');
    const ask = async () => (await api.call('GET', '/projects/demo', { token })).status;
    expect(await ask()).toBe(200);
    const statuses: number[] = [];
    for (let round = 0; round < 60; round += 1) {
      if (round === 20) proxy.shut();
      if (round === 40) proxy.open();
      statuses.push(await ask());
    }
    expect(new Set(statuses)).toEqual(new Set([200]));
    expect(api.api.logs().some(({ event }) => event === 'key-fetch-failed')).toBe(true);
  });

  test('a host that has never had its keys returns 503, and requests succeed when it is back', async () => {
    proxy.shut();
    const api = await startApi({ keySetTimes: { firstBackOffMilliseconds: 0, maxBackOffMilliseconds: 0 } });
    const token = await provider.token('viewer');
    const away = await api.call('GET', '/projects/demo', { token });
    expect(away).toMatchObject({ status: 503, body: { code: 'UNAVAILABLE' } });
    expect(Number(away.headers.get('retry-after'))).toBeGreaterThan(0);
    expect((await api.call('GET', '/ready', {})).status).toBe(503);
    proxy.open();
    expect((await api.call('GET', '/projects/demo', { token })).status).toBe(200);
    await expect.poll(async () => (await api.call('GET', '/ready', {})).status, { timeout: 10_000 }).toBe(200);
  });

  test('members are not available, and everything else is', async () => {
    const api = await startApi();
    const id = await api.createProject();
    const member = `/projects/${id}/members/${await provider.subject('viewer')}`;
    expect((await api.as('system-admin', 'PUT', member, { role: 'viewer' })).status).toBe(200);
    proxy.shut();
    for (const [method, path, json] of [
      ['GET', `/projects/${id}/members`, undefined],
      ['PUT', member, { role: 'editor' }],
      ['DELETE', member, undefined],
    ] as const) {
      const answer = await api.as('system-admin', method, path, json);
      expect(answer).toMatchObject({ status: 503, body: { code: 'UNAVAILABLE' } });
      expect(answer.headers.get('retry-after')).toMatch(/^\d+$/);
    }
    expect((await api.as('viewer', 'GET', `/projects/${id}`)).status).toBe(200);
    proxy.open();
    expect((await api.as('system-admin', 'GET', `/projects/${id}/members`)).body.data).toMatchObject([
      { role: 'viewer' },
    ]);
  });
});

describe('two issuers at once', { timeout: 60_000 }, () => {
  const skipped = providers.some(({ obstacle }) => obstacle !== undefined);
  test.skipIf(skipped)('each have their own tokens, members and spelling of a subject', async () => {
    // The second one is Keycloak, or a second development issuer.
    const [development, second] = await Promise.all([providers[0]!.start(), providers.at(-1)!.start()]);
    const { OIDC_PRESET: preset = 'generic', OIDC_ADMIN_URL: url, OIDC_ADMIN_CLIENT_ID: clientID } = second.environment;
    const folder = mkdtempSync(join(tmpdir(), 'perdure-access-'));
    const file = join(folder, 'access.json');
    writeFileSync(
      file,
      JSON.stringify({
        issuers: [
          {
            issuer: development.issuer,
            administration: {
              kind: 'development',
              url: development.environment['OIDC_ADMIN_URL'],
              secretVariable: 'FIRST',
            },
          },
          {
            issuer: second.issuer,
            preset,
            subjectPrefix: 'partner:',
            administration:
              clientID === undefined
                ? { kind: 'development', url, secretVariable: 'SECOND' }
                : { kind: 'keycloak', clientID, secretVariable: 'SECOND' },
          },
        ],
      }),
    );
    const env = {
      OIDC_ISSUER: '',
      OIDC_CONFIG: file,
      FIRST: development.environment['OIDC_ADMIN_CLIENT_SECRET'],
      SECOND: second.environment['OIDC_ADMIN_CLIENT_SECRET'],
    };
    const api = await startProviderApi(development, { env });
    try {
      const members = `/projects/${await api.createProject()}/members`;
      // Another account, because two development issuers give the same subjects.
      const partner = `partner:${await second.subject('viewer')}`;
      expect(
        (await api.as('system-admin', 'PUT', `${members}/${encodeURIComponent(partner)}`, { role: 'editor' })).body,
      ).toMatchObject({ subject: partner, role: 'editor' });
      expect(
        (await api.as('system-admin', 'PUT', `${members}/${await development.subject('outsider')}`, { role: 'viewer' }))
          .status,
      ).toBe(200);
      expect(
        (await api.as('system-admin', 'GET', members)).body.data.map(({ subject }: { subject: string }) => subject),
      ).toEqual([partner, await development.subject('outsider')]);
      const asPartner = await api.call('GET', members.replace('/members', ''), {
        token: await second.token('viewer'),
      });
      expect(asPartner.status).toBe(200);
      expect(
        (await api.as('system-admin', 'DELETE', `${members}/${encodeURIComponent(partner.replace('partner:', ''))}`))
          .status,
        'without the prefix it is another person',
      ).toBe(404);
    } finally {
      await api.close();
      rmSync(folder, { recursive: true, force: true });
      await Promise.all([development.close(), second.close()]);
    }
  });
});
