import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { request } from 'node:http';
import { createRemoteJWKSet, decodeJwt, decodeProtectedHeader, jwtVerify } from 'jose';
import { beforeAll, describe, expect, it } from 'vitest';
import { createAuthenticator } from '../../../api/access/authenticator.js';
import { readAccessConfiguration } from '../../../api/access/settings/configuration.js';
import { compiledScript } from '../../../dev/repository.js';
import { createLogger } from '../../../telemetry/logger.js';
import { issuerAdministration, issuerUrl, tokenFor } from '../../support/infrastructure.js';
import { authorizationRequest, Browser, locationOf, signIn } from './browser.js';

let issuer: string;
beforeAll(async () => {
  issuer = await issuerUrl();
});

async function exchange(parameters: Record<string, string>): Promise<Record<string, string>> {
  const response = await fetch(`${issuer}/token`, {
    method: 'POST',
    body: new URLSearchParams({ client_id: 'console', ...parameters }),
  });
  return (await response.json()) as Record<string, string>;
}

describe('a service account', () => {
  it('gets a signed JWT access token for the API', async () => {
    const token = await tokenFor('editor');

    const keys = createRemoteJWKSet(new URL(`${issuer}/jwks`));
    const { payload, protectedHeader } = await jwtVerify(token, keys, { issuer, audience: 'perdure', typ: 'at+jwt' });
    expect(protectedHeader.alg).toBe('RS256');
    expect(payload).toMatchObject({
      sub: 'service-account-editor',
      client_id: 'editor',
      projects: [{ id: 'demo', roles: ['editor'] }],
      roles: [],
      groups: [],
    });
  });

  it('is labeled as one by a host with the default settings', async () => {
    const { configuration } = readAccessConfiguration({ OIDC_ISSUER: issuer });
    const authenticator = createAuthenticator(configuration!, createLogger('silent'));
    const authentication = await authenticator.authenticate(`Bearer ${await tokenFor('editor')}`);
    expect(authentication).toMatchObject({ kind: 'accepted', caller: { isServiceAccount: true } });
  });

  it.each([
    ['viewer', [], [{ id: 'demo', roles: ['viewer'] }]],
    [
      'executor',
      [],
      [
        { id: 'demo', roles: ['executor'] },
        { id: 'other', roles: ['executor'] },
      ],
    ],
    ['editor', [], [{ id: 'demo', roles: ['editor'] }]],
    [
      'admin',
      ['admin'],
      [
        { id: 'demo', roles: ['admin'] },
        { id: 'other', roles: ['admin'] },
      ],
    ],
    ['system-admin', ['system-admin'], []],
  ])('called %s has its roles and projects', async (name, roles, projects) => {
    expect(decodeJwt(await tokenFor(name))).toMatchObject({ roles, projects });
  });

  it('may say its secret in the header or in the body', async () => {
    const credentials = Buffer.from('viewer:dev-viewer').toString('base64');
    const response = await fetch(`${issuer}/token`, {
      method: 'POST',
      headers: { authorization: `Basic ${credentials}` },
      body: new URLSearchParams({ grant_type: 'client_credentials' }),
    });

    expect(response.status).toBe(200);
  });

  it('gets nothing with a wrong secret', async () => {
    expect(
      await exchange({ grant_type: 'client_credentials', client_id: 'admin', client_secret: 'dev-viewer' }),
    ).toMatchObject({ error: 'invalid_client' });
  });
});

describe('a person', () => {
  it('signs in to the console with a code and PKCE', async () => {
    const { code, verifier, redirectUri } = await signIn(issuer, 'admin');

    const tokens = await exchange({
      grant_type: 'authorization_code',
      code,
      code_verifier: verifier,
      redirect_uri: redirectUri,
    });

    expect(decodeProtectedHeader(tokens['access_token'] ?? '').typ).toBe('at+jwt');
    expect(decodeJwt(tokens['access_token'] ?? '')).toMatchObject({
      sub: 'admin',
      aud: 'perdure',
      client_id: 'console',
      roles: ['admin'],
    });
    expect(decodeJwt(tokens['id_token'] ?? '')).toMatchObject({ sub: 'admin', aud: 'console', name: 'admin' });
  });

  it('stays signed in by refresh tokens, each good once', async () => {
    const { code, verifier, redirectUri } = await signIn(issuer, 'viewer');
    const first = await exchange({
      grant_type: 'authorization_code',
      code,
      code_verifier: verifier,
      redirect_uri: redirectUri,
    });

    const refresh = { grant_type: 'refresh_token', refresh_token: first['refresh_token'] ?? '' };
    expect(decodeJwt((await exchange(refresh))['access_token'] ?? '')).toMatchObject({ sub: 'viewer' });
    expect(await exchange(refresh)).toMatchObject({ error: 'invalid_grant' });
  });

  it('a user with a session gets a code without a page in between', async () => {
    const browser = new Browser();
    await signIn(issuer, 'executor', browser);

    const callback = new URL(locationOf(await browser.request(authorizationRequest(issuer, { prompt: 'none' }).url)));

    expect(callback.searchParams.get('code')).toBeTruthy();
  });

  it.each([
    ['admin', 'dev-viewer'],
    ['service-account-admin', 'dev-admin'],
    ['service-account-admin', 'dev-service-account-admin'],
    ['nobody', 'dev-nobody'],
  ])('does not get in as %s with %s', async (name, password) => {
    const browser = new Browser();
    const loginPage = locationOf(await browser.request(authorizationRequest(issuer).url));

    const response = await browser.request(loginPage, {
      method: 'POST',
      body: new URLSearchParams({ name, password }),
    });

    expect(response.status).toBe(401);
    expect(await response.text()).toContain('do not belong together');
  });

  it.each([
    'http://evil.example/console/callback',
    'https://127.0.0.1.evil.example/console/',
    'http://127.0.0.1:8080/elsewhere',
  ])('is never sent on to %s', async (redirectUri) => {
    const response = await fetch(authorizationRequest(issuer, { redirect_uri: redirectUri }).url, {
      redirect: 'manual',
    });

    expect(response.status).toBe(400);
  });

  it('needs PKCE', async () => {
    const response = await fetch(authorizationRequest(issuer, { code_challenge: '', code_challenge_method: '' }).url, {
      redirect: 'manual',
    });

    expect(locationOf(response)).toContain('error=invalid_request');
  });
});

describe('the administration door', () => {
  async function change(method: string, path: string, body?: unknown, secret?: string): Promise<Response> {
    const administration = await issuerAdministration();
    return fetch(`${administration.url}${path}`, {
      method,
      headers: { authorization: `Bearer ${secret ?? administration.secret}` },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    });
  }

  it('changes what the next token says', async () => {
    const member = '/projects/renovation/members/service-account-outsider';

    await change('PUT', member, { roles: ['viewer', 'executor'] });
    expect(decodeJwt(await tokenFor('outsider'))).toMatchObject({
      projects: [{ id: 'renovation', roles: ['viewer', 'executor'] }],
    });

    await change('DELETE', member);
    expect(decodeJwt(await tokenFor('outsider'))).toMatchObject({ projects: [] });
  });

  it('is closed without its secret', async () => {
    expect((await change('GET', '/accounts', undefined, 'guess')).status).toBe(401);
  });

  it('lists the accounts', async () => {
    const accounts = (await (await change('GET', '/accounts')).json()) as { sub: string }[];

    expect(accounts.map(({ sub }) => sub)).toEqual(
      expect.arrayContaining(['system-admin', 'service-account-system-admin']),
    );
  });

  it.each([
    ['PUT', '/projects/demo/members/nobody', { roles: ['viewer'] }, 404],
    ['PUT', '/projects/demo/members/viewer', { roles: 'viewer' }, 400],
    ['PUT', '/projects/demo/members/viewer', undefined, 400],
    ['POST', '/projects/demo/members/viewer', { roles: [] }, 405],
    ['GET', '/elsewhere', undefined, 404],
  ])('answers %s %s %j with %i', async (method, path, body, status) => {
    expect((await change(method, path, body)).status).toBe(status);
  });
});

describe('the development issuer', () => {
  it('does not start outside loopback', async () => {
    const child = spawn(process.execPath, [compiledScript('dev/issuer/main.js')], {
      env: { ...process.env, ISSUER_HOST: '0.0.0.0' },
    });
    let said = '';
    child.stderr.on('data', (text: Buffer) => (said += text.toString()));
    const [code] = (await once(child, 'close')) as [number];

    expect(code).toBe(1);
    expect(said.trim()).toBe(
      'The development issuer must listen on a loopback address, because its passwords are public, but ISSUER_HOST is 0.0.0.0',
    );
  });

  it('does not respond under another name that points at this machine', async () => {
    const { hostname, port } = new URL(issuer);
    const asked = request({ hostname, port, path: '/jwks', headers: { host: `evil.example:${port}` } }).end();
    const [response] = (await once(asked, 'response')) as [{ statusCode: number; resume(): void }];
    response.resume();

    expect(response.statusCode).toBe(421);
  });
});
