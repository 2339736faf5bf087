/** An issuer that signs what the benchmark asks for and counts how often its keys are fetched. */
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { exportJWK, generateKeyPair, SignJWT } from 'jose';

export interface CountingIssuer {
  readonly url: string;
  keyFetches(): number;
  /** A valid token but for what claims and header change. */
  sign(claims: Record<string, unknown>, header?: Record<string, unknown>): Promise<string>;
  close(): Promise<void>;
}

const lifetimeSeconds = 3600;

export async function startCountingIssuer(algorithm = 'RS256'): Promise<CountingIssuer> {
  const { privateKey, publicKey } = await generateKeyPair(algorithm);
  const keys = JSON.stringify({ keys: [{ ...(await exportJWK(publicKey)), kid: 'only', alg: algorithm, use: 'sig' }] });
  let fetches = 0;
  let url = '';
  const server = createServer((request, response) => {
    const isKeys = request.url === '/keys';
    if (isKeys) fetches += 1;
    response
      .writeHead(200, { 'Content-Type': 'application/json' })
      .end(isKeys ? keys : JSON.stringify({ issuer: url, jwks_uri: `${url}/keys` }));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    url,
    keyFetches: () => fetches,
    sign(claims, header = {}) {
      const now = Math.floor(Date.now() / 1000);
      return new SignJWT({ iss: url, aud: 'perdure', sub: 'bench', iat: now, exp: now + lifetimeSeconds, ...claims })
        .setProtectedHeader({ alg: algorithm, kid: 'only', ...header })
        .sign(privateKey);
    },
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}
