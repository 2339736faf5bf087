/** References to characters and entities (XML 1.0 section 4.1), in texts and attributes. */
import { ILLEGAL_CHARACTER } from './characters.js';

/** Without a match after `&`, it does not begin a reference. */
const REFERENCE = /&(?:#(\d+);|#x([\da-fA-F]+);|(?:amp|lt|gt|quot|apos);)?/g;

/**
 * The text with references that saxen reads rightly. It makes one UTF-16 code unit of each, so that a character above
 * U+FFFF becomes its first half and a reference to its second half. Zeros keep the length.
 * @param refuse throws; `index` is where a wrong reference begins
 */
export function readableReferences(text: string, refuse: (index: number, reason: string) => never): string {
  if (!text.includes('&')) return text;
  return text.replace(REFERENCE, (reference: string, decimal?: string, hexadecimal?: string, index = 0) => {
    if (reference === '&') return refuse(index, reasonOf(text.slice(index, index + MAX_QUOTED)));
    const digits = decimal ?? hexadecimal;
    if (digits === undefined) return reference;
    const code = Number.parseInt(digits, digits === decimal ? 10 : 16);
    if (!isCharacter(code))
      return refuse(index, `"${shortened(reference)}" refers to a character that XML does not allow`);
    return code > 0xffff ? halves(code, reference.length) : reference;
  });
}

function isCharacter(code: number): boolean {
  return code <= 0x10ffff && !ILLEGAL_CHARACTER.test(String.fromCodePoint(code));
}

/** Decimal references of five digits are one too short for it. */
function halves(code: number, length: number): string {
  const character = String.fromCodePoint(code);
  const second = character.charCodeAt(1).toString(16);
  return `${character[0]!}&#x${second.padStart(length - '?&#x;'.length, '0')};`;
}

const MAX_QUOTED = 40;

function shortened(reference: string): string {
  return reference.length > MAX_QUOTED ? `${reference.slice(0, MAX_QUOTED)}...` : reference;
}

/** @param written from `&` on */
function reasonOf(written: string): string {
  const [entity] = /^&[\p{L}_:][\p{L}\p{N}_:.-]*;/u.exec(written) ?? [];
  if (entity !== undefined)
    return `the entity ${entity} is not declared. Write the character itself, or a reference to its number, such as &#xE4;.`;
  return written.startsWith('&#')
    ? `"&#" does not begin a character reference. Write its number in decimal (&#228;) or hexadecimal (&#xE4;) digits.`
    : `"&" does not begin a reference. Write &amp; for the character.`;
}
