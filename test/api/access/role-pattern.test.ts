/** Roles in projects as plain words, for providers that know nothing else. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createAuthenticator } from '../../../api/access/authenticator.js';
import type { Caller } from '../../../api/access/caller.js';
import { readAccessConfiguration } from '../../../api/access/settings/configuration.js';
import type { Environment } from '@perdure/configuration/variable.js';
import { isRolePattern, readRoleWord, writeRoleWord } from '../../../api/access/settings/role-pattern.js';
import { createLogger } from '../../../telemetry/logger.js';
import { projectRoles } from '../../../api/contract/roles.js';
import { startIssuer, type TestIssuer } from '../support/issuer.js';

let issuer: TestIssuer;
beforeAll(async () => {
  issuer = await startIssuer();
});
afterAll(() => issuer.close());

async function callerOf(env: Environment, claims: Record<string, unknown>): Promise<Caller> {
  const { configuration, problems } = readAccessConfiguration({ OIDC_ISSUER: issuer.url, ...env });
  if (configuration === undefined) throw new Error(problems.join('\n'));
  const result = await createAuthenticator(configuration, createLogger('silent')).authenticate(
    `Bearer ${await issuer.sign(claims)}`,
  );
  if (result.kind !== 'accepted') throw new Error(result.reason);
  return result.caller;
}

describe('a word of the pattern', () => {
  test.each(['project-{project}-{role}', '/projects/{project}/{role}', '{role}@{project}', 'x:{role}:{project}:y'])(
    '%s is read as it is written',
    (pattern) => {
      for (const role of projectRoles) {
        for (const id of ['demo', 'a-b-c', 'admin', 'project-x-viewer', 'a.b:c_d']) {
          expect(readRoleWord(pattern, writeRoleWord(pattern, id, role))).toEqual({ id, role });
        }
      }
    },
  );

  test.each([
    'project-admin',
    'project--admin',
    'project-demo-Admin',
    'project-demo-admin ',
    ' project-demo-admin',
    'Project-demo-admin',
    'project-demo-owner',
    'project-demo-',
    'project-demo',
    'project-de/mo-admin',
    'project-de mo-admin',
    'project-\u0430dmin-admin\u0000',
    'project-démo-admin',
    'project-demo-admin-',
    'demo-admin',
    '',
  ])('is none when it is %j', (word) => {
    expect(readRoleWord('project-{project}-{role}', word)).toBeUndefined();
  });

  test.each([
    'project',
    '{project}',
    '{role}',
    '{project}{role}',
    'x{project}-{role}-{role}',
    '{project}-{project}-{role}',
    '{Project}-{role}',
    '{project}-{role}}',
    '',
  ])('cannot be written as %j, which is refused at start', (pattern) => {
    expect(isRolePattern(pattern)).toBe(false);
    const { problems } = readAccessConfiguration({ OIDC_ISSUER: issuer.url, OIDC_PROJECT_ROLE_PATTERN: pattern });
    expect(problems).toEqual(
      pattern === ''
        ? []
        : [expect.stringMatching(/^OIDC_PROJECT_ROLE_PATTERN must be .*project-\{project\}-\{role\}/)],
    );
  });
});

describe('the preset', () => {
  const word = 'project-demo-editor';
  test.each<[string, Record<string, unknown>]>([
    ['keycloak', { typ: 'Bearer', groups: ['/projects/demo/editor', '/clerks'] }],
    ['zitadel', { 'urn:zitadel:iam:org:project:roles': { [word]: { 1: 'org.example' } } }],
    ['auth0', { 'https://perdure/roles': [word] }],
    ['entra', { roles: [word] }],
    ['okta', { groups: [word] }],
  ])('%s reads memberships where the provider puts them', async (preset, claims) => {
    const caller = await callerOf({ OIDC_PRESET: preset }, claims);
    expect([...caller.projects]).toEqual([['demo', 'editor']]);
    expect([...caller.organisationRoles]).toEqual(['user']);
  });

  test('generic reads no memberships from words', async () => {
    expect((await callerOf({}, { roles: [word], groups: [word] })).projects.size).toBe(0);
  });

  test('entra reads none from groups, which people may make themselves there', async () => {
    expect((await callerOf({ OIDC_PRESET: 'entra' }, { groups: [word] })).projects.size).toBe(0);
  });

  test('keycloak has candidate groups without the slash of their path', async () => {
    const caller = await callerOf({ OIDC_PRESET: 'keycloak' }, { typ: 'Bearer', groups: ['/clerks', '/sales/north'] });
    expect([...caller.groups]).toEqual(['clerks', 'sales/north']);
  });

  test('is replaced by a configured pattern and claim', async () => {
    const env = {
      OIDC_PRESET: 'okta',
      OIDC_PROJECT_ROLE_CLAIM: 'permissions',
      OIDC_PROJECT_ROLE_PATTERN: '{role}:{project}',
    };
    const caller = await callerOf(env, {
      groups: [word],
      permissions: ['admin:orders', 'viewer:orders', 'viewer:00000000-0000-4000-8000-000000000001'],
    });
    expect([...caller.projects]).toEqual([
      ['orders', 'admin'],
      ['demo', 'viewer'],
    ]);
  });
});

describe('the administration of memberships', () => {
  const problemsOf = (env: Environment) =>
    readAccessConfiguration({ OIDC_ISSUER: 'https://id.example/realms/main', ...env }).problems;
  const keycloak = {
    OIDC_PRESET: 'keycloak',
    OIDC_ADMIN_CLIENT_ID: 'host',
    OIDC_ADMIN_CLIENT_SECRET: 'a-secret',
  };

  test('of Keycloak is found from its issuer', () => {
    const { configuration } = readAccessConfiguration({
      OIDC_ISSUER: 'https://id.example/auth/realms/main',
      ...keycloak,
    });
    expect(configuration?.issuers[0]?.administration).toEqual({
      kind: 'keycloak',
      url: 'https://id.example/auth/admin/realms/main',
      clientID: 'host',
      secret: 'a-secret',
    });
  });

  test.each<[string, Environment, RegExp]>([
    [
      'no secret',
      { ...keycloak, OIDC_ADMIN_CLIENT_SECRET: '' },
      /^OIDC_ADMIN_CLIENT_SECRET is not set; it must be the secret/,
    ],
    ['no client', { ...keycloak, OIDC_ADMIN_CLIENT_ID: '' }, /OIDC_ADMIN/],
    ['plain http', { ...keycloak, OIDC_ADMIN_URL: 'http://id.example/admin/realms/main' }, /must use https/],
    [
      'another address',
      { ...keycloak, OIDC_ADMIN_URL: 'https://id.example/realms/main' },
      /such as https:\/\/id.example\/admin\/realms\/main/,
    ],
    [
      'credentials in the address',
      { ...keycloak, OIDC_ADMIN_URL: 'https://u:a-secret@id.example/admin/realms/main' },
      /must be a URL such as/,
    ],
    [
      'a pattern that is not a group',
      { ...keycloak, OIDC_PROJECT_ROLE_PATTERN: 'project-{project}-{role}' },
      /path of a group/,
    ],
    [
      'a provider without an adapter',
      {
        OIDC_PRESET: 'okta',
        OIDC_ADMIN_URL: 'https://id.example/administration',
        OIDC_ADMIN_CLIENT_SECRET: 'a-secret',
      },
      /other providers manage them themselves/,
    ],
    ['a secret and nothing else', { OIDC_ADMIN_CLIENT_SECRET: 'a-secret' }, /OIDC_ADMIN/],
  ])('with %s is refused at start, in a sentence without the secret', (_, env, sentence) => {
    const problems = problemsOf(env);
    expect(problems).toHaveLength(1);
    expect(problems[0]).toMatch(sentence);
    expect(problems[0]).not.toContain('a-secret');
  });
});
