/** Hides secrets in responses, in the encodings in which receivers repeat them. */
type Json = null | boolean | number | string | Json[] | { [key: string]: Json };

export const MASK = '***';

export type Mask = (text: string) => string;

/** @param values the secrets that were sent */
export function maskOf(values: readonly string[]): Mask {
  const forms = values.flatMap((value) => [value, ...inBase64(value)]).flatMap(inParts);
  // Longest first: masking a part of a secret would leave the rest visible.
  const longestFirst = forms.toSorted((a, b) => b.length - a.length);
  const patterns = longestFirst.map((form) => new RegExp(inAnyNotation(form), 'gu'));
  return (text) => patterns.reduce((masked, pattern) => masked.replaceAll(pattern, MASK), text);
}

/** All texts at once: a search for each secret in each of 100,000 short ones would take seconds. */
export function maskJson(json: Json, mask: Mask): Json {
  const masked = maskAll([...textsOf(json)], mask)[Symbol.iterator]();
  return replaceTexts(json, () => masked.next().value!);
}

/** In no text that Postgres can store. */
const BETWEEN = '\u0000';

function maskAll(texts: readonly string[], mask: Mask): string[] {
  const masked = mask(texts.join(BETWEEN)).split(BETWEEN);
  return masked.length === texts.length ? masked : texts.map(mask);
}

/** Values that are texts or numbers, and names of members, in the order of `replaceTexts`. */
function* textsOf(json: Json): Generator<string> {
  if (typeof json === 'string' || typeof json === 'number') yield String(json);
  else if (Array.isArray(json)) for (const item of json) yield* textsOf(item);
  else if (json !== null && typeof json === 'object')
    for (const [key, item] of Object.entries(json)) {
      yield key;
      yield* textsOf(item);
    }
}

function replaceTexts(json: Json, next: () => string): Json {
  if (typeof json === 'string') return next();
  if (typeof json === 'number') return next() === String(json) ? json : MASK;
  if (Array.isArray(json)) return json.map((item) => replaceTexts(item, next));
  if (json === null || typeof json !== 'object') return json;
  return Object.fromEntries(Object.entries(json).map(([, item]) => [next(), replaceTexts(item, next)]));
}

const MAX_IN_PATTERN = 512;

/** A pattern of a whole certificate would be larger than JavaScript permits. */
function inParts(form: string): string[] {
  const characters = [...form];
  const parts = Math.ceil(characters.length / MAX_IN_PATTERN);
  // Chunks of equal size, so that none is short enough to occur in other text.
  const size = Math.ceil(characters.length / parts);
  return Array.from({ length: parts }, (_, part) => characters.slice(part * size, (part + 1) * size).join(''));
}

/** Letters and digits of ASCII are written as they are. Writers differ in which of the other characters they escape. */
function inAnyNotation(form: string): string {
  return form.replaceAll(/\\+|[^A-Za-z0-9]/gu, (unit) =>
    unit.startsWith('\\') ? backslashes(unit.length) : `(?:${notationsOf(unit).join('|')})`,
  );
}

/** JSON within JSON escapes its backslashes again; bounded, because a response of backslashes alone would take hours. */
const MAX_ESCAPES = 16;

/** A run of backslashes is one unit. Separate ones would match a longer run in very many ways. */
function backslashes(count: number): string {
  const [, ...others] = notationsOf('\\').map((notation) => `(?:${notation}){${count}}`);
  // As few as possible: the next part can begin with a backslash.
  return `(?:${[`\\\\{${count},${count * MAX_ESCAPES}}?`, ...others].join('|')})`;
}

const ENTITIES: Record<string, string> = { '"': 'quot', '&': 'amp', "'": 'apos', '<': 'lt', '>': 'gt' };
const SHORT_ESCAPES: Record<string, string> = { '\b': 'b', '\f': 'f', '\n': 'n', '\r': 'r', '\t': 't' };

/** The first is the character itself. */
function notationsOf(character: string): string[] {
  const codePoint = character.codePointAt(0)!;
  const escape = `\\\\{1,${MAX_ESCAPES}}`;
  return [
    `\\\\{0,${MAX_ESCAPES}}?${literal(codePoint)}`,
    // A URL within a URL escapes its percent signs again.
    [...Buffer.from(character)].map((byte) => `%(?:25)*${inEitherCase(hex(byte, 2))}`).join(''),
    character
      .split('')
      .map((unit) => `${escape}u${inEitherCase(hex(unit.charCodeAt(0), 4))}`)
      .join(''),
    `&#0*${codePoint};`,
    `&#[xX]0*${inEitherCase(hex(codePoint, 1))};`,
    ...(Object.hasOwn(ENTITIES, character) ? [`&${ENTITIES[character]};`] : []),
    ...(Object.hasOwn(SHORT_ESCAPES, character) ? [escape + SHORT_ESCAPES[character]] : []),
    ...(character === ' ' ? ['\\+'] : []),
  ];
}

function literal(codePoint: number): string {
  return `\\u{${hex(codePoint, 1)}}`;
}

function hex(number: number, digits: number): string {
  return number.toString(16).padStart(digits, '0');
}

function inEitherCase(digits: string): string {
  return digits.replaceAll(/[a-f]/g, (letter) => `[${letter}${letter.toUpperCase()}]`);
}

/** The base64 substrings of a value that do not depend on its offset: three alignments, two alphabets. */
function inBase64(value: string): string[] {
  const bytes = Buffer.from(value);
  return [0, 1, 2].flatMap((before) => {
    const encoded = Buffer.concat([Buffer.alloc(before), bytes])
      .toString('base64')
      .replaceAll('=', '');
    const stable = encoded.slice(before === 0 ? 0 : before + 1, Math.floor(((before + bytes.length) * 8) / 6));
    return [stable, stable.replaceAll('+', '-').replaceAll('/', '_')];
  });
}
