/**
 * Reads bodies as storable JSON with little work on the event loop, which all callers share. A large body is verified
 * in a thread, which refuses it or returns it divided into bytes that the event loop only copies, and a document whose
 * values are counted: building them takes milliseconds.
 */
import { setImmediate as nextRound } from 'node:timers/promises';
import type { Turns } from '@perdure/lib/fair-turns.js';
import { inThreads } from '@perdure/lib/in-threads.js';
import { textOf, verifyStorableJson, type UnstorableJson } from '@perdure/lib/storable-json.js';
import type { Problem } from '../../contract/problem.js';
import { divideJson, type DividedJson, type JsonWork, type Piece } from './json-work.js';

/** Bodies up to this size are read on the event loop: it takes less than a thread costs. */
export const MAX_ON_LOOP_BYTES = 64 * 1024;

export interface JsonReading {
  /** Where a large body waits for its turn at a thread. */
  readonly turns: Turns;
  /** Told what the event loop and the threads have to do. The values of a body that a thread refused are unknown. */
  count(place: 'loop' | 'thread', work: { readonly bytes: number; readonly values: number }): void;
}

export interface JsonBodyLimits extends JsonReading {
  readonly maximumBytes: number;
  /** Takes bytes from the budget of the caller, or refuses them. */
  spend(bytes: number): Problem | undefined;
  /** Takes what was read from the budget of the caller, which can become negative. */
  spendValues(values: number): void;
}

export interface ReadJson {
  readonly ok: true;
  readonly value: unknown;
  readonly values: number;
}

const THREADS = {
  name: 'read JSON',
  isShort: true,
  size: 2,
  timeoutMs: 5_000,
  heapMB: 256,
  bytesOf: ({ bytes }: JsonWork) => bytes.byteLength,
  transfer: ({ bytes }: JsonWork) => [bytes.buffer],
};

const divideInThread = inThreads<JsonWork, DividedJson | UnstorableJson>(
  new URL('./json-thread.js', import.meta.url),
  THREADS,
  divideJson,
);

/**
 * The buffer of a large body is moved to a thread: it is empty afterward.
 * @throws TurnRefused, TurnCanceled
 */
export async function readJson(
  bytes: Uint8Array<ArrayBuffer>,
  maxValues: number | undefined,
  reading: JsonReading,
): Promise<ReadJson | UnstorableJson> {
  if (bytes.byteLength <= MAX_ON_LOOP_BYTES) return readHere(bytes, maxValues, reading);
  const size = bytes.byteLength;
  const divided = await divideInThread({ bytes: whole(bytes), maxValues }, reading.turns);
  reading.count('thread', { bytes: size, values: divided?.ok ? divided.values : 0 });
  if (divided === undefined)
    return { ok: false, pointer: '', message: `reading it exceeded its limit (${THREADS.timeoutMs / 1000} s)` };
  if (!divided.ok) return divided;
  const value = await join(divided);
  reading.count('loop', { bytes: divided.document.end - divided.document.start, values: divided.values });
  return { ok: true, value, values: divided.values };
}

/**
 * A part of a larger buffer, such as one that Node shares among small bodies, cannot be moved alone. (`slice` of a
 * `Buffer` does not copy.)
 */
export function whole(bytes: Uint8Array<ArrayBuffer>): Uint8Array<ArrayBuffer> {
  return bytes.byteLength === bytes.buffer.byteLength ? bytes : new Uint8Array(bytes);
}

function readHere(bytes: Uint8Array, maxValues: number | undefined, reading: JsonReading): ReadJson | UnstorableJson {
  const verified = verifyStorableJson(bytes, maxValues);
  reading.count('loop', { bytes: bytes.byteLength, values: verified.ok ? verified.values : 0 });
  if (!verified.ok) return verified;
  return { ok: true, value: JSON.parse(textOf(bytes)), values: verified.values };
}

/** Between its parts, the event loop completes a round for others. */
async function join({ bytes, document, apart }: DividedJson): Promise<unknown> {
  const read = ({ encoding, start, end }: Piece) =>
    Buffer.from(bytes.buffer, bytes.byteOffset + start, end - start).toString(encoding);
  const root = { value: JSON.parse(read(document)) as unknown };
  await nextRound();
  let copied = 0;
  for (const { path, text } of apart) {
    place(root, ['value', ...path], read(text));
    copied += text.end - text.start;
    if (copied < MAX_COPIED_BYTES) continue;
    copied = 0;
    await nextRound();
  }
  return root.value;
}

/** In one round; a few milliseconds. */
const MAX_COPIED_BYTES = 4 * 1024 * 1024;

function place(root: object, path: readonly (string | number)[], text: string): void {
  let container = root as Record<string | number, unknown>;
  for (const key of path.slice(0, -1)) container = container[key] as Record<string | number, unknown>;
  container[path.at(-1)!] = text;
}
