import { expect, test } from 'vitest';
import { BoundedCache } from '@perdure/lib/bounded-cache.js';

const found = <Value>(cache: BoundedCache<string, Value>, keys: string) =>
  [...keys].filter((key) => cache.get(key) !== undefined).join('');

test('the entry that was set longest ago is evicted, whether it was read or not', () => {
  const cache = new BoundedCache<string, number>({ entries: 2 });
  cache.set('a', 1);
  cache.set('b', 1);
  cache.get('a');
  cache.set('c', 1);
  expect(found(cache, 'abc')).toBe('bc');
});

test('an entry that is set again becomes the newest and takes no further place', () => {
  const cache = new BoundedCache<string, number>({ entries: 2 });
  cache.set('a', 1);
  cache.set('b', 1);
  cache.set('a', 2);
  cache.set('c', 1);
  expect(found(cache, 'abc')).toBe('ac');
  expect(cache.get('a')).toBe(2);
});

test('entries are evicted until their weight fits, but never the newest', () => {
  const cache = new BoundedCache<string, string>({ entries: 9, weight: 5, weightOf: ({ length }) => length });
  for (const key of ['a', 'b', 'c']) cache.set(key, 'xx');
  expect(found(cache, 'abc')).toBe('bc');
  cache.set('b', 'x');
  cache.set('d', 'xx');
  expect(found(cache, 'abcd')).toBe('bcd');
  cache.set('e', 'much too long');
  expect(found(cache, 'abcde')).toBe('e');
  cache.set('f', 'xx');
  expect(found(cache, 'ef')).toBe('f');
});

test('a deleted entry gives its weight back', () => {
  const cache = new BoundedCache<string, string>({ entries: 9, weight: 2, weightOf: ({ length }) => length });
  cache.set('a', 'x');
  cache.delete('a');
  cache.delete('a');
  cache.set('b', 'x');
  cache.set('c', 'x');
  expect(found(cache, 'abc')).toBe('bc');
});
