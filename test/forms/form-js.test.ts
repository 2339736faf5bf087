/** Compares the host's check with form-js's own on generated fields and values. */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { readForm, type FormSchema } from '@perdure/forms/read-form.js';
import { validateForm } from '@perdure/forms/validate.js';
import { scaled } from '../engine/random/seeds.js';
import { refusedByFormJs } from './support/form-js.js';

const text = fc.oneof(
  fc.stringMatching(/^[a-c0-9 _.-]{0,8}$/),
  fc.constantFrom('', 'abc', 'A1', '2026-01-31', 'a\nb', ' x ', '12.50'),
);
const limit = (value: fc.Arbitrary<unknown>) => fc.option(value, { nil: undefined });
const given = (validate: Record<string, unknown>) =>
  Object.fromEntries(Object.entries(validate).filter(([, value]) => value !== undefined));

const patterns = [
  '^[a-c]+$',
  '\\d',
  '^\\w{2,4}$',
  '[^\\s]',
  'a|b1',
  '^(?:ab|c)*$',
  '\\.',
  '[\\d-]+$',
  '^\\S+\\s',
  '\\u0041',
  'a/b|\\/',
];

const textField = fc.record({
  type: fc.constantFrom('textfield', 'textarea'),
  validate: fc
    .record({
      required: limit(fc.boolean()),
      minLength: limit(fc.oneof(fc.nat(5), fc.constantFrom('=other', '=1 + 1'))),
      maxLength: limit(fc.nat(5)),
      pattern: limit(fc.constantFrom(...patterns)),
    })
    .map(given),
  value: fc.option(text, { nil: undefined }),
});

const numberField = fc.record({
  type: fc.constant('number'),
  decimalDigits: fc.constantFrom(undefined, 0, 1, 2),
  validate: fc
    .record({
      required: limit(fc.boolean()),
      min: limit(fc.oneof(fc.integer({ min: -5, max: 5 }), fc.constantFrom('=other', '0.5'))),
      max: limit(fc.integer({ min: -5, max: 5 })),
    })
    .map(given),
  value: fc.option(fc.oneof(fc.integer({ min: -9, max: 9 }), fc.constantFrom(0.5, 0.25, 1e-3, 2.125)), {
    nil: undefined,
  }),
});

const values = [
  { label: 'A', value: 'a' },
  { label: 'One', value: 1 },
];
const choice = fc.oneof(
  fc.record({ type: fc.constant('checkbox'), value: fc.option(fc.boolean(), { nil: undefined }) }),
  fc.record({
    type: fc.constantFrom('select', 'radio'),
    values: fc.constant(values),
    value: fc.constantFrom(undefined, null, 'a', 1),
  }),
  fc.record({
    type: fc.constantFrom('checklist', 'taglist'),
    values: fc.constant(values),
    value: fc.constantFrom(undefined, [], ['a'], ['a', 1]),
  }),
);
const choiceField = fc.tuple(choice, fc.boolean()).map(([field, required]) => ({ ...field, validate: { required } }));

const field = fc
  .tuple(
    fc.oneof(textField, numberField, choiceField),
    fc.constantFrom(
      undefined,
      '=other > 2',
      '=other = null',
      '=flag',
      '=not(flag)',
      '=missing.member > 1',
      '=flag or other > 3',
      '= (',
    ),
    fc.boolean(),
  )
  .map(([given, hide, disabled]) => ({
    ...given,
    ...(hide !== undefined && { conditional: { hide } }),
    ...(disabled && { disabled }),
  }));

const submission = fc.record({
  fields: fc.array(field, { minLength: 1, maxLength: 4 }),
  group: fc.constantFrom(undefined, 'group', 'a.b'),
  other: fc.integer({ min: 0, max: 5 }),
  flag: fc.boolean(),
});

test('validation refuses the fields that form-js refuses, and no others', async () => {
  await fc.assert(
    fc.asyncProperty(submission, async ({ fields, group, other, flag }) => {
      const components = fields.map((each, index) => ({
        ...each,
        value: undefined,
        id: `f${index}`,
        key: `f${index}`,
      }));
      const schema = {
        type: 'default',
        id: 'form',
        schemaVersion: 16,
        components: group === undefined ? components : [{ type: 'group', id: 'g', path: group, components }],
      };
      const own = Object.fromEntries(
        fields.flatMap(({ value }, index) => (value === undefined ? [] : [[`f${index}`, value]])),
      );
      const nested = (group ?? '')
        .split('.')
        .reduceRight<Record<string, unknown>>((inner, step) => (step === '' ? inner : { [step]: inner }), own);
      const variables = { other, flag, ...nested };
      const reading = readForm(JSON.stringify(schema));
      const issues = validateForm((reading as { form: FormSchema }).form, { variables, visible: {}, now: 0 });
      const refused = new Set(issues.map(({ path }) => path.split('/').at(-1)!));
      const expected = await refusedByFormJs(schema, components, variables, ({ id }) => own[id]);
      expect([...refused].sort()).toEqual(expected.sort());
    }),
    { numRuns: scaled(300) },
  );
});
