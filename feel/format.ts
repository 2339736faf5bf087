/** The text form of values (DMN 1.5 table 69, function `string`). */
import { formatNumber, isNumber } from './decimal.js';
import type { Span } from './errors.js';
import { FeelFunction } from './functions.js';
import { FeelRange } from './range.js';
import type { Run } from './run.js';
import { isContext, type FeelValue } from './values.js';

/** A string is itself at the top and quoted inside lists and contexts. */
export function formatString(run: Run, at: Span, value: FeelValue): string {
  const text = typeof value === 'string' ? value : formatPart(run, at, value);
  run.chargeString(text.length, at);
  return text;
}

function formatPart(run: Run, at: Span, value: FeelValue): string {
  run.charge(1, at);
  if (value === null) return 'null';
  if (typeof value === 'string') return quote(run, at, value);
  if (typeof value === 'boolean') return String(value);
  if (isNumber(value)) return formatNumber(value);
  if (Array.isArray(value)) return joined(run, at, '[', value.map((item) => formatPart(run, at, item)), ']');
  if (isContext(value)) {
    return joined(run, at, '{', Object.keys(value).map((key) => `${formatKey(key)}: ${formatPart(run, at, value[key] ?? null)}`), '}');
  }
  if (value instanceof FeelRange) return formatRange(run, at, value);
  if (value instanceof FeelFunction) return `function(${(value.parameters ?? []).map(({ name }) => name).join(', ')})`;
  return String(value);
}

function joined(run: Run, at: Span, open: string, parts: string[], close: string): string {
  run.chargeString(parts.reduce((length, part) => length + part.length + 2, 2), at);
  return open + parts.join(', ') + close;
}

function quote(run: Run, at: Span, text: string): string {
  run.chargeString(text.length, at);
  return `"${text.replace(/["\\]/g, '\\$&')}"`;
}

function formatKey(key: string): string {
  return /^[\p{L}_][\p{L}\p{N}_]*$/u.test(key) ? key : `"${key.replace(/["\\]/g, '\\$&')}"`;
}

/** `[1..3)`; one-sided ranges as they are written. */
export function formatRange(run: Run, at: Span, range: FeelRange): string {
  const { operator } = range;
  if (operator !== undefined) return `(${operator} ${formatPart(run, at, operator.startsWith('<') ? range.end : range.start)})`;
  const start = range.startIncluded ? '[' : '(';
  const end = range.endIncluded ? ']' : ')';
  return `${start}${formatPart(run, at, range.start)}..${formatPart(run, at, range.end)}${end}`;
}
