/** Lists as JSON lines, over a real socket. */
import { afterAll, afterEach, beforeAll, expect, test, vi } from 'vitest';
import { z } from 'zod';
import { defineOperation } from '../../../api/commands/define-operation.js';
import { serveApi, type ServedApi } from '../../../api/serve.js';
import { startTestApi, type TestApi } from '../support/api.js';

let api: TestApi;
let served: ServedApi;
let token: string;
let read: () => AsyncIterable<unknown>;

const item = z.strictObject({ number: z.int() });

const listNumbers = defineOperation({
  operationID: 'ListNumbers',
  method: 'GET',
  path: '/projects/{projectID}/numbers',
  role: 'viewer',
  summary: 'List numbers',
  request: { query: z.strictObject({ page: z.string().optional() }) },
  responses: { 200: { description: 'Numbers', schema: z.array(item) } },
  problems: [],
  lines: { query: z.strictObject({}), item },
}).handle(async () => ({ status: 200, body: [] }), { readLines: () => read() });

beforeAll(async () => {
  api = await startTestApi({ operations: [listNumbers] });
  served = await serveApi(api.app, { host: '127.0.0.1', port: 0 });
  token = await api.issuer.sign({ projects: [{ id: 'p1', roles: ['viewer'] }] });
});
afterAll(async () => {
  await served.close();
  await api.close();
});

const open: { release(): void }[] = [];
afterEach(() => {
  for (const { release } of open.splice(0)) release();
});

async function* numbers(count: number) {
  for (let number = 0; number < count; number += 1) yield { number };
}

async function* failing(count: number) {
  yield* numbers(count);
  throw new Error('no more rows');
}

/** Yields one row, then waits until it is released. */
function stalled(): AsyncIterable<unknown> {
  const waiting = new Promise<void>((resolve) => open.push({ release: resolve }));
  return (async function* () {
    yield { number: 0 };
    await waiting;
  })();
}

const get = (query = '', accept = 'application/x-ndjson', method = 'GET') =>
  fetch(`${served.url}/projects/p1/numbers${query}`, {
    method,
    headers: { Authorization: `Bearer ${token}`, Accept: accept },
  });

test('every row is a line, more than the socket takes at once', async () => {
  read = () => numbers(100_000);
  const response = await get();
  expect(response.headers.get('content-type')).toBe('application/x-ndjson');
  expect(response.headers.get('x-request-id')).not.toBeNull();
  const lines = (await response.text()).split('\n');
  expect(lines).toHaveLength(100_001);
  expect(lines.at(-2)).toBe('{"number":99999}');
});

test('a failure before the first row is a problem, a later one breaks the connection', async () => {
  read = () => failing(0);
  expect((await get()).status).toBe(500);
  read = () => failing(3);
  await expect(get().then((response) => response.text())).rejects.toThrow();
});

test('the caller accepts lines or gets the page, and HEAD gets neither', async () => {
  read = () => numbers(2);
  expect(await (await get('', 'application/json, */*')).text()).toBe('[]');
  expect(await (await get('', 'application/json;q=0.5, Application/X-NDJSON;q=1')).text()).toBe(
    '{"number":0}\n{"number":1}\n',
  );
  expect((await get('?page=1')).status).toBe(400);
  expect((await get('?page=1', '*/*')).status).toBe(200);
  expect(await (await get('', 'application/x-ndjson', 'HEAD')).text()).toBe('');
});

test('four streams of a caller run at once, until their callers have read or closed them', async () => {
  read = stalled;
  const responses = await Promise.all([get(), get(), get(), get()]);
  expect((await get()).status).toBe(429);
  await responses[0]!.body!.cancel();
  read = () => numbers(1);
  await vi.waitFor(async () => expect((await get()).status).toBe(200), { timeout: 10_000 });
  for (const { release } of open.splice(0)) release();
  for (const response of responses.slice(1)) expect(await response.text()).toBe('{"number":0}\n');
});
