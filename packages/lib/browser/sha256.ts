/**
 * `sha256.ts` for browsers (FIPS 180-4): their own digest is asynchronous, and missing on pages without TLS. The
 * condition `browser` in package.json selects this file.
 */
const WORD = 2 ** 32;
const BLOCK_BYTES = 64;
const primes = firstPrimes(64);
/** Fractional parts of the square and cube roots of the first primes. */
const INITIAL = primes.slice(0, 8).map((prime) => fraction(Math.sqrt(prime)));
const ROUND = primes.map((prime) => fraction(Math.cbrt(prime)));

/** SHA-256 in lowercase hexadecimal. */
export function sha256(text: string): string {
  const padded = pad(new TextEncoder().encode(text));
  const state = Uint32Array.from(INITIAL);
  const schedule = new Uint32Array(64);
  for (let offset = 0; offset < padded.byteLength; offset += BLOCK_BYTES) addBlock(state, schedule, padded, offset);
  return [...state].map((word) => word.toString(16).padStart(8, '0')).join('');
}

/** A one bit, zeros, and the length in bits fill the last block. */
function pad(bytes: Uint8Array): DataView {
  const length = Math.ceil((bytes.length + 9) / BLOCK_BYTES) * BLOCK_BYTES;
  const padded = new Uint8Array(length);
  padded.set(bytes);
  padded[bytes.length] = 0x80;
  const view = new DataView(padded.buffer);
  view.setUint32(length - 8, Math.floor((bytes.length * 8) / WORD));
  view.setUint32(length - 4, (bytes.length * 8) % WORD);
  return view;
}

function addBlock(state: Uint32Array, schedule: Uint32Array, view: DataView, offset: number): void {
  fillSchedule(schedule, view, offset);
  let [a, b, c, d, e, f, g, h] = state as unknown as [number, number, number, number, number, number, number, number];
  for (let round = 0; round < 64; round += 1) {
    const sum = rotate(e, 6) ^ rotate(e, 11) ^ rotate(e, 25);
    const one = (h + sum + ((e & f) ^ (~e & g)) + ROUND[round]! + schedule[round]!) | 0;
    const two = ((rotate(a, 2) ^ rotate(a, 13) ^ rotate(a, 22)) + ((a & b) ^ (a & c) ^ (b & c))) | 0;
    [h, g, f, e, d, c, b, a] = [g, f, e, (d + one) | 0, c, b, a, (one + two) | 0];
  }
  for (const [index, value] of [a, b, c, d, e, f, g, h].entries()) state[index]! += value;
}

function fillSchedule(schedule: Uint32Array, view: DataView, offset: number): void {
  for (let index = 0; index < 16; index += 1) schedule[index] = view.getUint32(offset + index * 4);
  for (let index = 16; index < 64; index += 1) {
    const early = schedule[index - 15]!;
    const late = schedule[index - 2]!;
    const mixed = rotate(early, 7) ^ rotate(early, 18) ^ (early >>> 3);
    const added = rotate(late, 17) ^ rotate(late, 19) ^ (late >>> 10);
    schedule[index] = schedule[index - 16]! + mixed + schedule[index - 7]! + added;
  }
}

function rotate(word: number, bits: number): number {
  return (word >>> bits) | (word << (32 - bits));
}

function fraction(root: number): number {
  return Math.floor((root % 1) * WORD);
}

function firstPrimes(count: number): number[] {
  const found: number[] = [];
  for (let candidate = 2; found.length < count; candidate += 1)
    if (found.every((prime) => candidate % prime !== 0)) found.push(candidate);
  return found;
}
