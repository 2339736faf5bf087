import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type IncomingMessage, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { run } from '../../packages/cli/run.js';

let checkout: string;
let host: Server;
let api: string;
let requests: IncomingMessage[];

beforeEach(async () => {
  checkout = mkdtempSync(join(tmpdir(), 'perdure-checkout-'));
  writeFileSync(join(checkout, 'package.json'), '{"name": "perdure"}');
  requests = [];
  host = createServer((request, response) => {
    requests.push(request);
    response.setHeader('content-type', 'application/json');
    response.end(JSON.stringify(answers[new URL(request.url!, api).pathname] ?? emptyPage));
  });
  await new Promise<void>((resolve) => host.listen(0, '127.0.0.1', resolve));
  api = `http://127.0.0.1:${(host.address() as AddressInfo).port}`;
});
afterEach(async () => {
  rmSync(checkout, { recursive: true });
  await new Promise((resolve) => host.close(resolve));
});

const emptyPage = { data: [], pagination: { page: 1, pageSize: 20, total: 0, totalPages: 0 } };
const answers: { [path: string]: object } = { '/token': { access_token: 'of-the-profile' }, '/health': {} };

function writeProfile(changes: { [name: string]: string | undefined } = {}): string {
  const variables = {
    PERDURE_API: api,
    PERDURE_PROJECT: 'demo',
    PERDURE_TOKEN_ENDPOINT: `${api}/token`,
    PERDURE_CLIENT_ID: 'editor',
    PERDURE_CLIENT_SECRET: 'dev-editor',
    ...changes,
  };
  const file = join(checkout, '.perdure', 'env');
  mkdirSync(join(checkout, '.perdure'), { recursive: true });
  const lines = Object.entries(variables).flatMap(([name, value]) => (value ? [`export ${name}='${value}'\n`] : []));
  writeFileSync(file, lines.join(''), { mode: 0o600 });
  return file;
}

async function perdure(words: string[], { folder = checkout, environment = {} } = {}) {
  const [out, errors]: string[][] = [[], []];
  const { signal } = new AbortController();
  const io = { write: (line: string) => void out!.push(line), complain: (line: string) => void errors!.push(line) };
  return { code: await run(words, { environment, folder, signal, ...io }), out: out!, errors: errors!.join('\n') };
}

const paths = () => requests.map(({ url }) => url!.split('?')[0]);

test('a command in a project with @perdure/dev calls the host of perdure dev', async () => {
  writeFileSync(join(checkout, 'package.json'), '{"name": "orders"}');
  writeProfile();
  expect((await perdure(['list'])).code).not.toBe(0);
  mkdirSync(join(checkout, 'node_modules', '@perdure', 'dev'), { recursive: true });
  writeFileSync(join(checkout, 'node_modules', '@perdure', 'dev', 'package.json'), '{}');
  expect((await perdure(['list'])).code).toBe(0);
});

test('perdure dev names the package that it needs', async () => {
  const { code, errors } = await perdure(['dev']);
  expect(code).toBe(2);
  expect(errors).toContain(`not installed in ${checkout}. Run npm install --save-dev @perdure/dev`);
});

test('a command anywhere in the checkout calls the host of the profile and signs in to it', async () => {
  writeProfile();
  const below = join(checkout, 'examples', 'order');
  mkdirSync(below, { recursive: true });
  expect(await perdure(['list'], { folder: below })).toMatchObject({ code: 0, errors: '' });
  expect(paths()).toEqual(['/health', '/token', '/projects/demo/bpmn/instances']);
  expect(requests.at(-1)!.headers.authorization).toBe('Bearer of-the-profile');
});

test('another project can be named', async () => {
  writeProfile();
  await perdure(['list'], { environment: { PERDURE_PROJECT: 'other' } });
  await perdure(['list', '--project', 'third'], { environment: { PERDURE_PROJECT: 'other' } });
  expect(paths()).toContain('/projects/other/bpmn/instances');
  expect(paths()).toContain('/projects/third/bpmn/instances');
});

test.each<[string, string[], { [name: string]: string }]>([
  ['--api names a host', ['--api', 'http://127.0.0.1:1'], {}],
  ['PERDURE_API names a host', [], { PERDURE_API: 'http://127.0.0.1:1' }],
  ['half of the credentials are set', [], { PERDURE_CLIENT_ID: 'deployer' }],
])('the profile is not used when %s', async (_case, words, environment) => {
  writeProfile();
  const { code, errors } = await perdure(['list', ...words], { environment });
  expect({ code, errors }).toEqual({ code: 2, errors: expect.stringMatching(/^No credentials\. /) });
  expect(requests).toEqual([]);
});

test('a token in the environment is not mixed with the profile', async () => {
  writeProfile();
  await perdure(['list'], { environment: { PERDURE_TOKEN: 'of-ada', PERDURE_API: api } });
  expect(requests.map(({ headers }) => headers.authorization)).toEqual(['Bearer of-ada']);
});

test.each(['https://perdure.example.com', 'http://127.0.0.1.example.com', 'http://localhost@example.com', 'nonsense'])(
  'a profile that names %s is refused and nothing is sent',
  async (url) => {
    for (const name of ['PERDURE_API', 'PERDURE_TOKEN_ENDPOINT']) {
      writeProfile({ [name]: url });
      const { code, errors } = await perdure(['list']);
      expect({ code, errors }).toEqual({ code: 2, errors: expect.stringContaining('must name a host on loopback') });
    }
    expect(requests).toEqual([]);
  },
);

test('an incomplete profile names what it lacks', async () => {
  writeProfile({ PERDURE_CLIENT_SECRET: undefined });
  expect(await perdure(['list'])).toMatchObject({
    code: 2,
    errors: expect.stringMatching(/env has no PERDURE_CLIENT_SECRET\. Run npm start again\.$/),
  });
});

test('a profile that others can read is refused', async () => {
  chmodSync(writeProfile(), 0o640);
  expect(await perdure(['list'])).toMatchObject({ code: 2, errors: expect.stringContaining('readable only by you') });
  expect(requests).toEqual([]);
});

test('a .perdure folder outside of a checkout is not a profile', async () => {
  writeProfile();
  for (const text of ['{"name": "shop"}', 'no JSON']) {
    writeFileSync(join(checkout, 'package.json'), text);
    expect(await perdure(['list'])).toMatchObject({ code: 2, errors: expect.stringMatching(/^No credentials\. /) });
  }
});

test('a host that was killed is reported at once, with the profile that names it', async () => {
  const file = writeProfile({ PERDURE_API: 'http://127.0.0.1:1' });
  expect(await perdure(['list'])).toMatchObject({
    code: 3,
    errors: `Cannot reach the host: http://127.0.0.1:1 does not respond, although ${file} names it. Run npm start again, or set PERDURE_API to another host.`,
  });
});

test('without a running host, the message names npm start', async () => {
  expect(await perdure(['list'])).toMatchObject({ code: 2, errors: expect.stringContaining('run npm start') });
});
