import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createAuthenticator } from '../../../api/access/authenticator.js';
import { readAccessConfiguration } from '../../../api/access/settings/configuration.js';
import { presetNames } from '../../../api/access/settings/presets.js';
import { createLogger } from '../../../telemetry/logger.js';
import { createSigningKey, startIssuer } from '../support/issuer.js';

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'perdure-access-'));
});
afterAll(() => rmSync(folder, { recursive: true }));

function writeConfiguration(content: unknown): string {
  const path = join(folder, `${Math.random().toString(36).slice(2)}.json`);
  writeFileSync(path, typeof content === 'string' ? content : JSON.stringify(content));
  return path;
}

test('an issuer is all that is needed; the rest has defaults', () => {
  const { configuration, problems } = readAccessConfiguration({ OIDC_ISSUER: 'https://id.example' });
  expect(problems).toEqual([]);
  expect(configuration?.issuers[0]).toMatchObject({
    issuer: 'https://id.example',
    audiences: ['perdure'],
    algorithms: ['RS256', 'ES256', 'EdDSA'],
    clockToleranceSeconds: 30,
    maximumTokenAgeSeconds: undefined,
    authorizedParties: undefined,
    rolesClaim: 'roles',
    groupsClaim: 'groups',
    projectsClaim: 'projects',
    organizationAdminRole: 'admin',
    systemAdminRole: 'system-admin',
  });
});

test('all mistakes are named at once, each with its variable', () => {
  const { configuration, problems } = readAccessConfiguration({
    OIDC_PRESET: 'keycloack',
    OIDC_ALGORITHMS: 'HS256,none',
    OIDC_CLOCK_TOLERANCE_SECONDS: 'soon',
    OIDC_MAX_TOKEN_AGE_SECONDS: '-1',
  });
  expect(configuration).toBeUndefined();
  for (const variable of [
    'OIDC_ISSUER',
    'OIDC_PRESET',
    'OIDC_ALGORITHMS',
    'OIDC_CLOCK_TOLERANCE_SECONDS',
    'OIDC_MAX_TOKEN_AGE_SECONDS',
  ]) {
    expect(
      problems.filter((problem) => problem.startsWith(variable)),
      variable,
    ).not.toEqual([]);
  }
});

test.each([
  'http://id.example',
  'http://127.0.0.1.example',
  'http://localhost.example',
  'http://notlocalhost',
  'ftp://id.example',
  'id.example',
  'https://user:secret@id.example',
  'http://10.0.0.1',
])('the issuer %s is refused at start', (issuer) => {
  const { configuration, problems } = readAccessConfiguration({ OIDC_ISSUER: issuer });
  expect(configuration).toBeUndefined();
  expect(problems).toHaveLength(1);
  expect(problems[0]).not.toContain('secret');
});

test.each([
  'http://localhost:9000',
  'http://127.0.0.1:9000/realms/x',
  'http://[::1]:9000',
  'http://keycloak.localhost:9000',
])('the loopback issuer %s is accepted over http', (issuer) => {
  expect(readAccessConfiguration({ OIDC_ISSUER: issuer }).problems).toEqual([]);
});

test('every preset is complete', () => {
  for (const preset of presetNames) {
    expect(readAccessConfiguration({ OIDC_ISSUER: 'https://id.example', OIDC_PRESET: preset }).problems).toEqual([]);
  }
});

test('a configuration file that is missing, malformed or wrong gives one sentence', () => {
  const paths = [
    join(folder, 'missing.json'),
    writeConfiguration('{'),
    writeConfiguration({ issuers: [] }),
    writeConfiguration({ issuers: [{ issuer: 'https://a.example', audience: 'x' }] }),
  ];
  for (const OIDC_CONFIG of paths) {
    const { configuration, problems } = readAccessConfiguration({ OIDC_CONFIG });
    expect(configuration).toBeUndefined();
    expect(problems).toHaveLength(1);
    expect(problems[0]).toContain(OIDC_CONFIG);
  }
});

test('several issuers need prefixes that keep their subjects apart', () => {
  const withPrefixes = (...prefixes: string[]) =>
    readAccessConfiguration({
      OIDC_CONFIG: writeConfiguration({
        issuers: prefixes.map((subjectPrefix, index) => ({ issuer: `https://${index}.example`, subjectPrefix })),
      }),
    }).problems;
  expect(withPrefixes('', '')).toHaveLength(1);
  expect(withPrefixes('a', 'ab')).toHaveLength(1);
  expect(withPrefixes('a:', 'a:')).toHaveLength(1);
  expect(withPrefixes('', 'b:')).toEqual([]);
  expect(withPrefixes('a:', 'b:')).toEqual([]);
});

test('with two issuers, each is believed for its own tokens, and equal subjects stay two people', async () => {
  const [first, second] = [await startIssuer('RS256'), await startIssuer('RS256')];
  try {
    const { configuration } = readAccessConfiguration({
      OIDC_CONFIG: writeConfiguration({
        issuers: [{ issuer: first.url }, { issuer: second.url, subjectPrefix: 'partner:' }],
      }),
    });
    const authenticator = createAuthenticator(configuration!, createLogger('silent'));
    const subjectOf = async (token: string) => {
      const result = await authenticator.authenticate(`Bearer ${token}`);
      return result.kind === 'accepted' ? result.caller.subject : result.kind;
    };
    expect(await subjectOf(await first.sign({ sub: 'alice' }))).toBe('alice');
    expect(await subjectOf(await second.sign({ sub: 'alice' }))).toBe('partner:alice');
    expect(await subjectOf(await first.sign({ sub: 'partner:alice' }))).toBe('refused');
    expect(await subjectOf(await first.sign({ iss: second.url })), 'the key of the first signs for the second').toBe(
      'refused',
    );
    const sameKeyID = await createSigningKey('first');
    expect(await subjectOf(await second.sign({}, { key: sameKeyID }))).toBe('refused');
  } finally {
    await Promise.all([first.close(), second.close()]);
  }
});

test('an issuer whose subjects would all have a reserved name is refused at start', () => {
  const { problems } = readAccessConfiguration({
    OIDC_CONFIG: writeConfiguration({ issuers: [{ issuer: 'https://one.example', subjectPrefix: 'hook:' }] }),
  });
  expect(problems).toEqual([
    'subjectPrefix in OIDC_CONFIG must not begin with hook:. The audit log has such names for the host itself.',
  ]);
});

test.each([
  [
    'keycloak',
    { typ: 'Bearer', preferred_username: 'service-account-worker', client_id: 'worker' },
    { typ: 'Bearer', preferred_username: 'service-account-worker' },
  ],
  ['auth0', { gty: 'client-credentials' }, { gty: 'password', azp: 'client-credentials' }],
  ['entra', { idtyp: 'app' }, { idtyp: 'user', appid: 'app' }],
  ['okta', { cid: 'someone' }, { cid: 'other' }],
  ['generic', { client_id: 'someone' }, { client_id: 'other', azp: 'someone' }],
  ['generic', { client_id: 'other', gty: 'client-credentials' }, { client_id: 'other', gty: 'password' }],
])('the %s preset labels a service account only when all its marks hold', async (preset, machine, person) => {
  const issuer = await startIssuer('RS256');
  try {
    const { configuration } = readAccessConfiguration({ OIDC_ISSUER: issuer.url, OIDC_PRESET: preset });
    const authenticator = createAuthenticator(configuration!, createLogger('silent'));
    const label = async (claims: Record<string, unknown>) => {
      const result = await authenticator.authenticate(`Bearer ${await issuer.sign(claims)}`);
      return result.kind === 'accepted' ? result.caller.isServiceAccount : result;
    };
    expect(await label(machine)).toBe(true);
    expect(await label(person)).toBe(false);
  } finally {
    await issuer.close();
  }
});

test('the roles of Zitadel are the keys of an object', async () => {
  const issuer = await startIssuer('RS256');
  try {
    const { configuration } = readAccessConfiguration({ OIDC_ISSUER: issuer.url, OIDC_PRESET: 'zitadel' });
    const result = await createAuthenticator(configuration!, createLogger('silent')).authenticate(
      `Bearer ${await issuer.sign({ 'urn:zitadel:iam:org:project:roles': { admin: { 1: 'org.example' } } })}`,
    );
    expect(result.kind === 'accepted' && [...result.caller.organisationRoles]).toEqual(['user', 'admin']);
  } finally {
    await issuer.close();
  }
});
