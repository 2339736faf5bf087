/** A real issuer for tests: it serves a discovery document and its keys over HTTP, and signs tokens with jose. */
import { createServer } from 'node:http';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { CompactSign, exportJWK, generateKeyPair, importJWK } from 'jose';
import type { CryptoKey, JWK } from 'jose';

export interface SigningKey {
  readonly algorithm: string;
  readonly keyID: string;
  readonly privateKey: CryptoKey;
  readonly publicJWK: JWK;
  readonly privateJWK: JWK;
}

export interface TokenOptions {
  readonly key?: SigningKey;
  readonly header?: Record<string, unknown>;
  /** Claims to leave out. */
  readonly without?: readonly string[];
  /** JSON texts of claims, for those that `JSON.stringify` cannot write. */
  readonly texts?: Readonly<Record<string, string>>;
}

export interface TestIssuer {
  readonly url: string;
  readonly audience: string;
  readonly key: SigningKey;
  /** How often the key set was asked for. */
  keyFetches(): number;
  /** Signs an access token that is valid in every respect but for what the claims and options change. */
  sign(claims?: Record<string, unknown>, options?: TokenOptions): Promise<string>;
  /** Answers key set requests with this from now on; undefined brings the usual document back. */
  answerKeysWith(handler: ((request: IncomingMessage, response: ServerResponse) => void) | undefined): void;
  /** Publishes these keys instead. */
  publish(keys: readonly object[]): void;
  close(): Promise<void>;
}

/** More than a test has keys at once. */
const PAIRS_OF_A_KIND = 5;

interface KeyPair {
  readonly privateJWK: JWK;
  readonly publicJWK: JWK;
}

const pairs = new Map<string, { made: Promise<KeyPair>[]; next: number }>();

/** Its pair differs from those of the last four keys. RSA keys take long to create, so the files of a process share them. */
export async function createSigningKey(keyID: string, algorithm = 'RS256'): Promise<SigningKey> {
  const { privateJWK, publicJWK } = await nextPair(algorithm);
  const marks = { kid: keyID, alg: algorithm, use: 'sig' };
  return {
    algorithm,
    keyID,
    privateKey: (await importJWK(privateJWK, algorithm)) as CryptoKey,
    publicJWK: { ...publicJWK, ...marks },
    privateJWK: { ...privateJWK, ...marks },
  };
}

function nextPair(algorithm: string): Promise<KeyPair> {
  const kind = /^[RP]S/.test(algorithm) ? 'RS256' : algorithm;
  const known = pairs.get(kind) ?? { made: [], next: 0 };
  pairs.set(kind, known);
  const index = known.next;
  known.next = (index + 1) % PAIRS_OF_A_KIND;
  return (known.made[index] ??= createPair(kind));
}

async function createPair(algorithm: string): Promise<KeyPair> {
  const { privateKey, publicKey } = await generateKeyPair(algorithm, { extractable: true, modulusLength: 2048 });
  return { privateJWK: await exportJWK(privateKey), publicJWK: await exportJWK(publicKey) };
}

/** @param algorithm elliptic unless a test is about RSA */
export async function startIssuer(algorithm = 'ES256'): Promise<TestIssuer> {
  const audience = 'perdure';
  const key = await createSigningKey('first', algorithm);
  let published: readonly object[] = [key.publicJWK];
  let fetches = 0;
  let keysHandler: ((request: IncomingMessage, response: ServerResponse) => void) | undefined;
  let url = '';

  const server = createServer((request, response) => {
    if (request.url === '/.well-known/openid-configuration') {
      response
        .writeHead(200, { 'Content-Type': 'application/json' })
        .end(JSON.stringify({ issuer: url, jwks_uri: `${url}/keys` }));
    } else if (request.url === '/keys') {
      fetches += 1;
      if (keysHandler !== undefined) keysHandler(request, response);
      else response.writeHead(200, { 'Content-Type': 'application/json' }).end(JSON.stringify({ keys: published }));
    } else {
      response.writeHead(404).end();
    }
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;

  return {
    url,
    audience,
    key,
    keyFetches: () => fetches,
    sign(claims = {}, { key: signer = key, header = {}, without = [], texts = {} } = {}) {
      const now = Math.floor(Date.now() / 1000);
      const payload: Record<string, unknown> = {
        iss: url,
        aud: audience,
        sub: 'someone',
        iat: now,
        exp: now + 300,
        ...claims,
      };
      for (const name of without) delete payload[name];
      const members = Object.entries(payload)
        .filter(([name, value]) => value !== undefined && !Object.hasOwn(texts, name))
        .map(([name, value]) => [name, JSON.stringify(value)]);
      const text = [...members, ...Object.entries(texts)]
        .map(([name, value]) => `${JSON.stringify(name)}:${value}`)
        .join();
      return new CompactSign(new TextEncoder().encode(`{${text}}`))
        .setProtectedHeader({ alg: signer.algorithm, kid: signer.keyID, ...header })
        .sign(signer.privateKey);
    },
    answerKeysWith(handler) {
      keysHandler = handler;
    },
    publish(keys) {
      published = keys;
    },
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}
