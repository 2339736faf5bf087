/** Constant sources of mappings: what Camunda 8 makes of a text without an equals sign. */
import { expect, test } from 'vitest';
import { extended, graphOf, nodeOf, through } from './support/model.js';

const LONG = '1'.repeat(100_000);

async function constants(...sources: string[]) {
  const lines = (kind: string) =>
    sources.map((source, index) => `<zeebe:${kind} source="${source}" target="v${index}"/>`);
  const xml = through(
    extended(
      'serviceTask id="m"',
      `<zeebe:taskDefinition type="5" retries="7"/><zeebe:taskHeaders><zeebe:header key="true" value="true"/></zeebe:taskHeaders><zeebe:ioMapping>${lines('input').join('')}${lines('output').join('')}</zeebe:ioMapping>`,
    ),
  );
  const { inputs = [], outputs = [], job } = nodeOf(await graphOf(xml), 'serviceTask');
  expect(outputs.map(({ source }) => source)).toEqual(inputs.map(({ source }) => source));
  return { values: inputs.map(({ source }) => ('literal' in source ? source.literal : source)), job };
}

test.each([
  ['5', 5],
  ['-5', -5],
  ['+5', 5],
  ['0', 0],
  ['007', 7],
  ['1.50', 1.5],
  ['.5', 0.5],
  ['5.', 5],
  ['1e5', 100_000],
  ['1E-2', 0.01],
  ['0.1', 0.1],
  ['9007199254740992', 9_007_199_254_740_992],
  ['1e21', 1e21],
  ['true', true],
  ['false', false],
  ['null', null],
])('the constant %s of a mapping is a value, not a text', async (source, value) => {
  expect((await constants(source)).values).toEqual([value]);
});

test.each([
  '',
  ' 5 ',
  '5 ',
  '1,5',
  '1_000',
  '0x10',
  '1e',
  'e5',
  '.',
  '-',
  '+-5',
  '5-3',
  'NaN',
  'Infinity',
  'True',
  ' true',
  'hello',
  '2026-01-31',
])('the constant %j of a mapping stays text', async (source) => {
  expect((await constants(source)).values).toEqual([source]);
});

test.each(['9007199254740993', '0.1000000000000000055511151231257827', '1e400', '1e-400', '-0', LONG])(
  'the constant %.40s, which a number would change, stays text',
  async (source) => {
    expect((await constants(source)).values).toEqual([source]);
  },
);

test('types, retries, and headers of a job stay text', async () => {
  expect((await constants('5')).job).toEqual({
    type: { literal: '5' },
    retries: { literal: '7' },
    headers: { true: 'true' },
  });
});
