/** Functions of Camunda outside the other groups, and functions that no deterministic host can provide. */
import type { FeelValue } from '../values/values.js';
import { any, boolean, context, fail, form, nullable, optional, string, type Builtin, type Call } from './define.js';
import { parseJsonText, writeJsonText } from './json-text.js';
import { areSame } from './is.js';

/** `cause` is not shown here, because it may come from a variable; see `compile/assert.ts` for literal causes. */
function assertHolds(call: Call, value: FeelValue, condition: boolean): FeelValue {
  return condition ? value : fail(call, 'ASSERTION_FAILED', 'The condition of "assert" is false.');
}

/** The result differs between evaluations, which a replayed process does not allow. */
function notDeterministic(call: Call): null {
  return fail(
    call,
    'UNSUPPORTED',
    `"${call.name}" is not supported, because a process must give the same result on every replay. Pass the value in as a variable.`,
  );
}

export const SPECIAL_FUNCTIONS: Record<string, Builtin> = {
  not: [form([boolean('negand')], (_call, negand) => !negand)],
  is: [
    form([optional(any('value1')), optional(any('value2'))], (call, left = null, right = null) =>
      areSame(call, left, right),
    ),
  ],
  assert: [form([any('value'), boolean('condition'), optional(string('cause'))], assertHolds)],
  'to json': [form([any('value')], writeJsonText)],
  'from json': [form([string('value')], parseJsonText)],
  fromAi: [
    form(
      [
        any('value'),
        nullable(string('description')),
        nullable(string('type')),
        nullable(context('schema')),
        nullable(context('options')),
      ],
      (_call, value) => value,
    ),
  ],
  uuid: [form([], notDeterministic)],
  'random number': [form([], notDeterministic)],
};
