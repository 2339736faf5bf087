/** Typed variables of Camunda 7 and values of instances, both ways. */
import { describe, expect, it } from 'vitest';
import { readTyped, toTyped, type TypedVariables } from '../../../api/camunda7/variables.js';
import { bearerOf } from '../../../api/camunda7/authorization.js';
import { endpoints } from '../../../api/camunda7/endpoints.js';
import { operations } from '../../../api/operations/index.js';
import { FairTurns } from '@perdure/lib/fair-turns.js';

const spent: number[] = [];
const reading = {
  maximumBytes: 1,
  spend: () => undefined,
  spendValues: (values: number) => void spent.push(values),
  count: () => undefined,
  turns: new FairTurns().of({ caller: 'c', project: 'p', signal: new AbortController().signal }),
};
const readAll = (...given: TypedVariables[]) => readTyped(given, reading);

describe('typed variables', () => {
  it.each([
    ['Boolean', false, false],
    ['string', '', ''],
    ['Short', -32_768, -32_768],
    ['Integer', 2_147_483_647, 2_147_483_647],
    ['Long', -9_007_199_254_740_991, -9_007_199_254_740_991],
    ['Double', 1e300, 1e300],
    ['Date', '2026-01-05T08:00:00.000+0000', '2026-01-05T08:00:00.000Z'],
    ['Date', '2026-01-05T08:00:00Z', '2026-01-05T08:00:00.000Z'],
    ['Json', '"text"', 'text'],
    ['Json', { a: 1 }, { a: 1 }],
    ['Xml', '<a/>', '<a/>'],
    ['Null', null, null],
    ['Bytes', null, null],
    [null, [1], [1]],
    [undefined, undefined, null],
  ])('of type %s: %j is %j', async (type, value, expected) => {
    expect(await readAll({ a: { type, value } })).toEqual({ a: expected });
  });

  it.each([
    ['Boolean', 'true'],
    ['String', 1],
    ['Short', 32_768],
    ['Integer', 1.5],
    ['Long', '1'],
    ['Double', '1'],
    ['Date', '2026-13-05T08:00:00.000+0000'],
    ['Date', 0],
    ['Json', ''],
    ['Json', '1,2'],
    ['Xml', 1],
    ['Null', 0],
    ['toString', 'x'],
  ])('of type %s are never %j', async (type, value) => {
    expect(await readAll({ a: { type, value } })).toMatchObject({
      code: 'BAD_REQUEST',
      message: expect.stringContaining('The variable "a"'),
    });
  });

  it('of a later part replace those of an earlier one', async () => {
    expect(await readAll({ a: { value: 1 }, b: { value: 1 } }, null, undefined, { b: { value: 2 } })).toEqual({
      a: 1,
      b: 2,
    });
  });

  it('count what is inside their texts against the caller', async () => {
    spent.length = 0;
    await readAll({ a: { type: 'Json', value: '[1,2,3]' } });
    expect(spent).toEqual([4]);
  });

  it('come back as they were given', async () => {
    const values = { a: null, b: 'x', c: -1, d: 1.5, e: 2 ** 40, f: [{ g: [] }], h: true };
    expect(await readAll(toTyped(values))).toEqual(values);
  });
});

describe('the token of a client', () => {
  it.each([
    [null, null],
    ['Bearer a.b.c', 'Bearer a.b.c'],
    [`Basic ${Buffer.from('name:a.b.c').toString('base64')}`, 'Bearer a.b.c'],
    [`basic ${Buffer.from(':a:b').toString('base64')}`, 'Bearer a:b'],
  ])('in %j is %j', (header, token) => expect(bearerOf(header)).toBe(token));
});

it('every endpoint but one has the name, role, and recording of an operation of the API', () => {
  const own = endpoints.filter(({ operation }) => {
    const same = operations.find(({ operationID }) => operationID === operation.operationID);
    return same?.role !== operation.role || same.records !== operation.records || same.handle !== operation.handle;
  });
  expect(own.map(({ operation }) => [operation.operationID, operation.role])).toEqual([
    ['UnlockExternalTask', 'executor'],
  ]);
});
