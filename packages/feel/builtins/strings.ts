/** String functions (DMN 1.5 table 71, and those that Camunda adds). Positions count characters, not UTF-16 units. */
import { isInteger, toDouble, type FeelNumber } from '../values/decimal.js';
import { encodeBase64 } from './base64.js';
import { form, invalid, list, nullable, number, optional, string, type Builtin, type Call } from './define.js';
import { extractAll, matchesPattern, replaceAll, splitText } from './patterns.js';
import type { FeelValue } from '../values/values.js';
import { typeOf } from '../values/values.js';

/** Whether every character is one UTF-16 unit, so that positions are the same. */
function isSimple(text: string): boolean {
  return !/[\ud800-\udfff]/.test(text);
}

function characters(call: Call, text: string): string[] {
  call.run.charge(text.length >> 3, call.at);
  return Array.from(text);
}

function substring(call: Call, text: string, start: FeelNumber, length: FeelNumber | undefined): FeelValue {
  const from = toDouble(start);
  if (!isInteger(start) || from === 0) return invalid(call, 'the start position must be an integer other than 0.');
  const count = length === undefined ? Number.POSITIVE_INFINITY : Math.trunc(toDouble(length));
  if (count < 1) return invalid(call, 'the length must be at least 1.');
  const simple = isSimple(text);
  const source = simple ? text : characters(call, text);
  if (Math.abs(from) > source.length) return '';
  const first = from > 0 ? from - 1 : source.length + from;
  const part = source.slice(first, Math.min(source.length, first + count));
  call.run.chargeString(part.length, call.at);
  return typeof part === 'string' ? part : part.join('');
}

function around(text: string, match: string): [before: string, after: string] | undefined {
  const index = text.indexOf(match);
  return index < 0 ? undefined : [text.slice(0, index), text.slice(index + match.length)];
}

function join(call: Call, items: FeelValue[], delimiter = '', prefix = '', suffix = ''): FeelValue {
  const parts: string[] = [];
  let length = prefix.length + suffix.length;
  for (const item of items) {
    if (item === null) continue;
    if (typeof item !== 'string')
      return call.run.fail(
        call.at,
        'TYPE_MISMATCH',
        `"string join" needs a list of strings, but an item is a ${typeOf(item)}.`,
      );
    length += item.length + delimiter.length;
    if (length > call.run.budget.stringLength) call.run.chargeString(length, call.at);
    parts.push(item);
  }
  call.run.charge(items.length, call.at);
  call.run.chargeString(length, call.at);
  return prefix + parts.join(delimiter) + suffix;
}

/** Case conversion can make a string longer, at most threefold. */
function changeCase(call: Call, text: string, change: (text: string) => string): string {
  call.run.chargeString(text.length, call.at);
  const changed = change(text);
  call.run.chargeString(changed.length, call.at);
  return changed;
}

export const STRING_FUNCTIONS: Record<string, Builtin> = {
  substring: [form([string('string'), number('start position'), optional(number('length'))], substring)],
  'string length': [
    form([string('string')], (call, text) => (isSimple(text) ? text.length : characters(call, text).length)),
  ],
  'upper case': [form([string('string')], (call, text) => changeCase(call, text, (value) => value.toUpperCase()))],
  'lower case': [form([string('string')], (call, text) => changeCase(call, text, (value) => value.toLowerCase()))],
  'substring before': [
    form([string('string'), string('match')], (_call, text, match) => around(text, match)?.[0] ?? ''),
  ],
  'substring after': [
    form([string('string'), string('match')], (_call, text, match) => around(text, match)?.[1] ?? ''),
  ],
  contains: [form([string('string'), string('match')], (_call, text, match) => text.includes(match))],
  'starts with': [form([string('string'), string('match')], (_call, text, match) => text.startsWith(match))],
  'ends with': [form([string('string'), string('match')], (_call, text, match) => text.endsWith(match))],
  matches: [form([string('input'), string('pattern'), nullable(string('flags'))], matchesPattern)],
  replace: [form([string('input'), string('pattern'), string('replacement'), nullable(string('flags'))], replaceAll)],
  split: [form([string('string'), string('delimiter')], splitText)],
  extract: [form([string('string'), string('pattern')], extractAll)],
  'string join': [
    form([list('list'), nullable(string('delimiter'))], join),
    form([list('list'), nullable(string('delimiter')), string('prefix'), string('suffix')], join),
  ],
  trim: [form([string('string')], (_call, text) => text.trim())],
  'is blank': [form([string('string')], (_call, text) => text.trim() === '')],
  'to base64': [form([string('value')], (call, text) => encodeBase64(call, text))],
};
