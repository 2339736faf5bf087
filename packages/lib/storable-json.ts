/**
 * Reads JSON that can be stored and returned exactly as received, or reports why it cannot.
 *
 * `JSON.parse` silently changes its input: 9007199254740993 becomes ...992, 1e400 becomes Infinity (and null when
 * written), the last of two equal keys wins, and a lone surrogate becomes U+FFFD on the wire. Postgres refuses NUL in
 * jsonb, and writing a deeply nested value again crashes the process. So every body passes through here once, and later
 * code can rely on the value.
 *
 * Refused: invalid UTF-8; more than 64 levels; more than 50,000 object members; U+0000 and lone surrogates, in values
 * and keys; a key `__proto__`; a duplicate key in one object (parsers differ on which one wins, so a request that
 * passed one check could mean something else later); a number that a double does not reproduce digit by digit. A byte
 * order mark at the start is skipped.
 */
export interface StorableJson {
  readonly ok: true;
  readonly value: unknown;
}

export interface UnstorableJson {
  readonly ok: false;
  /** JSON Pointer to the location, or '' for the whole document. Never contains a value. */
  readonly pointer: string;
  readonly message: string;
}

export const storableLimits = { depth: 64, members: 50_000 } as const;

export function readStorableJson(bytes: Uint8Array): StorableJson | UnstorableJson {
  let text: string;
  try {
    text = new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    return { ok: false, pointer: '', message: 'the text is not valid UTF-8' };
  }
  try {
    return { ok: true, value: new Reader(text).readDocument() };
  } catch (error) {
    if (error instanceof Refusal) return { ok: false, pointer: error.pointer, message: error.message };
    throw error;
  }
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

const whitespace = /[ \t\n\r]*/y;
// JSON requires escapes for these control characters (RFC 8259 section 7); others, such as DEL, can appear unescaped.
const plainCharacters = /[^"\\\u0000-\u001f]*/y;
const escape = /\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4})/y;
const numberToken = /-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?(?:[eE][+-]?[0-9]+)?/y;
const unstorableCharacter = /[\u0000\p{Surrogate}]/u;

class Reader {
  private position = 0;
  private depth = 0;
  private members = 0;
  private readonly path: (string | number)[] = [];

  constructor(private readonly text: string) {}

  readDocument(): unknown {
    const value = this.readValue();
    this.skip(whitespace);
    if (this.position < this.text.length) this.refuseSyntax();
    return value;
  }

  private readValue(): unknown {
    this.skip(whitespace);
    switch (this.text[this.position]) {
      case '{':
        return this.nested(() => this.readObject());
      case '[':
        return this.nested(() => this.readArray());
      case '"':
        return this.readString();
      case 't':
        return this.readWord('true', true);
      case 'f':
        return this.readWord('false', false);
      case 'n':
        return this.readWord('null', null);
      default:
        return this.readNumber();
    }
  }

  private nested<Value>(read: () => Value): Value {
    if (this.depth === storableLimits.depth) this.refuse(`nested more than ${storableLimits.depth} levels deep`);
    this.depth += 1;
    this.position += 1;
    const value = read();
    this.depth -= 1;
    return value;
  }

  private readObject(): Record<string, unknown> {
    const object: Record<string, unknown> = {};
    if (this.found('}')) return object;
    do {
      const key = this.readKey();
      this.path.push(key);
      if (Object.hasOwn(object, key)) this.refuse('the key is repeated in its object');
      if (!this.found(':')) this.refuseSyntax();
      object[key] = this.readValue();
      this.path.pop();
    } while (this.found(','));
    if (!this.found('}')) this.refuseSyntax();
    return object;
  }

  private readKey(): string {
    this.skip(whitespace);
    if (this.text[this.position] !== '"') this.refuseSyntax();
    const key = this.readString();
    if (key === '__proto__') this.refuse('a key is named __proto__');
    this.members += 1;
    if (this.members > storableLimits.members) this.refuse(`more than ${storableLimits.members} members`);
    return key;
  }

  private readArray(): unknown[] {
    const items: unknown[] = [];
    if (this.found(']')) return items;
    do {
      this.path.push(items.length);
      items.push(this.readValue());
      this.path.pop();
    } while (this.found(','));
    if (!this.found(']')) this.refuseSyntax();
    return items;
  }

  private readString(): string {
    const start = this.position;
    this.position += 1;
    this.skip(plainCharacters);
    if (this.text[this.position] === '"') return this.text.slice(start + 1, this.position++);
    while (this.text[this.position] === '\\') {
      if (!this.skip(escape)) this.refuseSyntax();
      this.skip(plainCharacters);
    }
    if (this.text[this.position] !== '"') this.refuseSyntax();
    this.position += 1;
    const value = JSON.parse(this.text.slice(start, this.position)) as string;
    // Only an escape can produce these characters: the decoder and the grammar exclude them from plain characters.
    if (unstorableCharacter.test(value)) this.refuse('a string contains U+0000 or half of a surrogate pair');
    return value;
  }

  private readWord<Value>(word: string, value: Value): Value {
    if (!this.text.startsWith(word, this.position)) this.refuseSyntax();
    this.position += word.length;
    return value;
  }

  private readNumber(): number {
    const start = this.position;
    if (!this.skip(numberToken)) this.refuseSyntax();
    const token = this.text.slice(start, this.position);
    const value = Number(token);
    if (!isExact(token, value)) {
      this.refuse('a number does not survive a round trip through a double; send it as a string');
    }
    return value;
  }

  private found(character: string): boolean {
    this.skip(whitespace);
    if (this.text[this.position] !== character) return false;
    this.position += 1;
    return true;
  }

  /** Advances over the match of the sticky pattern; false when the match is empty. */
  private skip(pattern: RegExp): boolean {
    pattern.lastIndex = this.position;
    if (!pattern.test(this.text)) return false;
    const moved = pattern.lastIndex > this.position;
    this.position = pattern.lastIndex;
    return moved;
  }

  private refuseSyntax(): never {
    this.refuse(`not valid JSON at character ${this.position + 1}`);
  }

  private refuse(message: string): never {
    const pointer = this.path
      .map((step) => `/${String(step).replaceAll('~', '~0').replaceAll('/', '~1').slice(0, 100)}`)
      .join('');
    throw new Refusal(pointer, message);
  }
}

/** Longer than any number whose digits a double reproduces: the largest integers have 309 digits. */
const longestExactToken = 400;

/** Whether a double, written out, equals the decimal number of the token in any spelling. */
function isExact(token: string, value: number): boolean {
  if (token.length > longestExactToken || !Number.isFinite(value)) return false;
  // JSON.stringify writes a negative zero as 0.
  if (Object.is(value, -0)) return false;
  // Every decimal number of up to 15 digits survives in a normal double.
  if (token.length <= 15 && /^-?[0-9.]+$/.test(token)) return true;
  return canonicalDecimal(token) === canonicalDecimal(String(value));
}

/** The digits without leading and trailing zeros, and the power of ten of the last digit. */
function canonicalDecimal(token: string): string {
  const [mantissa = '', exponent = '0'] = token.toLowerCase().split('e');
  const [integer = '', fraction = ''] = mantissa.replace('-', '').split('.');
  const digits = integer + fraction;
  let end = digits.length;
  while (end > 0 && digits[end - 1] === '0') end -= 1;
  if (end === 0) return '0';
  let start = 0;
  while (digits[start] === '0') start += 1;
  const sign = mantissa.startsWith('-') ? '-' : '';
  return `${sign}${digits.slice(start, end)}e${Number(exponent) - fraction.length + (digits.length - end)}`;
}
