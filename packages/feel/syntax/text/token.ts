/** Tokens of a text (DMN 1.5 section 10.3.1.2, grammar rules 27 to 30, 33 to 37, 58 to 66). */
import { SyntaxFault } from './problem.js';

export interface Token {
  kind: 'word' | 'number' | 'string' | 'temporal' | 'backtick' | 'sign' | 'end';
  text: string;
  from: number;
  to: number;
}

/** Grammar rules 28 and 29: characters that start and continue a word. */
const START =
  '?A-Z_a-z\\u{C0}-\\u{D6}\\u{D8}-\\u{F6}\\u{F8}-\\u{2FF}\\u{370}-\\u{37D}\\u{37F}-\\u{1FFF}\\u{200C}\\u{200D}\\u{2070}-\\u{218F}\\u{2C00}-\\u{2FEF}\\u{3001}-\\u{D7FF}\\u{F900}-\\u{FDCF}\\u{FDF0}-\\u{FFFD}\\u{10000}-\\u{EFFFF}';
const PART = `${START}0-9\\u{B7}\\u{300}-\\u{36F}\\u{203F}\\u{2040}`;
const SPACE = '\\s\\u{85}';

/** Spaces and comments; an unterminated comment is not skipped. */
const SKIPPED = String.raw`(?:[${SPACE}]+|//[^\n]*|/\*(?:[^*]|\*(?!/))*\*/)*`;

/** Each kind of token, in the order in which they are tried. */
const SORTS: readonly (readonly [kind: Token['kind'], pattern: string])[] = [
  ['word', `[${START}][${PART}]*`],
  ['number', String.raw`(?:[0-9]+(?:\.[0-9]+)?|\.[0-9]+)(?:[eE][+\-]?[0-9]+)?`],
  ['string', String.raw`"(?:[^"\\]|\\.)*"`],
  ['temporal', String.raw`@"(?:[^"\\]|\\.)*"`],
  ['backtick', '`[^`]*`'],
  ['sign', String.raw`\*\*|\.\.|->|[<>!=]=|/\*|.`],
];

/** One pattern for all tokens, so that a text is scanned once. */
const TOKEN = new RegExp(`${SKIPPED}(?:${SORTS.map(([kind, pattern]) => `(?<${kind}>${pattern})`).join('|')})?`, 'suy');
const WORD = new RegExp(`[${PART}]+`, 'uy');
const NAME_PART = new RegExp(String.raw`[${SPACE}]*([${PART}]+|\*\*|[./\-'+*])`, 'uy');

/** Matches exactly at an offset; state of the pattern from an earlier match is overwritten. */
function matchAt(pattern: RegExp, text: string, offset: number): RegExpExecArray | null {
  pattern.lastIndex = offset;
  return pattern.exec(text);
}

/** The word at an offset inside a name with spaces; it may start with a digit. */
export function wordAt(text: string, offset: number): string {
  return matchAt(WORD, text, offset)?.[0] ?? '';
}

/** A part of a name with spaces, and its end: a word, digits, or one of the characters that names may contain. */
export function namePartAt(text: string, offset: number): { part: string; end: number } | undefined {
  const match = matchAt(NAME_PART, text, offset);
  return match === null ? undefined : { part: match[1] as string, end: offset + match[0].length };
}

/** The token at an offset, or after the spaces and comments there. */
export function tokenAt(text: string, offset: number): Token {
  const match = matchAt(TOKEN, text, offset);
  const groups = match?.groups ?? {};
  const to = offset + (match?.[0].length ?? 0);
  for (const [kind] of SORTS) {
    const found = groups[kind];
    if (found !== undefined) return checked({ kind, text: found, from: to - found.length, to });
  }
  return { kind: 'end', text: '', from: text.length, to: text.length };
}

/** Rejects an unterminated token. */
function checked(token: Token): Token {
  const { kind, text, from, to } = token;
  if (kind !== 'sign') return token;
  if (text === '"') throw new SyntaxFault('A string starts here and does not end.', from, to);
  if (text === '`') throw new SyntaxFault('A name in backticks starts here and does not end.', from, to);
  if (text === '/*') throw new SyntaxFault('A comment starts here and does not end.', from, to);
  return token;
}
