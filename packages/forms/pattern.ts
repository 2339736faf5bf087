/**
 * Patterns of form fields: JavaScript's regular expressions without flags, translated for the engine of FEEL, which
 * needs linear time. What that engine cannot do (assertions, back-references) is not translated.
 */
import { findMatch, machineOf, PatternError } from '@perdure/feel/regex/index.js';

/** Classes of JavaScript as members of a character class (ECMA-262, CharacterClassEscape). */
const MEMBERS: { readonly [escape: string]: string } = {
  d: '0-9',
  w: 'A-Za-z0-9_',
  s: '\\t\\n\\r \u000b\u000c\u00a0\u1680\u2000-\u200a\u2028\u2029\u202f\u205f\u3000\ufeff',
};

const UNSUPPORTED = /\(\?(?!:)/;

type PatternCheck = 'matches' | 'differs' | 'unknown';

/**
 * Whether a text contains a match; unknown if the pattern cannot be checked here.
 * @param count called with the steps taken; throws to end the search
 */
export function checkPattern(pattern: string, text: string, count: (steps: number) => void): PatternCheck {
  const translated = translate(pattern);
  const machine = translated === undefined ? undefined : machineOf(translated, '');
  if (machine === undefined || machine instanceof PatternError || machine.hasReferences) return 'unknown';
  const codes = Int32Array.from(Array.from(text, (character) => character.codePointAt(0) as number));
  count(codes.length);
  return findMatch(machine, codes, 0, count) === undefined ? 'differs' : 'matches';
}

/** The same pattern in XPath's syntax; undefined if it has none. */
function translate(pattern: string): string | undefined {
  if (UNSUPPORTED.test(pattern)) return undefined;
  let translated = '';
  let inClass = false;
  for (const [token] of pattern.matchAll(/\\u[\da-fA-F]{4}|\\x[\da-fA-F]{2}|\\[^]|[^]/gu)) {
    const next = token.startsWith('\\') ? escaped(token, inClass) : plain(token, inClass);
    if (next === undefined) return undefined;
    if (token === '[') inClass = true;
    else if (token === ']') inClass = false;
    translated += next;
  }
  return translated;
}

function escaped(token: string, inClass: boolean): string | undefined {
  const letter = token[1]!;
  if (token.length > 2) return literal(String.fromCharCode(Number.parseInt(token.slice(2), 16)));
  const members = MEMBERS[letter.toLowerCase()];
  if (members !== undefined) {
    if (letter !== letter.toLowerCase()) return inClass ? undefined : `[^${members}]`;
    return inClass ? members : `[${members}]`;
  }
  if ('nrt'.includes(letter)) return token;
  if (letter === 'f') return '\u000c';
  if (letter === 'v') return '\u000b';
  return /[A-Za-z0-9]/.test(letter) ? undefined : literal(letter);
}

/** XPath refuses some characters unescaped that JavaScript takes. */
function plain(token: string, inClass: boolean): string {
  return inClass && token === '[' ? '\\[' : token;
}

function literal(character: string): string {
  return /[\\|.?*+(){}[\]^$-]/.test(character) ? `\\${character}` : character;
}
