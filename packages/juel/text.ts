/** Text with JUEL: one expression, or a template such as `order-${id}`. */
import { asFeel, feelString } from './feel.js';
import type { Names } from './names.js';
import { map } from './optional.js';
import { parseJuel } from './parser.js';

interface Part {
  text: string;
  isExpression: boolean;
}

/** Whether `text` contains JUEL, entirely or in part. */
export function holdsJuel(text: string): boolean {
  return /[$#]\{/.test(text);
}

/** Whether `text` is one expression of JUEL and nothing else. */
export function isJuel(text: string): boolean {
  return /^\s*[$#]\{[^{}]*\}\s*$/.test(text);
}

/**
 * FEEL, with a leading equals sign, of a text with JUEL.
 * @returns undefined if no equivalent is certain; `text` itself if it holds no JUEL
 */
export function textAsFeel(text: string, names: Names): string | undefined {
  if (!holdsJuel(text)) return text;
  return map(expressionAsFeel(text, names), (feel) => `=${feel}`);
}

/** Like `textAsFeel`, without the equals sign, and a string for a text without JUEL. */
export function expressionAsFeel(text: string, names: Names): string | undefined {
  const parts = partsOf(text.trim());
  if (!parts) return undefined;
  if (parts.length === 1) return partAsFeel(parts[0]!, names, false);
  const written = parts.map((part) => partAsFeel(part, names, true));
  return written.includes(undefined) ? undefined : written.join(' + ');
}

function partAsFeel({ text, isExpression }: Part, names: Names, inTemplate: boolean): string | undefined {
  if (!isExpression) return feelString(text.replaceAll(ESCAPED, '$1'));
  const expression = parseJuel(text);
  const feel = expression && asFeel(expression, names);
  return inTemplate ? map(feel, (inner) => `string(${inner})`) : feel;
}

/** Undefined if an expression has no end. */
function partsOf(text: string): Part[] | undefined {
  const parts: Part[] = [];
  let position = 0;
  while (position < text.length) {
    const begin = nextOpening(text, position);
    if (begin > position) parts.push({ text: text.slice(position, begin), isExpression: false });
    if (begin === text.length) break;
    const end = endOf(text, begin + 2);
    if (end === -1) return undefined;
    parts.push({ text: text.slice(begin + 2, end), isExpression: true });
    position = end + 1;
  }
  return parts.length === 0 ? [{ text: '', isExpression: false }] : parts;
}

/** A backslash makes an opening brace part of the text: JSR 245, section 1.2.3. */
const ESCAPED = /\\([$#]\{)/g;
const OPENING = /(?<!\\)[$#]\{/g;

function nextOpening(text: string, from: number): number {
  const reader = new RegExp(OPENING);
  reader.lastIndex = from;
  return reader.exec(text)?.index ?? text.length;
}

/** The closing brace, which strings may contain too. */
function endOf(text: string, from: number): number {
  let quote: string | undefined;
  for (let at = from; at < text.length; at += 1) {
    const character = text[at]!;
    if (quote) {
      if (character === '\\') at += 1;
      else if (character === quote) quote = undefined;
    } else if (character === "'" || character === '"') quote = character;
    else if (character === '}') return at;
  }
  return -1;
}
