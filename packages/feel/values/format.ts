/** The text form of values (DMN 1.5 table 69, function `string`). */
import { formatNumber, isNumber, maxTextLength, type FeelNumber } from './decimal.js';
import type { Span } from '../errors.js';
import { FeelFunction } from '../functions.js';
import { FeelRange } from './range.js';
import type { Run } from '../run.js';
import { isContext, type FeelContext, type FeelObject, type FeelValue } from './values.js';

/** A string is unchanged at the top level and quoted inside lists and contexts. */
export function formatString(run: Run, at: Span, value: FeelValue): string {
  if (typeof value === 'string') {
    run.chargeString(value.length, at);
    return value;
  }
  const writer = new Writer(run, at);
  writer.value(value);
  return writer.text();
}

/** `[1..3)`; one-sided ranges as they are written. */
export function formatRange(run: Run, at: Span, range: FeelRange): string {
  const writer = new Writer(run, at);
  writer.value(range);
  return writer.text();
}

/** Maximum characters of a date, time or duration. */
const MAX_TEMPORAL_LENGTH = 128;

/** Writes one piece after another and counts its characters first, so that a text that is too long is never created. */
class Writer {
  private readonly pieces: string[] = [];
  private length = 0;

  constructor(
    private readonly run: Run,
    private readonly at: Span,
  ) {}

  text(): string {
    return this.pieces.join('');
  }

  value(value: FeelValue): void {
    this.run.charge(1, this.at);
    if (typeof value === 'string') this.quoted(value);
    else if (typeof value !== 'object' || value === null) this.scalar(value);
    else if (Array.isArray(value)) this.list(value);
    else if (isContext(value)) this.context(value);
    else if (value instanceof FeelRange) this.range(value);
    else this.object(value as FeelObject);
  }

  private scalar(value: null | boolean | number): void {
    if (typeof value === 'number') this.number(value);
    else this.write(String(value));
  }

  private object(value: FeelObject): void {
    if (isNumber(value)) this.number(value);
    else if (value instanceof FeelFunction)
      this.write(`function(${(value.parameters ?? []).map(({ name }) => name).join(', ')})`);
    else {
      this.count(MAX_TEMPORAL_LENGTH);
      this.pieces.push(String(value));
    }
  }

  private number(value: FeelNumber): void {
    this.count(maxTextLength(value));
    this.pieces.push(formatNumber(value));
  }

  private quoted(text: string): void {
    this.count(text.length + 2);
    if (hasEscapes(text)) this.run.charge(text.length >> 3, this.at);
    this.pieces.push(quote(text));
  }

  private list(items: readonly FeelValue[]): void {
    this.write('[');
    items.forEach((item, index) => {
      if (index > 0) this.write(', ');
      this.value(item);
    });
    this.write(']');
  }

  private context(context: FeelContext): void {
    this.write('{');
    Object.keys(context).forEach((key, index) => {
      if (index > 0) this.write(', ');
      this.key(key);
      this.value(context[key] ?? null);
    });
    this.write('}');
  }

  private key(key: string): void {
    this.run.charge(key.length >> 5, this.at);
    if (/^[\p{L}_][\p{L}\p{N}_]*$/u.test(key)) this.write(key);
    else this.quoted(key);
    this.write(': ');
  }

  private range({ operator, start, end, startIncluded, endIncluded }: FeelRange): void {
    if (operator !== undefined) {
      this.write(`(${operator} `);
      this.value(operator.startsWith('<') ? end : start);
      this.write(')');
      return;
    }
    this.write(startIncluded ? '[' : '(');
    this.value(start);
    this.write('..');
    this.value(end);
    this.write(endIncluded ? ']' : ')');
  }

  private write(piece: string): void {
    this.count(piece.length);
    this.pieces.push(piece);
  }

  private count(characters: number): void {
    const before = this.length >> 6;
    this.length += characters;
    this.run.checkString(this.length, this.at);
    this.run.charge((this.length >> 6) - before, this.at);
  }
}

function hasEscapes(text: string): boolean {
  return text.includes('"') || text.includes('\\');
}

function quote(text: string): string {
  return `"${hasEscapes(text) ? text.replaceAll('\\', '\\\\').replaceAll('"', '\\"') : text}"`;
}
