/**
 * Reads JSON that can be stored and returned exactly as received, or reports why it cannot.
 *
 * `JSON.parse` silently changes its input: 9007199254740993 becomes ...992, 1e400 becomes Infinity (and null when
 * written), the last of two equal keys wins, and a lone surrogate becomes U+FFFD on the wire. Postgres refuses NUL in
 * jsonb, and writing a deeply nested value again crashes the process. So every body passes through here once, and later
 * code can rely on the value.
 *
 * Refused: invalid UTF-8; more than 64 levels; more than 100,000 values, 50,000 object members,
 * or 10,000 in one object; U+0000 and lone
 * surrogates, in values and keys; a key `__proto__`; a duplicate key in one object (parsers differ on which one wins,
 * so a request that passed one check could mean something else later); a number that a double does not reproduce digit
 * by digit. A byte order mark at the start is skipped.
 *
 * The bytes are verified before any value is built, in time linear in their number; then the native parser reads them.
 * Its work is bounded by the number of values, because a value costs more than its bytes.
 */
import { isUtf8 } from 'node:buffer';
import { isExactDecimal, MAX_EXACT_TOKEN_LENGTH } from './exact-decimal.js';

interface StorableJson {
  readonly ok: true;
  readonly value: unknown;
}

export interface UnstorableJson {
  readonly ok: false;
  /** JSON Pointer to the location, or '' for the whole document. Never contains a value. */
  readonly pointer: string;
  readonly message: string;
}

interface VerifiedJson {
  readonly ok: true;
  /** Objects, arrays, and what they contain, except for keys. */
  readonly values: number;
}

/** `values` and `members` count the whole document. */
export const storableLimits = { depth: 64, values: 100_000, members: 50_000, membersOfObject: 10_000 } as const;

/** @param maxValues a lower limit than that of `storableLimits` */
export function readStorableJson(bytes: Uint8Array, maxValues?: number): StorableJson | UnstorableJson {
  const verified = verifyStorableJson(bytes, maxValues);
  return verified.ok ? { ok: true, value: JSON.parse(textOf(bytes)) } : verified;
}

/** Like `readStorableJson`, without building the value. */
export function verifyStorableJson(
  bytes: Uint8Array,
  maxValues: number = storableLimits.values,
): VerifiedJson | UnstorableJson {
  if (!isUtf8(bytes)) return { ok: false, pointer: '', message: 'the text is not valid UTF-8' };
  try {
    return { ok: true, values: new Verifier(bytes, maxValues).verifyDocument() };
  } catch (error) {
    if (error instanceof Refusal) return { ok: false, pointer: error.pointer, message: error.message };
    throw error;
  }
}

/** The text of verified bytes, without a byte order mark. */
export function textOf(bytes: Uint8Array): string {
  return new TextDecoder().decode(bytes);
}

/** Leaves the recursive descent at once; never leaves this file. */
class Refusal extends Error {
  constructor(
    readonly pointer: string,
    message: string,
  ) {
    super(message);
  }
}

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const COMMA = 0x2c;
const COLON = 0x3a;
const MINUS = 0x2d;
const PLUS = 0x2b;
const DOT = 0x2e;
const ZERO = 0x30;
const NINE = 0x39;

const words: Readonly<Record<number, Buffer>> = {
  0x74: Buffer.from('true'),
  0x66: Buffer.from('false'),
  0x6e: Buffer.from('null'),
};

/** The escapes of one character: " \ / b f n r t */
const shortEscapes = new Set([...'"\\/bfnrt'].map((character) => character.charCodeAt(0)));

class Verifier {
  private readonly bytes: Buffer;
  private readonly begin: number;
  private position: number;
  private depth = 0;
  private values = 0;
  private members = 0;
  /** Keys in the spelling of `keyOf`, and indices. */
  private readonly path: (string | number)[] = [];
  /** Of the string that was verified last. */
  private hasEscapes = false;

  constructor(
    bytes: Uint8Array,
    private readonly maxValues: number,
  ) {
    this.bytes = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    this.begin = bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf ? 3 : 0;
    this.position = this.begin;
  }

  /** @returns the number of values */
  verifyDocument(): number {
    this.verifyValue();
    this.skipSpace();
    if (this.position < this.bytes.length) this.refuseSyntax();
    return this.values;
  }

  private verifyValue(): void {
    this.skipSpace();
    this.values += 1;
    if (this.values > this.maxValues) this.refuse(`more than ${this.maxValues} values`);
    const first = this.bytes[this.position];
    if (first === QUOTE) this.verifyString();
    else if (first === 0x7b) this.nested(() => this.verifyObject());
    else if (first === 0x5b) this.nested(() => this.verifyArray());
    else if (first !== undefined && words[first] !== undefined) this.verifyWord(words[first]);
    else this.verifyNumber();
  }

  private nested(verify: () => void): void {
    if (this.depth === storableLimits.depth) this.refuse(`nested more than ${storableLimits.depth} levels deep`);
    this.depth += 1;
    this.position += 1;
    verify();
    this.depth -= 1;
  }

  private verifyObject(): void {
    if (this.found(0x7d)) return;
    const keys = new Set<string>();
    do {
      const key = this.verifyKey();
      this.path.push(key);
      if (keys.has(key)) this.refuse('the key is repeated in its object');
      keys.add(key);
      if (keys.size > storableLimits.membersOfObject)
        this.refuse(`more than ${storableLimits.membersOfObject} members in one object`);
      if (!this.found(COLON)) this.refuseSyntax();
      this.verifyValue();
      this.path.pop();
    } while (this.found(COMMA));
    if (!this.found(0x7d)) this.refuseSyntax();
  }

  /** @returns the key; characters beyond ASCII as their bytes, which is as unique */
  private verifyKey(): string {
    this.skipSpace();
    const start = this.position;
    if (this.bytes[start] !== QUOTE) this.refuseSyntax();
    this.verifyString();
    const key = this.hasEscapes
      ? Buffer.from(JSON.parse(this.bytes.toString('utf8', start, this.position)) as string).toString('latin1')
      : this.bytes.toString('latin1', start + 1, this.position - 1);
    if (key === '__proto__') this.refuse('a key is named __proto__');
    this.members += 1;
    if (this.members > storableLimits.members) this.refuse(`more than ${storableLimits.members} members`);
    return key;
  }

  private verifyArray(): void {
    if (this.found(0x5d)) return;
    let index = 0;
    do {
      this.path.push(index);
      this.verifyValue();
      this.path.pop();
      index += 1;
    } while (this.found(COMMA));
    if (!this.found(0x5d)) this.refuseSyntax();
  }

  private verifyString(): void {
    const { bytes } = this;
    this.hasEscapes = false;
    let at = this.position + 1;
    for (;;) {
      const byte = bytes[at];
      if (byte === QUOTE) break;
      // JSON requires escapes for control characters (RFC 8259 section 7).
      if (byte === undefined || byte < 0x20) this.refuseSyntax(at);
      at = byte === BACKSLASH ? this.verifyEscape(at) : at + 1;
    }
    this.position = at + 1;
  }

  /** @returns the position after the escape, or after both escapes of a surrogate pair */
  private verifyEscape(at: number): number {
    this.hasEscapes = true;
    const kind = this.bytes[at + 1];
    if (kind !== undefined && shortEscapes.has(kind)) return at + 2;
    const unit = this.escapedUnit(at);
    if (unit === undefined) this.refuseSyntax(at);
    if (unit === 0 || (unit >= 0xdc00 && unit <= 0xdfff)) this.refuseCharacter();
    if (unit < 0xd800 || unit > 0xdbff) return at + 6;
    const low = this.escapedUnit(at + 6);
    if (low === undefined || low < 0xdc00 || low > 0xdfff) this.refuseCharacter();
    return at + 12;
  }

  /** The UTF-16 code unit of `\uXXXX`; undefined if there is no such escape. */
  private escapedUnit(at: number): number | undefined {
    if (this.bytes[at] !== BACKSLASH || this.bytes[at + 1] !== 0x75) return undefined;
    let unit = 0;
    for (let index = at + 2; index < at + 6; index += 1) {
      const digit = hexDigit(this.bytes[index]);
      if (digit === undefined) return undefined;
      unit = unit * 16 + digit;
    }
    return unit;
  }

  private verifyWord(word: Buffer): void {
    const end = this.position + word.length;
    if (this.bytes.compare(word, 0, word.length, this.position, Math.min(end, this.bytes.length)) !== 0)
      this.refuseSyntax();
    this.position = end;
  }

  private verifyNumber(): void {
    const start = this.position;
    if (this.bytes[this.position] === MINUS) this.position += 1;
    if (this.bytes[this.position] === ZERO) this.position += 1;
    else if (this.skipDigits() === 0) this.refuseSyntax(start);
    if (this.bytes[this.position] === DOT) {
      this.position += 1;
      if (this.skipDigits() === 0) this.refuseSyntax(start);
    }
    const mantissaEnd = this.position;
    const exponentDigits = this.skipExponent(start);
    if (isShort(mantissaEnd - start, exponentDigits) && this.bytes[start] !== MINUS) return;
    if (
      !isExactDecimal(this.bytes.toString('latin1', start, Math.min(this.position, start + MAX_EXACT_TOKEN_LENGTH + 1)))
    )
      this.refuse('a number does not survive a round trip through a double; send it as a string');
  }

  /** @returns the number of its digits */
  private skipExponent(start: number): number {
    const letter = this.bytes[this.position];
    if (letter !== 0x65 && letter !== 0x45) return 0;
    this.position += 1;
    const sign = this.bytes[this.position];
    if (sign === PLUS || sign === MINUS) this.position += 1;
    const digits = this.skipDigits();
    if (digits === 0) this.refuseSyntax(start);
    return digits;
  }

  private skipDigits(): number {
    const start = this.position;
    for (;;) {
      const byte = this.bytes[this.position];
      if (byte === undefined || byte < ZERO || byte > NINE) return this.position - start;
      this.position += 1;
    }
  }

  private found(byte: number): boolean {
    this.skipSpace();
    if (this.bytes[this.position] !== byte) return false;
    this.position += 1;
    return true;
  }

  private skipSpace(): void {
    for (;;) {
      const byte = this.bytes[this.position];
      if (byte !== 0x20 && byte !== 0x0a && byte !== 0x0d && byte !== 0x09) return;
      this.position += 1;
    }
  }

  private refuseCharacter(): never {
    this.refuse('a string contains U+0000 or half of a surrogate pair');
  }

  private refuseSyntax(at = this.position): never {
    this.refuse(`not valid JSON at byte ${at - this.begin + 1}`);
  }

  private refuse(message: string): never {
    const pointer = this.path.map((step) => `/${written(step)}`).join('');
    throw new Refusal(pointer, message);
  }
}

/** Every decimal number of up to 15 digits survives in a normal double. */
function isShort(mantissaLength: number, exponentDigits: number): boolean {
  return mantissaLength <= 15 && exponentDigits <= 2;
}

function hexDigit(byte: number | undefined): number | undefined {
  if (byte === undefined) return undefined;
  if (byte >= ZERO && byte <= NINE) return byte - ZERO;
  const lower = byte | 0x20;
  return lower >= 0x61 && lower <= 0x66 ? lower - 0x57 : undefined;
}

/** A step of a path as part of a JSON Pointer, at most 100 characters of it. */
function written(step: string | number): string {
  const text = typeof step === 'number' ? String(step) : Buffer.from(step.slice(0, 1000), 'latin1').toString();
  return text.replaceAll('~', '~0').replaceAll('/', '~1').slice(0, 100);
}
