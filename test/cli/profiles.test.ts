import { chmodSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { findHost } from '../../packages/cli/host.js';
import { runWith } from './support/run.js';

let home: string;
beforeEach(() => void (home = mkdtempSync(join(tmpdir(), 'perdure-profiles-'))));
afterEach(() => rmSync(home, { recursive: true }));

const credentials = { PERDURE_TOKEN: 'secret-token' };
const at = (...path: string[]) => join(home, 'perdure', ...path);
const perdure = (words: string[], variables: NodeJS.ProcessEnv = {}) =>
  runWith(words, { XDG_CONFIG_HOME: home, ...variables });
const add = (name: string, project = 'orders') =>
  perdure(['profile', 'add', name, '--api', `https://${name}.example.com/`, '--project', project], credentials);

function projectOf(selection: { profile?: string; api?: string }, variables: NodeJS.ProcessEnv = {}) {
  const environment = { XDG_CONFIG_HOME: home, ...variables };
  return findHost(
    { environment, folder: home, profile: selection.profile, api: selection.api, project: undefined },
    new AbortController().signal,
  ).then(({ projectID }) => projectID);
}

it('the command line saves a profile that only its owner can read, and never prints its credentials', async () => {
  const added = await add('production');
  expect(added).toMatchObject({ code: 0, errors: [] });
  expect(statSync(at('profiles', 'production.json')).mode & 0o077).toBe(0);
  expect(readdirSync(at('profiles'))).toEqual(['production.json']);
  const listed = await perdure(['profile', 'list', '--output', 'json']);
  expect(JSON.parse(listed.out[0]!)).toEqual([
    { name: 'production', api: 'https://production.example.com', projectID: 'orders', inUse: false },
    { name: 'development', api: expect.any(String), inUse: true },
  ]);
  expect([...added.out, ...listed.out].join()).not.toContain('secret-token');
});

it.each([
  ['the host', ['--api', 'http://perdure.example.com'], credentials, 'The host must use https'],
  [
    'the token endpoint',
    ['--api', 'https://perdure.example.com'],
    {
      PERDURE_TOKEN_ENDPOINT: 'http://id.example.com/token',
      PERDURE_CLIENT_ID: 'shop',
      PERDURE_CLIENT_SECRET: 'secret-of-the-shop',
    },
    'The token endpoint must use https',
  ],
])('the command line sends no credentials without TLS to another machine: %s', async (_what, options, own, message) => {
  for (const words of [['list'], ['profile', 'add', 'plain', '--project', 'orders']]) {
    const said = await perdure([...words, ...options], own);
    expect(said).toMatchObject({ code: 2, errors: [expect.stringContaining(message)] });
    expect(said.errors.join()).not.toContain('secret');
  }
});

it('a saved profile whose host is plain http on another machine is not used', async () => {
  await add('production');
  const file = at('profiles', 'production.json');
  writeFileSync(file, readFileSync(file, 'utf8').replace('https:', 'http:'), { mode: 0o600 });
  await expect(projectOf({ profile: 'production' })).rejects.toThrow('The host must use https');
});

it('calls the host of the profile in use until another one is chosen', async () => {
  await add('production', 'orders');
  await add('staging', 'trials');
  await perdure(['profile', 'use', 'staging']);
  expect(await projectOf({})).toBe('trials');
  expect(await projectOf({ profile: 'production' })).toBe('orders');
  await perdure(['profile', 'use', 'development']);
  await expect(projectOf({})).rejects.toThrow('No credentials');
});

it('the command line does not mix a profile with a host or credentials of the environment', async () => {
  await add('production', 'orders');
  await perdure(['profile', 'use', 'production']);
  expect(await projectOf({}, { PERDURE_TOKEN: 'other' })).toBe('demo');
  await expect(projectOf({ api: 'https://elsewhere.example.com' })).rejects.toThrow('No credentials');
  await expect(projectOf({ profile: 'production', api: 'https://elsewhere.example.com' })).rejects.toThrow(
    'Set --profile or --api, not both',
  );
});

it('the command line refuses a profile that others can read, one that is damaged, and one that does not exist', async () => {
  await add('production');
  chmodSync(at('profiles', 'production.json'), 0o644);
  await expect(projectOf({ profile: 'production' })).rejects.toThrow('readable only by you');
  await add('production');
  writeFileSync(at('profiles', 'production.json'), '{"api": 7}');
  await expect(projectOf({ profile: 'production' })).rejects.toThrow('is damaged');
  expect(await perdure(['profile', 'use', 'nowhere'])).toMatchObject({
    code: 2,
    errors: [expect.stringContaining('There is no profile "nowhere"')],
  });
});

it('a profile cannot be named outside of its folder', async () => {
  const { code, errors } = await add('../escape');
  expect({ code, errors }).toEqual({ code: 2, errors: [expect.stringContaining('but is "../escape"')] });
});

it('the command line replaces a profile as a whole', async () => {
  await add('production', 'orders');
  await perdure(['profile', 'add', 'production', '--api', 'https://new.example.com', '--project', 'parcels'], {
    PERDURE_TOKEN_ENDPOINT: 'https://login.example.com/token',
    PERDURE_CLIENT_ID: 'operator',
    PERDURE_CLIENT_SECRET: 'another',
  });
  expect(JSON.parse(readFileSync(at('profiles', 'production.json'), 'utf8'))).toEqual({
    api: 'https://new.example.com',
    projectID: 'parcels',
    tokenEndpoint: 'https://login.example.com/token',
    clientID: 'operator',
    clientSecret: 'another',
  });
});

it.each([
  ['without a host', ['profile', 'add', 'production'], credentials, /Set --api and --project/],
  [
    'without credentials',
    ['profile', 'add', 'production', '--api', 'https://a.example.com', '--project', 'p'],
    {},
    /^No credentials/,
  ],
  [
    'under the name of the development profile',
    ['profile', 'add', 'development', '--api', 'https://a.example.com', '--project', 'p'],
    credentials,
    /belongs to npm start/,
  ],
])('the command line saves nothing %s', async (_what, words, variables, message) => {
  const { code, errors } = await perdure(words, variables);
  expect({ code, errors }).toEqual({ code: 2, errors: [expect.stringMatching(message)] });
});
