import { expect, it } from 'vitest';
import { instanceIDIn, instanceIDPrefixOf } from '../../console/screens/instances/quick-filters.js';

const id = '0af3c1d2-7b64-4e0a-9c55-1f2e3d4c5b6a';

it.each([
  [id, id],
  [id.toUpperCase(), id],
  [`test-${id}`, `test-${id}`],
  [`https://host.example/console/projects/demo/instances/${id}?tab=jobs`, id],
  [`instance=${id} step failed`, id],
])('finds the instance id in %s', (text, found) => {
  expect(instanceIDIn(text)).toBe(found);
});

it.each(['', 'order-17', id.slice(1), `${id}0`, `a${id}`, `${id}-0`])('finds no instance id in "%s"', (text) => {
  expect(instanceIDIn(text)).toBeUndefined();
});

it.each([
  ['0af3', '0af3'],
  ['0AF3C1D2-7b', '0af3c1d2-7b'],
  ['test-0af3', 'test-0af3'],
  [id, id],
])('takes %s for the beginning of an instance id', (text, prefix) => {
  expect(instanceIDPrefixOf(text)).toBe(prefix);
});

it.each(['', '0af', 'test-', 'test-0af', 'order', '0af3 ', `${id}0`])('does not take "%s" for one', (text) => {
  expect(instanceIDPrefixOf(text)).toBeUndefined();
});
