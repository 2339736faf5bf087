/**
 * First pass over a file: is it well-formed XML, and within the limits? It builds nothing and stops at the first
 * problem, so that a hostile file costs little. It uses the same parser as bpmn-moddle, so that both read the file
 * identically.
 */
import { Parser, type Position } from 'saxen';
import { lostCharacters } from '@perdure/lib/model-files/declaration.js';

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

/** Why reading a file stopped. */
export interface Refusal {
  reason: 'TOO_LARGE' | 'MALFORMED';
  message: string;
}

/** Undefined if `xml` is well-formed and within `LIMITS`. */
export function scan(xml: string): Refusal | undefined {
  return checkText(xml) ?? checkElements(xml);
}

function checkText(xml: string): Refusal | undefined {
  const bytes = Buffer.byteLength(xml, 'utf8');
  if (bytes > LIMITS.fileBytes) return tooLarge(`The file has ${bytes} bytes, but the limit is ${LIMITS.fileBytes}`);
  const illegal = ILLEGAL_CHARACTER.exec(xml);
  if (illegal) return malformed(`Character U+${codeOf(illegal[0])} at offset ${illegal.index} is not allowed in XML`);
  const lost = lostCharacters(xml);
  if (lost?.certain) return malformed(lost.message);
  return checkParts(xml);
}

/** XML 1.0 section 2.2, except surrogates: a lone one cannot be stored. */
// eslint-disable-next-line no-control-regex
const ILLEGAL_CHARACTER =
  /[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]|[\ud800-\udbff](?![\udc00-\udfff])|(?<![\ud800-\udbff])[\udc00-\udfff]/;

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

function checkElements(xml: string): Refusal | undefined {
  let depth = 0;
  const parser = new Parser()
    .ns({ 'http://www.w3.org/XML/1998/namespace': 'xml' })
    .on('openTag', (_name, attributes) => {
      depth += 1;
      if (depth > LIMITS.depth)
        throw new Refused(tooLarge(`Elements are nested too deeply: the limit is ${LIMITS.depth} levels`));
      attributes(); // Read only for its warnings.
    })
    .on('closeTag', () => {
      depth -= 1;
    })
    .on('attention', (text) => {
      throw new Refused(
        malformed(
          /^<!DOCTYPE/i.test(text) ? 'DOCTYPE not allowed' : 'The file is not well-formed XML: unknown declaration',
        ),
      );
    })
    .on('error', refuse)
    .on('warn', refuse);
  try {
    parser.parse(xml);
    return undefined;
  } catch (error) {
    if (error instanceof Refused) return error.refusal;
    throw error;
  }
}

/** Thrown to leave the parser, which would otherwise continue to the end of a tag and report every error in it. */
class Refused extends Error {
  readonly refusal: Refusal;

  constructor(refusal: Refusal) {
    super(refusal.message);
    this.refusal = refusal;
  }
}

function refuse(error: Error, position: () => Position): never {
  throw new Refused(malformed(describe(error, position())));
}

function describe(error: Error, { line, column }: Position): string {
  return `The file is not well-formed XML at line ${line + 1}, column ${column + 1}: ${error.message}`;
}

function tooLarge(message: string): Refusal {
  return { reason: 'TOO_LARGE', message };
}

function malformed(message: string): Refusal {
  return { reason: 'MALFORMED', message };
}
