import { afterAll, beforeAll, expect, test } from 'vitest';
import { readConfiguredAccess } from '../../host/admin/explain-token/configured-access.js';
import { explainToken } from '../../host/admin/explain-token/explain.js';
import type { AccessConfiguration } from '../../api/access/settings/configuration.js';
import { startIssuer } from '../api/support/issuer.js';
import type { TestIssuer } from '../api/support/issuer.js';
import { issuerUrl, tokenFor } from '../support/infrastructure.js';

let issuer: TestIssuer;
let access: AccessConfiguration;

beforeAll(async () => {
  issuer = await startIssuer();
  access = readConfiguredAccess({ OIDC_ISSUER: issuer.url });
});
afterAll(() => issuer.close());

async function explain(token: string) {
  const { verdict, lines } = await explainToken(token, access);
  const text = lines.join('\n');
  if (token.length > 20) for (const part of token.trim().split('.')) expect(text).not.toContain(part);
  return { verdict, text };
}

test('a token with roles in two projects is reported project by project', async () => {
  const token = await issuer.sign({
    sub: 'ada',
    groups: ['clerks'],
    projects: [
      { id: 'orders', roles: ['viewer', 'editor'] },
      { id: 'billing', roles: ['admin'] },
    ],
  });
  const { verdict, text } = await explain(`${token}\n`);
  expect(verdict).toBe('accepted');
  expect(text).toMatch(/subject: "ada"\norganization roles: user\ngroups for candidate tasks: "clerks"/);
  expect(text).toMatch(/creating projects: not allowed, because/);
  expect(text).toMatch(/project orders: editor, \d+ of \d+ operations; of the others, \d+ need admin/);
  expect(text).toMatch(/project billing: admin, (\d+) of \1 operations\n/);
  expect(text).toMatch(/every other project: nothing \(404\)/);
});

test('parts of the projects claim that give no right are named with the reason', async () => {
  const projects = [
    'orders',
    { id: 'a/b', roles: ['admin'] },
    { id: 'shop', roles: 'admin' },
    { id: 'desk', roles: ['Admin', 'viewer'] },
  ];
  const { verdict, text } = await explain(await issuer.sign({ projects }));
  expect(verdict).toBe('accepted');
  expect(text).toMatch(/projects, entry 0: ignored: it must be .* but is a value of type string/);
  expect(text).toMatch(/projects, entry 1: ignored: its id is not a project id/);
  expect(text).toMatch(/projects, project shop: ignored: its roles must be a list/);
  expect(text).toMatch(
    /projects, project desk: these roles grant no rights: "Admin"; expected viewer, executor, editor, admin/,
  );
  expect(text).toMatch(/project desk: viewer/);
});

test('a token without the claim is explained with where to add it', async () => {
  expect((await explain(await issuer.sign())).text).toMatch(/no claim projects.*OIDC_PROJECTS_CLAIM/);
});

test('words that should name a role in a project and do not are named', async () => {
  const okta = readConfiguredAccess({ OIDC_ISSUER: issuer.url, OIDC_PRESET: 'okta' });
  const { lines } = await explainToken(
    await issuer.sign({ groups: ['project-desk-viewer', 'project-shop-Admin', 'clerks'] }),
    okta,
  );
  const text = lines.join('\n');
  expect(text).toMatch(/project desk: viewer/);
  expect(text).toMatch(/groups: "project-shop-Admin" grants no rights; expected project-\{project\}-\{role\}/);
  expect(text).not.toMatch(/"clerks" gives|no claim projects/);
});

test('a system admin is admin everywhere, also where the token names a lower role', async () => {
  const { text } = await explain(
    await issuer.sign({ roles: ['system-admin'], projects: [{ id: 'orders', roles: ['viewer'] }] }),
  );
  expect(text).toMatch(/project orders: admin/);
  expect(text).toMatch(/every other project: admin/);
});

test.each([
  ['an expired token', { exp: 1_000 }, /401.*the token expired/],
  ['another audience', { aud: 'somebody-else' }, /401[^]*audience perdure/],
  ['another issuer', { iss: 'https://other.example' }, /401.*not one of the configured ones/],
  ['an ID token', { nonce: 'n' }, /401.*an ID token/],
])('%s is refused with the true reason', async (_, claims, reason) => {
  const { verdict, text } = await explain(await issuer.sign(claims));
  expect(verdict).toBe('refused');
  expect(text).toMatch(reason);
});

test('text that is not a token is refused and not repeated', async () => {
  const { verdict, text } = await explain('a-secret-that-was-pasted-by-mistake');
  expect(verdict).toBe('refused');
  expect(text).toMatch(/not a signed JWT/);
});

test('control characters in a claim do not reach the terminal', async () => {
  const { text } = await explain(await issuer.sign({ groups: ['\u001b[2J\u009b2J\u202e'], projects: [] }));
  expect(text).not.toMatch(/[\u001b\u009b\u202e]/);
});

test('without keys there is no verdict on the token', async () => {
  const away = await startIssuer();
  const token = await away.sign();
  await away.close();
  const { verdict } = await explainToken(token, readConfiguredAccess({ OIDC_ISSUER: away.url }));
  expect(verdict).toBe('unavailable');
});

test('a wrong configuration is named as a whole', () => {
  expect(() => readConfiguredAccess({ OIDC_ISSUER: 'http://issuer.example', OIDC_PRESET: 'x' })).toThrow(
    /must use https|OIDC_PRESET/,
  );
});

test('a service account of the development issuer is explained as the host sees it', async () => {
  const { verdict, lines } = await explainToken(
    await tokenFor('executor'),
    readConfiguredAccess({ OIDC_ISSUER: await issuerUrl() }),
  );
  expect(verdict).toBe('accepted');
  expect(lines.join('\n')).toMatch(
    /subject: "service-account-executor"[^]*project demo: executor[^]*project other: executor/,
  );
});
