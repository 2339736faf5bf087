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

/** `<` cannot stand inside a tag, so the way from one to the next bounds a tag and the text behind it. */
function checkParts(xml: string): Refusal | undefined {
  for (let from = 0; from !== -1; ) {
    const next = xml.indexOf('<', from + 1);
    const length = (next === -1 ? xml.length : next) - from;
    if (length > LIMITS.partLength) {
      return tooLarge(`A tag or text at offset ${from} has ${length} characters; at most ${LIMITS.partLength} are allowed`);
    }
    from = next;
  }
  return undefined;
}

function checkElements(xml: string): Refusal | undefined {
  const parser = new Parser();
  let refusal: Refusal | undefined;
  let elements = 0;
  let depth = 0;
  const refuse = (found: Refusal) => {
    refusal ??= found;
    parser.stop();
  };
  const wrong = (error: Error, position: () => Position) => {
    if (!refusal) refuse(malformed(describe(error, position())));
  };
  parser
    .on('openTag', (_name, attributes) => {
      elements += 1;
      depth += 1;
      if (elements > LIMITS.elements) return refuse(tooLarge(`The file has more than ${LIMITS.elements} elements`));
      if (depth > LIMITS.depth) return refuse(tooLarge(`Elements are nested more than ${LIMITS.depth} deep`));
      attributes(); // Read for the sake of its warnings.
    })
    .on('closeTag', () => {
      depth -= 1;
    })
    .on('attention', (text) => {
      refuse(malformed(/^<!DOCTYPE/i.test(text) ? 'DOCTYPE not allowed' : 'The file is not well-formed XML: unknown declaration'));
    })
    .on('error', wrong)
    .on('warn', wrong);
  parser.parse(xml);
  return refusal;
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
