/** Tests of single code points: escapes, categories, and case. */
import { blockOf } from './blocks.js';
import { PatternError, type CodeTest } from './syntax.js';

const CATEGORY = /^(L[ultmo]?|M[nce]?|N[dlo]?|P[cdseifo]?|Z[slp]?|S[mcko]?|C[cfon]?)$/;

/** The host's regex engine determines the category of one character, which takes constant time. */
function category(name: string): CodeTest {
  const pattern = new RegExp(`^\\p{${name}}$`, 'u');
  return (code) => pattern.test(String.fromCodePoint(code));
}

function isSpace(code: number): boolean {
  return code === 0x20 || code === 0x09 || code === 0x0a || code === 0x0d;
}

function isAsciiWord(code: number): boolean {
  return (code >= 0x61 && code <= 0x7a) || (code >= 0x41 && code <= 0x5a) || (code >= 0x30 && code <= 0x39);
}

function not(test: CodeTest): CodeTest {
  return (code) => !test(code);
}

const digit = category('Nd');
const separator = new RegExp('^[\\p{P}\\p{Z}\\p{C}]$', 'u');
const nameStart = new RegExp('^[\\p{L}_:]$', 'u');
const nameCharacter = new RegExp('^[\\p{L}\\p{Nd}\\p{M}_:.\\-\u00b7]$', 'u');

const isDigit: CodeTest = (code) => (code < 0x80 ? code >= 0x30 && code <= 0x39 : digit(code));
const isWord: CodeTest = (code) => isAsciiWord(code) || !separator.test(String.fromCodePoint(code));
const isNameStart: CodeTest = (code) => nameStart.test(String.fromCodePoint(code));
const isNameCharacter: CodeTest = (code) => nameCharacter.test(String.fromCodePoint(code));

const CLASS_ESCAPES: Record<string, CodeTest> = {
  s: isSpace,
  S: not(isSpace),
  d: isDigit,
  D: not(isDigit),
  w: isWord,
  W: not(isWord),
  i: isNameStart,
  I: not(isNameStart),
  c: isNameCharacter,
  C: not(isNameCharacter),
};

/** The test of `\d` and similar escapes; `undefined` if the letter is not a class. */
export function classEscape(letter: string): CodeTest | undefined {
  return Object.hasOwn(CLASS_ESCAPES, letter) ? CLASS_ESCAPES[letter] : undefined;
}

/** The test of `\p{name}`. */
export function property(name: string, negated: boolean): CodeTest {
  const test = name.startsWith('Is') ? block(name.slice(2)) : CATEGORY.test(name) ? category(name) : undefined;
  if (test === undefined) throw new PatternError('it names a character category or block that does not exist');
  return negated ? not(test) : test;
}

function block(name: string): CodeTest | undefined {
  const limits = blockOf(name);
  return limits && ((code) => code >= limits[0] && code <= limits[1]);
}

/** The forms of a character in all cases. */
function variants(code: number): number[] {
  const character = String.fromCodePoint(code);
  const lower = character.toLowerCase();
  const upper = character.toUpperCase();
  return [
    code,
    ...[lower, upper, lower.toUpperCase(), upper.toLowerCase()].map((form) => form.codePointAt(0) as number),
  ];
}

/** The test that succeeds if it succeeds for the character in any case. */
export function ignoringCase(test: CodeTest): CodeTest {
  return (code) => test(code) || variants(code).some(test);
}
