/** `to json` and `from json` of Camunda. */
import { toJson } from '../json.js';
import type { FeelValue } from '../values.js';
import { chargeResult } from '../run.js';
import { invalid, type Call } from './define.js';

export function writeJsonText(call: Call, value: FeelValue): FeelValue {
  chargeResult(call.run, value);
  const text = JSON.stringify(toJson(value));
  call.run.chargeString(text.length, call.at);
  return text;
}

export function parseJsonText(call: Call, text: string): FeelValue {
  call.run.charge(text.length >> 2, call.at);
  try {
    return JSON.parse(text) as FeelValue;
  } catch {
    return invalid(call, 'the text is no JSON.');
  }
}
