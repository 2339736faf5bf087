/** Checks that need no parser: size, characters, and the lengths of tags and texts. */
import { lostCharacters } from '@perdure/lib/model-files/declaration.js';
import { utf8Length } from '@perdure/lib/model-files/utf8.js';
import { ILLEGAL_CHARACTER } from './characters.js';
import { malformed, tooLarge, type Refusal } from './refusal.js';

/** All far above real models: a task with its flow and diagram takes about ten elements. */
export const LIMITS = {
  /** UTF-8 bytes. */
  fileBytes: 4 * 1024 * 1024,
  elements: 100_000,
  /** Nesting depth of elements. */
  depth: 128,
  /** UTF-16 code units of one tag with its attributes, or of one text. */
  partLength: 512 * 1024,
} as const;

/** Undefined if `xml` may be parsed: a parser neither takes long nor needs much memory for it. */
export function checkText(xml: string): Refusal | undefined {
  const bytes = utf8Length(xml);
  if (bytes > LIMITS.fileBytes) return tooLarge(`The file has ${bytes} bytes, but the limit is ${LIMITS.fileBytes}`);
  const illegal = ILLEGAL_CHARACTER.exec(xml);
  if (illegal) return malformed(`Character U+${codeOf(illegal[0])} at offset ${illegal.index} is not allowed in XML`);
  const lost = lostCharacters(xml);
  if (lost?.certain) return malformed(lost.message);
  return checkParts(xml);
}

function codeOf(character: string): string {
  return character.charCodeAt(0).toString(16).toUpperCase().padStart(4, '0');
}

/**
 * `<` cannot occur inside a tag, so the distance from one to the next bounds a tag and the text after it. Tags in
 * comments count too, but real files do not contain that many.
 */
function checkParts(xml: string): Refusal | undefined {
  let elements = 0;
  for (let from = 0; from !== -1;) {
    const next = xml.indexOf('<', from + 1);
    const length = (next === -1 ? xml.length : next) - from;
    if (length > LIMITS.partLength) {
      return tooLarge(
        `A tag or text at offset ${from} has ${length} characters, but the limit is ${LIMITS.partLength}`,
      );
    }
    if (next !== -1 && !NO_ELEMENT.has(xml.charCodeAt(next + 1))) elements += 1;
    from = next;
  }
  return elements > LIMITS.elements
    ? tooLarge(`The file has ${elements} elements, but the limit is ${LIMITS.elements}`)
    : undefined;
}

/** Text after `<` in an end tag, a comment or declaration, and a processing instruction. */
const NO_ELEMENT = new Set(['/', '!', '?'].map((character) => character.charCodeAt(0)));
