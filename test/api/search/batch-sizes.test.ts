import { expect, test } from 'vitest';
import { BatchSizes } from '../../../api/search/batch-sizes.js';
import type { SearchBatch } from '../../../api/search/batch.js';
import { MAX_EVALUATED } from '../../../store/search/search.js';

function batch(scanned: number, { matches = 0, left = 0 } = {}): SearchBatch {
  return {
    evaluated: scanned,
    predicateErrors: 0,
    left,
    matches: Array.from({ length: matches }) as never,
    characters: 0,
    firstPredicateError: undefined,
    last: 1,
    isEnd: false,
  };
}

test('batches grow while they are short, and shrink when they take too long', () => {
  const sizes = new BatchSizes(20, true);
  const first = sizes.size;
  sizes.recordBatch(batch(first), 1);
  expect(sizes.size).toBe(first * 4);
  sizes.recordBatch(batch(first * 4), 10_000);
  expect(sizes.size).toBeLessThan(first);
});

test('no more is read than will fill the page', () => {
  const sizes = new BatchSizes(200, true);
  for (let count = 0; count < 5; count += 1) sizes.recordBatch(batch(sizes.size), 1);
  sizes.recordBatch(batch(sizes.size, { matches: 150 }), 1);
  const scanned = 64 * (1 + 4 + 16 + 64 + 256 + 1024);
  expect(sizes.size).toBeLessThanOrEqual((50 * scanned) / 150);
});

test('where prefilter leaves most instances it rests for a while', () => {
  const sizes = new BatchSizes(200, true);
  sizes.recordBatch(batch(64, { left: 60 }), 1);
  let without = 0;
  while (!sizes.prefilters) {
    sizes.recordBatch(batch(sizes.size, { left: sizes.size }), 1);
    expect(sizes.size).toBeLessThanOrEqual(65_536);
    without += 1;
  }
  expect(without).toBe(8);
  expect(new BatchSizes(200, false).prefilters).toBe(false);
});

test('no more is prefiltered than leaves what one batch evaluates', () => {
  const sizes = new BatchSizes(200, true);
  while (sizes.size < 65_536) sizes.recordBatch(batch(sizes.size), 1);
  sizes.recordBatch(batch(2 * MAX_EVALUATED, { left: MAX_EVALUATED }), 1);
  expect(sizes.prefilters).toBe(true);
  expect(sizes.size).toBe(2 * MAX_EVALUATED);
});

test('after a stuck thread, instances are evaluated one by one', () => {
  const sizes = new BatchSizes(200, true);
  sizes.markStuck();
  expect(sizes.size).toBe(1);
});
