/** `range("[1..3]")`: parses a range whose endpoints are literals (DMN 1.5 table 69). */
import { parseNumber } from '../values/decimal.js';
import { orderOf } from '../values/order.js';
import { FeelRange } from '../values/range.js';
import { parseDate, parseDateTime, parseDuration, parseTemporal, parseTime } from '../temporal/parse.js';
import type { FeelValue } from '../values/values.js';
import { invalid, type Call } from './define.js';

const CONSTRUCTORS: Record<string, (text: string) => FeelValue | undefined> = {
  date: parseDate,
  time: parseTime,
  'date and time': parseDateTime,
  duration: parseDuration,
};

export function rangeFromText(call: Call, text: string): FeelValue {
  call.run.charge(text.includes('@') ? 200 : 20, call.at);
  const parsed = text.length > 1000 ? undefined : parseRange(text.trim());
  return parsed ?? invalid(call, 'the text is not a range of two literals in ascending order.');
}

function parseRange(text: string): FeelRange | undefined {
  const [open, close] = [text[0] ?? '', text.at(-1) ?? ''];
  const separator = text.indexOf('..');
  if (!'[(]'.includes(open) || !'])['.includes(close) || open === '' || separator < 0) return undefined;
  const start = parseLiteral(text.slice(1, separator).trim());
  const end = parseLiteral(text.slice(separator + 2, -1).trim());
  if (start === undefined || end === undefined) return undefined;
  const order = orderOf(start, end);
  if (typeof order !== 'number' || order > 0) return undefined;
  return new FeelRange(start, end, open === '[', close === ']');
}

function parseLiteral(text: string): FeelValue | undefined {
  const quoted = /^(@|[a-z ]+\(\s*)?"([^"\\]*)"(\s*\))?$/.exec(text);
  if (quoted === null) return parseNumber(text);
  const [, prefix, content, suffix] = quoted;
  if (prefix === undefined) return suffix === undefined ? content : undefined;
  if (prefix === '@') return suffix === undefined ? parseTemporal(content ?? '') : undefined;
  const parse = CONSTRUCTORS[prefix.slice(0, prefix.indexOf('(')).trimEnd()];
  return suffix === undefined ? undefined : parse?.(content ?? '');
}
