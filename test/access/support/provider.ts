/** A real identity provider, as the access tests see it: the development issuer or Keycloak. */
import { randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { decodeJwt } from 'jose';
import { startIssuer } from '../../../dev/issuer-process.js';
import { keycloakObstacle } from '../../../dev/keycloak/distribution.js';
import { freePort } from '../../../dev/ports.js';
import type { Environment } from '@perdure/configuration/variable.js';
import { keycloak } from '../../support/infrastructure.js';

export type ServiceAccount = 'viewer' | 'executor' | 'editor' | 'admin' | 'system-admin' | 'outsider';

export interface IdentityProvider {
  readonly name: string;
  readonly issuer: string;
  /** The host's configuration for it. */
  readonly environment: Environment;
  readonly tokenEndpoint: string;
  /** Asks for a new access token of a service account. */
  token(account: ServiceAccount): Promise<string>;
  /** The subject of its tokens. */
  subject(account: ServiceAccount): Promise<string>;
  /** Signs with a new key from now on. */
  rotateKeys(): Promise<void>;
  close(): Promise<void>;
}

/** A development issuer for one test file: its accounts are changed, which others would see. */
export async function startDevelopmentProvider(): Promise<IdentityProvider> {
  const folder = mkdtempSync(join(tmpdir(), 'perdure-issuer-'));
  const administrationSecret = randomBytes(9).toString('hex');
  const options = {
    port: await freePort(),
    dataFolder: join(folder, 'issuer'),
    folder,
    audience: 'perdure',
    administrationSecret,
  };
  let started = await startIssuer(options);
  const { issuer, tokenEndpoint } = started;
  return {
    name: 'the development issuer',
    issuer,
    environment: {
      OIDC_ISSUER: issuer,
      OIDC_ADMIN_URL: `${issuer}/administration`,
      OIDC_ADMIN_CLIENT_SECRET: administrationSecret,
    },
    tokenEndpoint,
    ...accountsAt(tokenEndpoint),
    async rotateKeys() {
      await started.child.stop();
      rmSync(join(folder, 'issuer', 'signing-key.json'));
      started = await startIssuer(options);
    },
    async close() {
      await started.child.stop();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

/** The Keycloak of the test run. Its service accounts are shared: tests use their own projects. */
export async function useKeycloak(): Promise<IdentityProvider> {
  const { issuer, tokenEndpoint, administrationUrl, operatorSecret } = await keycloak();
  return {
    name: 'Keycloak',
    issuer,
    environment: {
      OIDC_ISSUER: issuer,
      OIDC_PRESET: 'keycloak',
      OIDC_ADMIN_URL: administrationUrl,
      OIDC_ADMIN_CLIENT_ID: 'perdure-host',
      OIDC_ADMIN_CLIENT_SECRET: 'dev-perdure-host',
    },
    tokenEndpoint,
    ...accountsAt(tokenEndpoint),
    rotateKeys: () => addSigningKey(administrationUrl, operatorSecret),
    close: async () => undefined,
  };
}

/** Keycloak signs with the active key of the highest priority and keeps publishing the others. */
async function addSigningKey(administrationUrl: string, operatorSecret: string): Promise<void> {
  const tokenEndpoint = administrationUrl.replace(
    /admin\/realms\/perdure$/,
    'realms/master/protocol/openid-connect/token',
  );
  const form = { grant_type: 'client_credentials', client_id: 'operator', client_secret: operatorSecret };
  const { access_token: token } = (await (
    await fetch(tokenEndpoint, { method: 'POST', body: new URLSearchParams(form) })
  ).json()) as { access_token: string };
  const priority = String(Math.floor(Date.now() / 1000));
  const response = await fetch(`${administrationUrl}/components`, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    body: JSON.stringify({
      name: `key-${priority}`,
      providerId: 'rsa-generated',
      providerType: 'org.keycloak.keys.KeyProvider',
      config: { priority: [priority], enabled: ['true'], active: ['true'], algorithm: ['RS256'], keySize: ['2048'] },
    }),
  });
  if (response.status !== 201)
    throw new Error(`Keycloak answered ${response.status} when a key was added: ${await response.text()}`);
}

/** `obstacle` says why one is unavailable on this machine. */
export interface Provider {
  name: string;
  start: () => Promise<IdentityProvider>;
  obstacle: string | undefined;
}

const development: Provider = {
  name: 'the development issuer',
  start: startDevelopmentProvider,
  obstacle: undefined,
};

/** @param chosen `all` for Keycloak as well, whose start takes longer than all tests of one provider */
export async function providersOf(chosen: string | undefined): Promise<Provider[]> {
  if (chosen !== 'all') return [development];
  return [development, { name: 'Keycloak', start: useKeycloak, obstacle: await keycloakObstacle() }];
}

/** The service accounts that both providers have: the name is the client id, `dev-` and the name the secret. */
export function accountsAt(tokenEndpoint: string): Pick<IdentityProvider, 'token' | 'subject'> {
  async function token(account: ServiceAccount): Promise<string> {
    const form = {
      grant_type: 'client_credentials',
      client_id: account,
      client_secret: `dev-${account}`,
      scope: 'openid profile',
    };
    const response = await fetch(tokenEndpoint, { method: 'POST', body: new URLSearchParams(form) });
    const body = (await response.json()) as { access_token?: string };
    if (body.access_token === undefined)
      throw new Error(`${tokenEndpoint} gave ${account} no token: ${JSON.stringify(body)}`);
    return body.access_token;
  }
  return { token, subject: async (account) => decodeJwt(await token(account)).sub as string };
}
