/**
 * The first look at a file: is it XML at all, and within bounds? One pass that builds nothing and stops at the
 * first answer, so that a hostile file costs little. It uses the same parser as bpmn-moddle, so that both see the
 * same file.
 */
import { Parser, type Position } from 'saxen';

/** All of them far above what a modeller draws: a task with its flow and diagram takes about ten elements. */
export const LIMITS = {
  /** UTF-8 bytes. */
  fileBytes: 4 * 1024 * 1024,
  elements: 100_000,
  /** Elements inside elements. */
  depth: 128,
  /** UTF-16 code units of one tag with its attributes, or of one text. */
  partLength: 512 * 1024,
} as const;

/** Why a file is not read any further. */
export interface Refusal {
  reason: 'TOO_LARGE' | 'MALFORMED';
  message: string;
}

/** Undefined when `xml` is well-formed and within `LIMITS`. */
export function scan(xml: string): Refusal | undefined {
  return checkText(xml) ?? checkElements(xml);
}

function checkText(xml: string): Refusal | undefined {
  const bytes = Buffer.byteLength(xml, 'utf8');
  if (bytes > LIMITS.fileBytes) return tooLarge(`The file has ${bytes} bytes; at most ${LIMITS.fileBytes} are allowed`);
  const illegal = ILLEGAL_CHARACTER.exec(xml);
  if (illegal) return malformed(`Character U+${codeOf(illegal[0])} at offset ${illegal.index} is not allowed in XML`);
  return checkParts(xml);
}

/** XML 1.0 section 2.2, but for surrogates: a lone one cannot be stored. */
// eslint-disable-next-line no-control-regex
const ILLEGAL_CHARACTER = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]|[\ud800-\udbff](?![\udc00-\udfff])|(?<![\ud800-\udbff])[\udc00-\udfff]/;

function codeOf(character: string): string {
  return character.charCodeAt(0).toString(16).toUpperCase().padStart(4, '0');
}

/**
 * `<` cannot stand inside a tag, so the way from one to the next bounds a tag and the text behind it. Tags in comments
 * count too, which no drawing has in such numbers.
 */
function checkParts(xml: string): Refusal | undefined {
  let elements = 0;
  for (let from = 0; from !== -1; ) {
    const next = xml.indexOf('<', from + 1);
    const length = (next === -1 ? xml.length : next) - from;
    if (length > LIMITS.partLength) {
      return tooLarge(`A tag or text at offset ${from} has ${length} characters; at most ${LIMITS.partLength} are allowed`);
    }
    if (next !== -1 && !NO_ELEMENT.has(xml.charCodeAt(next + 1))) elements += 1;
    from = next;
  }
  return elements > LIMITS.elements ? tooLarge(`The file has ${elements} elements; at most ${LIMITS.elements} are allowed`) : undefined;
}

/** What follows `<` in an end tag, a comment or declaration, and a processing instruction. */
const NO_ELEMENT = new Set(['/', '!', '?'].map((character) => character.charCodeAt(0)));

function checkElements(xml: string): Refusal | undefined {
  let depth = 0;
  const parser = new Parser()
    .ns({ 'http://www.w3.org/XML/1998/namespace': 'xml' })
    .on('openTag', (_name, attributes) => {
      depth += 1;
      if (depth > LIMITS.depth) throw new Refused(tooLarge(`Elements are nested more than ${LIMITS.depth} deep`));
      attributes(); // Read for the sake of its warnings.
    })
    .on('closeTag', () => {
      depth -= 1;
    })
    .on('attention', (text) => {
      throw new Refused(malformed(/^<!DOCTYPE/i.test(text) ? 'DOCTYPE not allowed' : 'The file is not well-formed XML: unknown declaration'));
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

/** Thrown out of the parser, which else goes on to the end of a tag and reports every mistake in it. */
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
