import { expect, test } from 'vitest';
import { fairnessKeyOf } from '../../temporal/instances.js';

test('the fairness key of an instance is its project, whose tests of drafts share it', () => {
  expect(fairnessKeyOf('shop')).toBe('shop');
  expect(fairnessKeyOf('shop~tests')).toBe('shop');
});

test('a project id that is longer than the server allows has a separate key', () => {
  const [long, other] = [`${'ä'.repeat(40)}1`, `${'ä'.repeat(40)}2`];
  expect(Buffer.byteLength(fairnessKeyOf(long))).toBeLessThanOrEqual(64);
  expect(fairnessKeyOf(long)).not.toBe(fairnessKeyOf(other));
});
