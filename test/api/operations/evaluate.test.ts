/** Expressions over the variables of an instance: as conditions see them, at any moment, and without a trace. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import {
  endEvent,
  multiInstance,
  processModel,
  scriptTask,
  sequenceModel,
  serviceTask,
  startEvent,
  subProcess,
  userTask,
} from '@perdure/testkit/models';
import { startTestHost, type TestHost } from './support/host.js';
import { deploy, start, takeJob, untilStatus } from './support/steps.js';
import { eventually } from '../../support/eventually.js';

let host: TestHost;
let workflowID: string;

beforeAll(async () => {
  host = await startTestHost();
  const definitionID = await deploy(
    host,
    sequenceModel('evaluated', [scriptTask('compute', '=a + 1', 'b'), serviceTask('evaluated-work')]),
  );
  workflowID = await start(host, definitionID, {
    variables: { a: 1, 'unit price': 2.5, items: [{ price: 3 }], secret: 'x' },
  });
  await takeJob(host, 'evaluated-work');
});
afterAll(() => host.close());

const evaluate = (body: object, of = workflowID, role: 'viewer' | 'executor' = 'viewer') =>
  host.call(role, 'POST', `/bpmn/instances/${of}/evaluate`, { json: body });
const resultOf = async (body: object, of = workflowID) => {
  const answer = await evaluate(body, of);
  expect(answer).toMatchObject({ status: 200 });
  return answer.body as { value: unknown; problem?: { message: string; line?: number; column?: number } };
};

async function scopesOfWaits(of: string): Promise<string[]> {
  const { data } = (await host.call('executor', 'GET', `/bpmn/instances/${of}/waits`)).body as {
    data: { scopeID?: string }[];
  };
  return data.map(({ scopeID }) => scopeID!);
}

test('an expression sees the variables of the instance, with or without an equals sign', async () => {
  expect(await resultOf({ expression: 'a + b' })).toEqual({ value: 3 });
  expect(await resultOf({ expression: ' = a + b' })).toEqual({ value: 3 });
  expect(await resultOf({ expression: 'unit price * 2' })).toEqual({ value: 5 });
  expect(await resultOf({ expression: 'items.price' })).toEqual({ value: [3] });
  expect(await resultOf({ expression: 'date("2026-03-01")' })).toEqual({ value: '2026-03-01' });
});

test('an expression with a moment sees the variables and the time of that fact', async () => {
  const { last } = (await host.call('viewer', 'GET', `/bpmn/instances/${workflowID}/replay`)).body as { last: number };
  expect(await resultOf({ expression: 'b', at: 1 })).toMatchObject({ value: null, problem: { line: 1, column: 1 } });
  expect(await resultOf({ expression: 'b', at: last })).toEqual({ value: 2 });
  const at = (await resultOf({ expression: 'now()', at: 1 })).value as string;
  const present = (await resultOf({ expression: 'now()' })).value as string;
  expect(Date.parse(at)).toBeLessThan(Date.parse(present));
  expect(await resultOf({ expression: 'now()', at: 1 })).toEqual({ value: at });
  expect(await resultOf({ expression: '1', at: 0 })).toEqual({ value: 1 });
  expect(await evaluate({ expression: '1', at: last + 1 })).toMatchObject({ status: 400 });
});

test('an expression that fails, or is not FEEL, has a problem with its place and without values', async () => {
  expect(await resultOf({ expression: '=a +' })).toMatchObject({ value: null, problem: { line: 1, column: 5 } });
  expect(await resultOf({ expression: '\n  nothing + 1' })).toMatchObject({
    value: null,
    problem: { message: expect.stringContaining('nothing') as string, line: 2, column: 3 },
  });
  expect(await resultOf({ expression: 'no such(1)' })).toMatchObject({ value: null, problem: {} });
  const { problem } = await resultOf({ expression: 'secret + 1' });
  expect(problem!.message).not.toContain('x"');
  expect(await resultOf({ expression: 'count(for i in 1..100000, j in 1..100000 return i)' })).toMatchObject({
    value: null,
    problem: { message: expect.stringContaining('limit') as string },
  });
  expect(await resultOf({ expression: `${'('.repeat(8_000)}1` })).toMatchObject({ value: null, problem: {} });
});

test('an empty or too long expression, an unknown scope, and a foreign instance are refused', async () => {
  for (const expression of ['', '  ', '=', ' = ', 'a'.repeat(16_385)])
    expect(await evaluate({ expression })).toMatchObject({ status: 400 });
  expect(await evaluate({ expression: '1', scopeID: '999' })).toMatchObject({ status: 404 });
  expect(await evaluate({ expression: '1', scopeID: '__proto__' })).toMatchObject({ status: 404 });
  expect(await evaluate({ expression: '1' }, 'no-such-instance')).toMatchObject({ status: 404 });
});

test('an expression in a scope sees the variables of that scope and of those around it', async () => {
  const definitionID = await deploy(
    host,
    processModel(
      'evaluated-scopes',
      [
        startEvent('start'),
        subProcess(
          'each',
          [startEvent('s'), userTask('look', { inputs: { note: '=item + "!"' } }), endEvent('e')],
          ['i1: s -> look', 'i2: look -> e'],
          { loop: multiInstance('=names') },
        ),
        endEvent('end'),
      ],
      ['f1: start -> each', 'f2: each -> end'],
    ),
  );
  const looped = await start(host, definitionID, { variables: { names: ['ada', 'bob'], item: 'outside' } });
  const scopes = await eventually(
    () => scopesOfWaits(looped),
    (found) => found.length === 2,
  );
  const items = await Promise.all(scopes.map((scopeID) => resultOf({ expression: 'item', scopeID }, looped)));
  expect(items.map(({ value }) => value).toSorted()).toEqual(['ada', 'bob']);
  expect(await resultOf({ expression: 'item' }, looped)).toEqual({ value: 'outside' });
});

test('an ended instance still has its variables, without those that were redacted', async () => {
  const definitionID = await deploy(host, sequenceModel('evaluated-ended', [scriptTask('compute', '=a + 1', 'b')]));
  const ended = await start(host, definitionID, { variables: { a: 1 } });
  await untilStatus(host, ended, 'COMPLETED');
  expect(await resultOf({ expression: 'a + b' }, ended)).toEqual({ value: 3 });
  expect(
    await host.call('admin', 'POST', `/bpmn/instances/${ended}/redact`, { json: { variables: ['a'] } }),
  ).toMatchObject({
    status: 204,
  });
  expect(await resultOf({ expression: 'a' }, ended)).toMatchObject({ value: null, problem: {} });
  expect(await resultOf({ expression: 'b' }, ended)).toEqual({ value: 2 });
});

test('a caller with four evaluations at once is refused more, and another caller is answered', async () => {
  const long = { expression: 'count(for i in 1..300, j in 1..300 return i)' };
  const answers = await Promise.all(Array.from({ length: 12 }, () => evaluate(long)));
  const statuses = answers.map(({ status }) => status);
  expect(statuses.filter((status) => status === 200).length).toBeGreaterThanOrEqual(4);
  expect(statuses.every((status) => status === 200 || status === 429)).toBe(true);
  expect(statuses).toContain(429);
  expect(await evaluate({ expression: 'a' }, workflowID, 'executor')).toMatchObject({
    status: 200,
    body: { value: 1 },
  });
});
