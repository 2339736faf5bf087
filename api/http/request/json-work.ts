/**
 * The part of reading a large body that a thread does: it verifies the JSON, and takes long strings out of it. What
 * remains for the event loop is a document with a limited number of values and without long strings, and the
 * characters of the strings, which it copies.
 */
import { textOf, verifyStorableJson, type UnstorableJson } from '@perdure/lib/storable-json.js';

export interface JsonWork {
  readonly bytes: Uint8Array<ArrayBuffer>;
  readonly maxValues: number | undefined;
}

/** A text within `bytes`, in an encoding that is copied instead of decoded. */
export interface Piece {
  readonly encoding: 'latin1' | 'utf16le';
  readonly start: number;
  readonly end: number;
}

export interface DividedJson {
  readonly ok: true;
  readonly values: number;
  readonly bytes: Uint8Array<ArrayBuffer>;
  readonly document: Piece;
  /** Strings that the document has as null. A path consists of keys and indices. */
  readonly apart: readonly { readonly path: readonly (string | number)[]; readonly text: Piece }[];
}

/** Characters. A document without longer ones that is made of 20 MiB still takes at most 4 MiB. */
const MAX_KEY_LENGTH = 4096;
/** Smaller texts are not worth the division. */
const MIN_DIVIDED = 1024 * 1024;

export function divideJson({ bytes, maxValues }: JsonWork): DividedJson | UnstorableJson {
  const verified = verifyStorableJson(bytes, maxValues);
  if (!verified.ok) return verified;
  const text = textOf(bytes);
  const found: { path: (string | number)[]; text: string }[] = [];
  const document = text.length < MIN_DIVIDED ? text : JSON.stringify(without(JSON.parse(text), [], found));
  const pieces = new Pieces();
  const piece = pieces.add(document);
  const apart = found.map(({ path, text: long }) => ({ path, text: pieces.add(long) }));
  return { ok: true, values: verified.values, bytes: pieces.join(), document: piece, apart };
}

/** Takes long strings out of a value, in place. */
function without(value: unknown, path: (string | number)[], found: { path: (string | number)[]; text: string }[]) {
  if (typeof value === 'string' && value.length > MAX_KEY_LENGTH) {
    found.push({ path: [...path], text: value });
    return null;
  }
  if (typeof value !== 'object' || value === null) return value;
  const container = value as Record<string | number, unknown>;
  const keys = Array.isArray(value) ? value.keys() : Object.keys(value);
  for (const key of keys) {
    path.push(key);
    const member = container[key];
    const rest = without(member, path, found);
    if (rest !== member) container[key] = rest;
    path.pop();
  }
  return value;
}

class Pieces {
  readonly #buffers: Buffer[] = [];
  #length = 0;

  add(text: string): Piece {
    const encoding = beyondLatin1.test(text) ? 'utf16le' : 'latin1';
    const buffer = Buffer.from(text, encoding);
    const start = this.#length;
    this.#buffers.push(buffer);
    this.#length += buffer.length;
    return { encoding, start, end: this.#length };
  }

  join(): Uint8Array<ArrayBuffer> {
    const joined = new Uint8Array(this.#length);
    let at = 0;
    for (const buffer of this.#buffers) {
      joined.set(buffer, at);
      at += buffer.length;
    }
    return joined;
  }
}

const beyondLatin1 = /[^\u0000-\u00ff]/;
