/**
 * A digest of the facts of one step, kept in the workflow history next to the step's inputs. A replay, and a step that
 * adopts the commit of a lost attempt, compare their computed facts with it. It stays small for any number of facts and
 * locates the first differing block; with up to 256 facts a block is a single fact.
 *
 * Pure JavaScript, because the workflow sandbox has no crypto. It detects mistakes; it does not resist an attacker.
 */
import { canonicalJson } from '@perdure/lib/canonical-json.js';
import type { Fact } from '../contract/facts.js';

const MAX_BLOCKS = 256;
const MAX_SORTED_DEPTH = 500;
/**
 * Base-36 characters per block. The chance of missing a difference is 1 in 1.6 million per block and 1 in 2^53 in the
 * total.
 */
const BLOCK_CHARACTERS = 4;
const BLOCK_VALUES = 36 ** BLOCK_CHARACTERS;

/** `<count>.<total>.<blocks>` */
export function digestOf(facts: readonly Fact[]): string {
  const texts = facts.map(canonical);
  return [texts.length, hash(texts.join('\n')).toString(36), blocksOf(texts, blockSize(texts.length)).join('')].join(
    '.',
  );
}

/**
 * Describes how computed facts differ from written ones, which are known by their digest; undefined if they agree. A
 * digest in a format that this build cannot read is not compared.
 */
export function differenceOf(written: string, computed: readonly Fact[]): string | undefined {
  const digest = digestOf(computed);
  if (written === digest) return undefined;
  const [count, total, blocks] = written.split('.');
  if (!/^\d+$/.test(count ?? '') || total === undefined || blocks === undefined) return undefined;
  const size = blockSize(Number(count));
  const ours = blocksOf(computed.map(canonical), size);
  const theirs = blocks.match(new RegExp(`.{${BLOCK_CHARACTERS}}`, 'g')) ?? [];
  const block = Array.from({ length: Math.max(ours.length, theirs.length) }, (_, index) => index).find(
    (index) => ours[index] !== theirs[index],
  );
  const counts = `${count} facts were written, but ${computed.length} were computed`;
  return block === undefined ? counts : `${counts}; the first difference is ${describeBlock(block, size, computed)}`;
}

function describeBlock(block: number, size: number, computed: readonly Fact[]): string {
  const first = block * size;
  const kind = computed[first]?.kind ?? 'nothing was computed';
  return size === 1 ? `fact ${first + 1} (${kind})` : `among facts ${first + 1} to ${first + size} (from ${kind} on)`;
}

function blockSize(count: number): number {
  return Math.max(1, Math.ceil(count / MAX_BLOCKS));
}

function blocksOf(texts: readonly string[], size: number): string[] {
  const blocks: string[] = [];
  for (let first = 0; first < texts.length; first += size) {
    const value = hash(texts.slice(first, first + size).join('\n')) % BLOCK_VALUES;
    blocks.push(value.toString(36).padStart(BLOCK_CHARACTERS, '0'));
  }
  return blocks;
}

/** Builds may write members in any order. */
function canonical(fact: Fact): string {
  return canonicalJson(fact, MAX_SORTED_DEPTH);
}

/** A 53-bit hash of a text: two lanes of multiplication and exclusive or, mixed at the end. */
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
