import { expect, test } from 'vitest';
import { readCursor, writeCursor } from '../../../../api/search/cursor.js';

const key = Buffer.alloc(32, 1);

test('a cursor gives back the position and the moment that it was made of, on every API that has the key', () => {
  const position = { below: 4711, now: 1_790_000_000_123 };
  const cursor = writeCursor(key, ['p', null, true], position);
  expect(readCursor(Buffer.alloc(32, 1), ['p', null, true], cursor)).toEqual(position);
  expect(readCursor(Buffer.alloc(32, 2), ['p', null, true], cursor)).toBeUndefined();
});

test('a cursor is bound to its members separately: text cannot move from one to the next', () => {
  const cursor = writeCursor(key, ['a', 'b,c'], { below: 1, now: 1 });
  expect(readCursor(key, ['a,b', 'c'], cursor)).toBeUndefined();
});
