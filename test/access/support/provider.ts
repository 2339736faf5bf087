/** A real identity provider, as the access tests see it: the development issuer or Keycloak. */
import { randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { decodeJwt } from 'jose';
import { startIssuer } from '../../../scripts/issuer.js';
import { freePort } from '../../../scripts/ports.js';
import type { Environment } from '../../../api/access/configuration.js';

export type ServiceAccount = 'viewer' | 'executor' | 'editor' | 'admin' | 'system-admin' | 'outsider';

export interface IdentityProvider {
  readonly name: string;
  readonly issuer: string;
  /** What the host is told about it. */
  readonly environment: Environment;
  readonly tokenEndpoint: string;
  /** Asks for a new access token of a service account. */
  token(account: ServiceAccount): Promise<string>;
  /** The subject of its tokens. */
  subject(account: ServiceAccount): Promise<string>;
  close(): Promise<void>;
}

/** A development issuer for one test file: its accounts are changed, which others would see. */
export async function startDevelopmentProvider(): Promise<IdentityProvider> {
  const folder = mkdtempSync(join(tmpdir(), 'perdure-issuer-'));
  const administrationSecret = randomBytes(9).toString('hex');
  const options = { port: await freePort(), dataFolder: join(folder, 'issuer'), folder, audience: 'perdure', administrationSecret };
  const { issuer, tokenEndpoint, child } = await startIssuer(options);
  return {
    name: 'the development issuer',
    issuer,
    environment: { OIDC_ISSUER: issuer, ISSUER_ADMINISTRATION_URL: `${issuer}/administration`, ISSUER_ADMINISTRATION_SECRET: administrationSecret },
    tokenEndpoint,
    ...accountsAt(tokenEndpoint),
    async close() {
      await child.stop();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

/** The service accounts that both providers have: the name is the client id, `dev-` and the name the secret. */
export function accountsAt(tokenEndpoint: string): Pick<IdentityProvider, 'token' | 'subject'> {
  async function token(account: ServiceAccount): Promise<string> {
    const form = { grant_type: 'client_credentials', client_id: account, client_secret: `dev-${account}`, scope: 'openid profile' };
    const response = await fetch(tokenEndpoint, { method: 'POST', body: new URLSearchParams(form) });
    const body = (await response.json()) as { access_token?: string };
    if (body.access_token === undefined) throw new Error(`${tokenEndpoint} gave ${account} no token: ${JSON.stringify(body)}`);
    return body.access_token;
  }
  return { token, subject: async (account) => decodeJwt(await token(account)).sub as string };
}
