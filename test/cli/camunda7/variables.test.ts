/** Variables of Camunda 7 as JSON. */
import { expect, it } from 'vitest';
import { readVariable } from '../../../packages/cli/camunda7/variables.js';
import { variable } from './support/engine.js';

const read = (type: string, value: unknown, format?: string) =>
  readVariable(variable('p', 'v', type, value, format), {});

it.each([
  ['Boolean', true, true],
  ['String', 'a', 'a'],
  ['Short', 1, 1],
  ['Integer', 2, 2],
  ['Long', 9007199254740991, 9007199254740991],
  ['Double', 1.5, 1.5],
  ['Null', null, null],
  ['String', null, null],
  ['Json', '{"a":[1]}', { a: [1] }],
])('a %s is imported as it is', (type, value, expected) => {
  expect(read(type, value)).toEqual({ kind: 'value', value: expected });
});

it('an object that is serialized as JSON is its value', () => {
  expect(read('Object', '{"total":7}', 'application/json')).toEqual({ kind: 'value', value: { total: 7 } });
});

it('a date is imported as an instant, and XML as a text, and both are named', () => {
  expect(read('Date', '2026-01-05T09:00:00.000+0100')).toMatchObject({
    value: '2026-01-05T08:00:00.000Z',
    note: expect.stringContaining('date'),
  });
  expect(read('Xml', '<a/>')).toMatchObject({ value: '<a/>', note: expect.stringContaining('XML') });
});

it.each([
  [
    'an object that is serialized by Java',
    'Object',
    'rO0ABXNy',
    'application/x-java-serialized-object',
    /java-serialized/,
  ],
  ['a file', 'File', null, undefined, /File/],
  ['bytes', 'Bytes', null, undefined, /Bytes/],
  ['a number that JSON would change', 'Long', 9007199254740994, undefined, /digits/],
  ['a text that is not JSON', 'Json', '{', undefined, /not JSON/],
])('%s is skipped, and named', (_what, type, value, format, note) => {
  expect(read(type, value, format)).toEqual({ kind: 'skipped', note: expect.stringMatching(note) });
});

it('a map file skips a variable or gives it another value, which is named too', () => {
  const given = variable('p', 'order', 'Object', 'rO0AB', 'application/x-java-serialized-object');
  expect(readVariable(given, { order: { as: { id: 5 } } })).toMatchObject({ kind: 'value', value: { id: 5 } });
  expect(readVariable(given, { order: { skip: true } })).toMatchObject({ kind: 'skipped' });
  expect(readVariable({ ...given, name: 'constructor' }, {})).toMatchObject({ kind: 'skipped' });
});
