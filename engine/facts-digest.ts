/**
 * A digest of the facts of one step, which stands in the history beside its inputs: a replay, or a step that adopts what a
 * lost attempt has written, compares what it computes with what was written. Small however many facts there are, and it
 * names the first block of facts that differs; up to 256 facts a block is one fact.
 *
 * Pure JavaScript, because the sandbox has no crypto. It finds mistakes, it does not withstand an attacker.
 */
import type { Fact } from './facts.js';

const MOST_BLOCKS = 256;
const DEEPEST_SORTED = 500;
/** Characters of base 36 per block: a difference is overlooked there once in 1.6 million, and in the total once in 2^53. */
const BLOCK_CHARACTERS = 4;
const BLOCK_VALUES = 36 ** BLOCK_CHARACTERS;

/** `<count>.<total>.<blocks>` */
export function digestOf(facts: readonly Fact[]): string {
  const texts = facts.map((fact) => canonical(fact));
  return [texts.length, hash(texts.join('\n')).toString(36), blocksOf(texts, blockSize(texts.length)).join('')].join('.');
}

/**
 * What differs between written facts, known by their digest, and computed ones, in words; undefined when nothing does. A digest
 * that this build cannot read compares with nothing.
 */
export function differenceOf(written: string, computed: readonly Fact[]): string | undefined {
  const digest = digestOf(computed);
  if (written === digest) return undefined;
  const [count, total, blocks] = written.split('.');
  if (!/^\d+$/.test(count ?? '') || total === undefined || blocks === undefined) return undefined;
  const size = blockSize(Number(count));
  const ours = blocksOf(computed.map((fact) => canonical(fact)), size);
  const theirs = blocks.match(new RegExp(`.{${BLOCK_CHARACTERS}}`, 'g')) ?? [];
  const block = Array.from({ length: Math.max(ours.length, theirs.length) }, (_, index) => index).find((index) => ours[index] !== theirs[index]);
  const counts = `${count} facts were written, ${computed.length} are computed`;
  return block === undefined ? counts : `${counts}; the first difference is ${describeBlock(block, size, computed)}`;
}

function describeBlock(block: number, size: number, computed: readonly Fact[]): string {
  const first = block * size;
  const kind = computed[first]?.kind ?? 'none is computed';
  return size === 1 ? `fact ${first + 1} (${kind})` : `among facts ${first + 1} to ${first + size} (from ${kind} on)`;
}

function blockSize(count: number): number {
  return Math.max(1, Math.ceil(count / MOST_BLOCKS));
}

function blocksOf(texts: readonly string[], size: number): string[] {
  const blocks: string[] = [];
  for (let first = 0; first < texts.length; first += size) {
    const value = hash(texts.slice(first, first + size).join('\n')) % BLOCK_VALUES;
    blocks.push(value.toString(36).padStart(BLOCK_CHARACTERS, '0'));
  }
  return blocks;
}

/** JSON with members in order of their names: in which order a build writes them means nothing. */
function canonical(value: unknown, depth = 0): string {
  // Recursion of ours takes more of the stack than that of JSON.
  if (typeof value !== 'object' || value === null || depth > DEEPEST_SORTED) return JSON.stringify(value) ?? 'null';
  if (Array.isArray(value)) return `[${value.map((item) => canonical(item, depth + 1)).join(',')}]`;
  const members = Object.entries(value).filter(([, member]) => member !== undefined);
  members.sort(([one], [other]) => (one < other ? -1 : 1));
  return `{${members.map(([name, member]) => `${JSON.stringify(name)}:${canonical(member, depth + 1)}`).join(',')}}`;
}

/** 53 bits of a text: two lanes of multiplication and exclusive or, mixed at the end. */
function hash(text: string): number {
  let one = 0xdeadbeef;
  let other = 0x41c6ce57;
  for (let index = 0; index < text.length; index += 1) {
    const unit = text.charCodeAt(index);
    one = Math.imul(one ^ unit, 0x9e3779b1);
    other = Math.imul(other ^ unit, 0x5f356495);
  }
  one = Math.imul(one ^ (one >>> 16), 0x85ebca6b) ^ Math.imul(other ^ (other >>> 13), 0xc2b2ae35);
  other = Math.imul(other ^ (other >>> 16), 0x85ebca6b) ^ Math.imul(one ^ (one >>> 13), 0xc2b2ae35);
  return (other & 0x1fffff) * 2 ** 32 + (one >>> 0);
}
