/** `to json` and `from json` of Camunda. */
import { parseNumber } from '../values/decimal.js';
import { toJson } from '../json.js';
import type { FeelValue } from '../values/values.js';
import { chargeResult } from '../result-size.js';
import { invalid, type Call } from './define.js';

export function writeJsonText(call: Call, value: FeelValue): FeelValue {
  chargeResult(call.run, value);
  const text = JSON.stringify(toJson(value));
  call.run.chargeString(text.length, call.at);
  return text;
}

export function parseJsonText(call: Call, text: string): FeelValue {
  call.run.charge(text.length >> 2, call.at);
  let value: FeelValue;
  try {
    value = JSON.parse(text) as FeelValue;
  } catch {
    return invalid(call, 'the text is not valid JSON.');
  }
  return hasExactNumbers(text)
    ? value
    : invalid(
        call,
        'the text contains a number that a JSON number cannot represent exactly. Write it as a string and convert it with "number".',
      );
}

const numberOrString = /["\-0-9]/g;
const endOfStringOrEscape = /["\\]/g;
const numberToken = /[-+.0-9eE]+/y;
const shortNumber = /^-?[.0-9]{1,15}$/;

/**
 * Whether `JSON.parse` preserved every number of a valid JSON text: it returns Infinity for 1e400, and ...992 for
 * 9007199254740993.
 */
function hasExactNumbers(text: string): boolean {
  for (
    let position = seek(numberOrString, text, 0);
    position < text.length;
    position = seek(numberOrString, text, position)
  ) {
    if (text[position] === '"') {
      position = endOfString(text, position + 1);
      continue;
    }
    numberToken.lastIndex = position;
    const token = numberToken.exec(text)?.[0] ?? '';
    if (!shortNumber.test(token) && typeof parseNumber(token) !== 'number') return false;
    position += token.length;
  }
  return true;
}

/** The first position, from a given one on, at which the pattern matches; otherwise the end. */
function seek(pattern: RegExp, text: string, from: number): number {
  pattern.lastIndex = from;
  return pattern.exec(text)?.index ?? text.length;
}

/** The position after the quotation mark that ends a string. */
function endOfString(text: string, from: number): number {
  let position = seek(endOfStringOrEscape, text, from);
  while (text[position] === '\\') position = seek(endOfStringOrEscape, text, position + 2);
  return position + 1;
}
