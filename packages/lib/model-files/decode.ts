/**
 * The text of a BPMN, DMN, form or JSON file. Every reader of such files uses it, so that a file means the same to all of
 * them: its byte order mark or its XML declaration names the encoding (XML 1.0 section 4.3.3 and appendix F), and bytes
 * without a meaning in it are an error, never a replacement character.
 */
import { declaredAsUtf8, declaredEncoding } from './declaration.js';
import { agrees, encodingNamed, UTF_16BE, UTF_16LE, UTF_32BE, UTF_32LE, UTF_8, type Encoding } from './encodings.js';

/** The bytes of a file are not the text that the file says; the message says where and what to do. */
export class UndecodableFile extends Error {
  override name = 'UndecodableFile';
}

/** Longer ones first: the mark of UTF-32LE begins with that of UTF-16LE. */
const MARKS: readonly (readonly [Encoding, readonly number[]])[] = [
  [UTF_32LE, [0xff, 0xfe, 0, 0]],
  [UTF_32BE, [0, 0, 0xfe, 0xff]],
  [UTF_8, [0xef, 0xbb, 0xbf]],
  [UTF_16LE, [0xff, 0xfe]],
  [UTF_16BE, [0xfe, 0xff]],
];

/** Zero bytes around the first character, which is ASCII in XML and JSON. */
const PATTERNS: readonly (readonly [Encoding, RegExp])[] = [
  [UTF_32LE, /^[^\0]\0\0\0/],
  [UTF_32BE, /^\0\0\0[^\0]/],
  [UTF_16LE, /^[^\0]\0/],
  [UTF_16BE, /^\0[^\0]/],
];

/** `<?xm` of EBCDIC. */
const EBCDIC = '\x4c\x6f\xa7\x94';
/** Enough for a declaration in the widest encoding. */
const HEAD_BYTES = 4096;
const REMEDY = 'Save it as UTF-8';

/**
 * The text without a byte order mark. A declaration of another encoding is replaced by one of UTF-8, because the text is
 * stored and sent as that.
 * @param file its name, for messages
 * @throws UndecodableFile
 */
export function decodeFile(bytes: Uint8Array, file: string): string {
  const marked = MARKS.find(([, mark]) => mark.every((byte, index) => bytes[index] === byte));
  const start = marked?.[1].length ?? 0;
  const content = bytes.subarray(start);
  const head = String.fromCharCode(...content.subarray(0, 4));
  if (!marked && head === EBCDIC) throw new UndecodableFile(`${file} is in EBCDIC, which is not supported. ${REMEDY}.`);
  const found = marked?.[0] ?? PATTERNS.find(([, pattern]) => pattern.test(head))?.[0];
  const encoding = encodingOf(content, found, marked !== undefined, file);
  try {
    return declaredAsUtf8(encoding.decode(content));
  } catch {
    throw new UndecodableFile(invalidBytes(content, start, encoding, file));
  }
}

/** @param found what the byte order mark or the zero bytes tell */
function encodingOf(content: Uint8Array, found: Encoding | undefined, isMarked: boolean, file: string): Encoding {
  const declared = declaredIn(content, found ?? UTF_8);
  if (declared === undefined) return found ?? UTF_8;
  const named = encodingNamed(declared);
  if (!named)
    throw new UndecodableFile(
      `${file} declares the encoding ${JSON.stringify(declared)}, which is unknown. ${REMEDY}, with encoding="UTF-8" in its first line.`,
    );
  if (found ? agrees(declared, found) : named.width === 1) return found ?? named;
  // In ASCII alone, all that it could be in is the same.
  if ((found ?? UTF_8) === UTF_8 && content.every((byte) => byte < 0x80)) return UTF_8;
  const told = isMarked
    ? `begins with the byte order mark of ${found!.name}`
    : found
      ? `has bytes of ${found.name}`
      : `has one byte per letter`;
  throw new UndecodableFile(
    `${file} ${told}, but declares the encoding ${JSON.stringify(declared)} in its first line. ${REMEDY}, with encoding="UTF-8" there.`,
  );
}

/** All of its characters are ASCII, so a wrong decoding of what follows does no harm. */
function declaredIn(content: Uint8Array, { width }: Encoding): string | undefined {
  const head = content.subarray(0, HEAD_BYTES - (HEAD_BYTES % width));
  let text = '';
  for (const byte of head) if (width === 1 || byte !== 0) text += String.fromCharCode(byte);
  return declaredEncoding(text);
}

function invalidBytes(content: Uint8Array, start: number, encoding: Encoding, file: string): string {
  const at = firstInvalid(content, encoding);
  const isDeclared = declaredIn(content, encoding) !== undefined;
  const byte = content[at];
  const lines = encoding.width === 1 ? ` (line ${lineAt(content, at)})` : '';
  const what =
    byte === undefined
      ? `it ends inside a character`
      : `byte 0x${byte.toString(16).toUpperCase().padStart(2, '0')} at offset ${start + at}${lines} is invalid`;
  const said = isDeclared ? `is declared as ${encoding.name}, but` : `is not ${encoding.name}:`;
  return `${file} ${said} ${what}. ${[REMEDY, ...otherRemedy(content, isDeclared)].join(', or ')}.`;
}

function otherRemedy(content: Uint8Array, isDeclared: boolean): string[] {
  if (isDeclared) return ['correct the encoding in its first line'];
  const isXml = content[0] === '<'.charCodeAt(0);
  return isXml ? ['declare its encoding in the first line: <?xml version="1.0" encoding="windows-1252"?>'] : [];
}

/** The offset of the byte that makes the beginning of `content` invalid; its length if only the end is missing. */
function firstInvalid(content: Uint8Array, encoding: Encoding): number {
  let valid = 0;
  let invalid = content.length + 1;
  while (invalid - valid > 1) {
    const middle = Math.floor((valid + invalid) / 2);
    if (isValidPrefix(content.subarray(0, middle), encoding)) valid = middle;
    else invalid = middle;
  }
  return valid;
}

function isValidPrefix(prefix: Uint8Array, encoding: Encoding): boolean {
  try {
    encoding.decode(prefix, true);
    return true;
  } catch {
    return false;
  }
}

function lineAt(content: Uint8Array, offset: number): number {
  let line = 1;
  for (let at = 0; at < offset; at += 1) if (content[at] === 0x0a) line += 1;
  return line;
}
