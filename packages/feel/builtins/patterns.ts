/** `matches`, `replace`, `split` and `extract` (DMN 1.5 table 71). */
import { findMatch, machineOf, PatternError, type Machine, type Slots } from '../regex/index.js';
import type { FeelValue } from '../values/values.js';
import { invalid, type Call } from './define.js';

/** Cost of compiling and starting the regex machine, and of each match found. */
const START_STEPS = 40;
const MATCH_STEPS = 4;

interface Search {
  machine: Machine;
  codes: Int32Array;
  count: (steps: number) => void;
}

function search(call: Call, text: string, pattern: string, flags: string): Search | null {
  const { run, at } = call;
  run.charge(START_STEPS + (text.length >> 4), at);
  const machine = machineOf(pattern, flags);
  if (machine instanceof PatternError) return invalid(call, `the pattern is invalid: ${machine.message}.`);
  run.charge(machine.program.length, at);
  return { machine, codes: codePoints(text), count: (steps) => run.charge(steps, at) };
}

function codePoints(text: string): Int32Array {
  if (/[\ud800-\udfff]/.test(text))
    return Int32Array.from(Array.from(text, (character) => character.codePointAt(0) as number));
  const codes = new Int32Array(text.length);
  for (let index = 0; index < text.length; index++) codes[index] = text.charCodeAt(index);
  return codes;
}

/** All non-overlapping matches from left to right. */
function* matchesOf({ machine, codes, count }: Search): Generator<Slots> {
  for (let from = 0; from <= codes.length;) {
    const slots = findMatch(machine, codes, from, count);
    if (slots === undefined) return;
    count(MATCH_STEPS);
    yield slots;
    const [start, end] = [slots[0] as number, slots[1] as number];
    from = end > start ? end : end + 1;
  }
}

function textOf({ codes }: Search, start: number | undefined, end: number | undefined): string {
  if (start === undefined || end === undefined) return '';
  let text = '';
  for (let index = start; index < end; index++) text += String.fromCodePoint(codes[index] as number);
  return text;
}

export function matchesPattern(call: Call, text: string, pattern: string, flags = ''): FeelValue {
  const found = search(call, text, pattern, flags);
  return found === null ? null : findMatch(found.machine, found.codes, 0, found.count) !== undefined;
}

export function replaceAll(call: Call, text: string, pattern: string, replacement: string, flags = ''): FeelValue {
  const found = search(call, text, pattern, flags);
  if (found === null) return null;
  const parts = replacementParts(replacement, found.machine.slotCount / 2 - 1);
  if (parts === undefined)
    return invalid(call, 'in the replacement, "$" must be followed by a digit and "\\" by "$" or "\\".');
  let result = '';
  let position = 0;
  for (const slots of matchesOf(found)) {
    result += textOf(found, position, slots[0]);
    for (const part of parts)
      result += typeof part === 'string' ? part : textOf(found, slots[part * 2], slots[part * 2 + 1]);
    position = slots[1] as number;
    call.run.chargeString(result.length, call.at);
  }
  result += textOf(found, position, found.codes.length);
  call.run.chargeString(result.length, call.at);
  return result;
}

/** Texts and group numbers; undefined if the replacement is malformed. */
function replacementParts(replacement: string, groups: number): (string | number)[] | undefined {
  const parts: (string | number)[] = [];
  for (let index = 0; index < replacement.length; index++) {
    const sign = replacement[index] as string;
    const next = replacement[index + 1] ?? '';
    if (sign === '$') {
      if (!/^\d$/.test(next)) return undefined;
      let group = Number(next);
      index += 1;
      while (/^\d$/.test(replacement[index + 1] ?? '') && group * 10 + Number(replacement[index + 1]) <= groups)
        group = group * 10 + Number(replacement[++index]);
      parts.push(group);
    } else if (sign === '\\') {
      if (next !== '$' && next !== '\\') return undefined;
      parts.push(next);
      index += 1;
    } else {
      parts.push(sign);
    }
  }
  return parts;
}

export function splitText(call: Call, text: string, delimiter: string): FeelValue {
  const found = search(call, text, delimiter, '');
  if (found === null) return null;
  const parts: FeelValue[] = [];
  let position = 0;
  for (const [start, end] of matchesOf(found)) {
    if (end === start && (start === 0 || start === found.codes.length)) continue;
    parts.push(textOf(found, position, start));
    position = end as number;
    if (parts.length > call.run.budget.listLength) call.run.chargeList(parts.length, call.at);
  }
  parts.push(textOf(found, position, found.codes.length));
  call.run.chargeList(parts.length, call.at);
  return parts;
}

export function extractAll(call: Call, text: string, pattern: string): FeelValue {
  const found = search(call, text, pattern, '');
  if (found === null) return null;
  const parts: FeelValue[] = [];
  for (const [start, end] of matchesOf(found)) {
    parts.push(textOf(found, start, end));
    if (parts.length > call.run.budget.listLength) call.run.chargeList(parts.length, call.at);
  }
  return parts;
}
