import { expect, test } from 'vitest';
import { derivedUUID, newUUID } from '../../store/ids.js';

test('a new UUID is of version 7 and begins with its time in milliseconds', () => {
  const id = newUUID(0x0123_4567_89ab);
  expect(id).toMatch(/^01234567-89ab-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
});

test('new UUIDs are in the order of time, and differ within a millisecond', () => {
  const ids = [1, 2, 16, 1_800_000_000_000].map((now) => newUUID(now));
  expect(ids.toSorted()).toEqual(ids);
  expect(new Set(Array.from({ length: 1_000 }, () => newUUID(5))).size).toBe(1_000);
});

test('a derived UUID is the same for the same parts, of version 8', () => {
  const id = derivedUUID('timer', 1);
  expect(id).toBe(derivedUUID('timer', 1));
  expect(id).not.toBe(derivedUUID('timer', 2));
  expect(id).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-8[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
});
