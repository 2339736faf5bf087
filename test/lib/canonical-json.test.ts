import fc from 'fast-check';
import { expect, test } from 'vitest';
import { requestFingerprint } from '../../api/commands/idempotency.js';
import { digestOf } from '@perdure/engine/state/facts-digest.js';
import { canonicalJson } from '@perdure/lib/canonical-json.js';
import { sha256 } from '@perdure/lib/sha256.js';

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

test('members nested deeper than the limit keep their order', () => {
  expect(canonicalJson({ b: { d: { f: 1, e: 2 }, c: 1 }, a: 1 }, 1)).toBe('{"a":1,"b":{"c":1,"d":{"f":1,"e":2}}}');
});

test('recorded digests are computed as before', () => {
  const value = {
    b: [1, { z: null, a: 'x\u2028"' }, []],
    a: {},
    '10': 1,
    '9': { '01': -0, '1': 1e21 },
    é: true,
    A: undefined,
  };
  let deep: unknown = { b: 1, a: 2 };
  for (let depth = 0; depth < 600; depth += 1) deep = { b: deep, a: depth };
  expect({
    graph: sha256(canonicalJson(value)),
    request: requestFingerprint('/p', value),
    facts: digestOf([value, deep, { kind: 'STEP_SETTLED' }] as never),
  }).toEqual({
    graph: '35d0931b57acfe8e5e66396880ca46d85b2efa0be8824e31fe277371aa6733d2',
    request: 'c9bd36f52be5e08566eaf4bc291f3ef18e848db6ef45d26c4982c95d6e20b2eb',
    facts: '3.1axxa2tbwhc.n8dbwdebz58a',
  });
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
