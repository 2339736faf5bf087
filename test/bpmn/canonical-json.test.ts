import fc from 'fast-check';
import { expect, test } from 'vitest';
import { canonicalJson } from '../../packages/lib/canonical-json.js';

test('members are sorted at every depth and those without a value are left out', () => {
  expect(canonicalJson({ b: [{ z: null, a: 'x' }], a: undefined, A: 1.5 })).toBe('{"A":1.5,"b":[{"a":"x","z":null}]}');
});

test('any JSON value survives, and the order of its members does not matter', () => {
  fc.assert(
    fc.property(fc.jsonValue(), (value) => {
      expect(JSON.parse(canonicalJson(value))).toEqual(JSON.parse(JSON.stringify(value)));
      expect(canonicalJson(reversed(value))).toBe(canonicalJson(value));
    }),
  );
});

function reversed(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(reversed);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value)
      .reverse()
      .map(([name, member]) => [name, reversed(member)]),
  );
}
