/**
 * All callers share the event loop: the work that the worst body of each kind causes at each operation, in counts.
 * `HOSTILE_OPERATIONS=all` plays each kind at each operation; otherwise each kind is played at every third operation, from
 * another one on, so that each operation meets bodies to refuse and bodies to build.
 */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { storableLimits } from '@perdure/lib/storable-json.js';
import { FairTurns, defaultTurnLimits } from '@perdure/lib/fair-turns.js';
import { operations } from '../../../api/operations/index.js';
import { membersOfBody, operationsWithBody, pathOf } from '../../../bench/loop/bodies.js';
import { worstValues } from '../../../bench/loop/worst-values.js';
import { startTestApi, type TestApi } from '../support/api.js';

/** Enough to be beyond every limit in counts, but for numbers of many digits, which are refused for these. */
const SIZE = 700 * 1024;
const EVERY = process.env['HOSTILE_OPERATIONS'] === 'all' ? 1 : 3;
const unlimited = { perSecond: 1e12, burst: 1e12 };
const json = { 'Content-Type': 'application/json' };

let api: TestApi;
let token: string;

beforeAll(async () => {
  api = await startTestApi({
    configuration: { requestRate: unlimited, bodyRate: unlimited, verifyResponses: false },
    context: { turns: new FairTurns({ ...defaultTurnLimits, millisecondsPerMinute: 1e9 }) },
  });
  token = await api.issuer.sign({ roles: ['admin'], projects: [{ id: 'p1', roles: ['admin'] }] });
});
afterAll(() => api.close());

interface Work {
  loopBytes: number;
  loopValues: number;
  threadBytes: number;
}

async function counted({ metrics }: TestApi['context']): Promise<Work> {
  const sum = async (counter: typeof metrics.bodyBytes, place: string) =>
    (await counter.get()).values.find(({ labels }) => labels.place === place)?.value ?? 0;
  return {
    loopBytes: await sum(metrics.bodyBytes, 'loop'),
    loopValues: await sum(metrics.bodyValues, 'loop'),
    threadBytes: await sum(metrics.bodyBytes, 'thread'),
  };
}

async function send(method: string, path: string, body: string) {
  api.context.metrics.bodyBytes.reset();
  api.context.metrics.bodyValues.reset();
  const response = await api.request(method, path, { token, headers: json, body });
  const text = (await response.text()).slice(0, 1000);
  return { status: response.status, text, work: await counted(api.context) };
}

const limit = /more than \d+ (?:values|members)|more than 64 levels|does not survive/;
const worst = worstValues(SIZE);
const kindsOf = (isStorable: boolean) =>
  worst.filter((value) => value.isStorable === isStorable).map(({ kind }) => kind);
const numbered = (kinds: readonly string[]) => kinds.map((kind, index) => [kind, index] as const);
const textOf = (kind: string) => worst.find((value) => value.kind === kind)!.text;

const bodied = operationsWithBody(operations);
const playedAt = (kindIndex: number) => bodied.filter((_, index) => index % EVERY === kindIndex % EVERY);

/** The place of the value at each operation that is played: in its first member, or as the body. */
async function atOperations(kind: string, kindIndex: number) {
  const outcomes = [];
  for (const operation of playedAt(kindIndex)) {
    const [name] = membersOfBody(operation);
    const body = name === undefined ? textOf(kind) : `{"${name}":${textOf(kind)}}`;
    outcomes.push({ operation, body, ...(await send(operation.method, pathOf(operation, 'p1'), body)) });
  }
  return outcomes;
}

test.each(numbered(kindsOf(false)))(
  '%s: refused by a thread at each operation that gets it, with the limit',
  async (kind, index) => {
    for (const { operation, body, status, text, work } of await atOperations(kind, index))
      expect([operation.operationID, status, text, work]).toEqual([
        operation.operationID,
        400,
        expect.stringMatching(limit),
        { loopBytes: 0, loopValues: 0, threadBytes: Buffer.byteLength(body) },
      ]);
  },
);

test.each(numbered(kindsOf(true)))(
  '%s: verified by a thread at each operation that gets it, and built within the limits',
  async (kind, index) => {
    for (const { operation, body, work } of await atOperations(kind, index)) {
      expect([operation.operationID, work.threadBytes]).toEqual([operation.operationID, Buffer.byteLength(body)]);
      expect(work.loopValues).toBeLessThanOrEqual(operation.maxBodyValues ?? storableLimits.values);
      expect(work.loopBytes).toBeLessThanOrEqual(2 * SIZE);
    }
  },
);

test('each operation meets at least two kinds of bodies to refuse, and two to build', () => {
  for (const isStorable of [false, true]) {
    const met = kindsOf(isStorable).flatMap((_, index) => playedAt(index));
    for (const operation of bodied)
      expect(met.filter((played) => played === operation).length, operation.operationID).toBeGreaterThanOrEqual(2);
  }
});

test('a body that is larger than its operation takes is refused before anything reads it', async () => {
  for (const operation of bodied) {
    const body = `"${'a'.repeat((operation.maxBodyBytes ?? 5 * 1024 * 1024) + 1)}"`;
    const { status, work } = await send(operation.method, pathOf(operation, 'p1'), body);
    expect([operation.operationID, status, work]).toEqual([
      operation.operationID,
      413,
      { loopBytes: 0, loopValues: 0, threadBytes: 0 },
    ]);
  }
});

test('none of the values of the largest import, or of one that is refused, reach the event loop', async () => {
  const tokens = Array.from({ length: 10_000 }, (_, index) => ({
    nodeID: `n${index}`,
    retries: 3,
    variables: { index },
  }));
  const large = { text: 'a'.repeat(1_000_000) };
  const tree = (calls: number): object => ({
    source: { system: 'old', id: String(calls) },
    processId: 'p',
    variables: large,
    tokens: calls === 0 ? tokens : [{ nodeID: 'call' }],
    ...(calls > 0 && { called: [{ tokenIndex: 0, instance: tree(calls - 1) }] }),
  });
  const path = '/projects/p1/bpmn/instances/import';
  const valid = JSON.stringify(tree(15));
  const outlined = (await send('POST', path, valid)).work;
  expect(outlined).toEqual({ loopBytes: expect.any(Number), loopValues: 0, threadBytes: valid.length });
  expect(outlined.loopBytes).toBeLessThan(1_000);
  const invalid = JSON.stringify({ ...tree(15), tokens: [{ nodeID: 'call', retries: 0 }] });
  expect(await send('POST', path, invalid)).toMatchObject({
    status: 400,
    work: { loopBytes: 0, loopValues: 0, threadBytes: invalid.length },
  });
});
