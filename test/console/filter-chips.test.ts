import { lists } from '@perdure/client';
import { expect, it } from 'vitest';
import { addable, chipsOf, isPressed, pressed, valueWords, withValue } from '../../console/features/filters/chips.js';
import { instanceIDIn, quickFilters } from '../../console/screens/instances/quick-filters.js';

const list = lists.ListBpmnInstances;
const [running, , , , ended] = quickFilters;
const status = list.filters.find(({ name }) => name === 'status')!;

const addressWith = (query: string) => ({ get: (name: string) => new URLSearchParams(query).get(name) ?? undefined });
const chipNames = (query: string) => chipsOf(list, addressWith(query), quickFilters).map(({ name }) => name);

it('presses a quick filter for its values in any order, and releases it', () => {
  expect(isPressed(ended!, addressWith('status=CANCELED,FAILED,COMPLETED'))).toBe(true);
  expect(isPressed(ended!, addressWith('status=FAILED'))).toBe(false);
  expect(pressed(ended!, addressWith('status=RUNNING'))).toEqual({
    status: 'COMPLETED,FAILED,CANCELED',
    page: undefined,
  });
  expect(pressed(running!, addressWith('status=RUNNING'))).toEqual({ status: undefined, page: undefined });
});

it.each([
  ['status=RUNNING&hasIncident=true', []],
  ['status=FAILED&hasIncident=false', ['status', 'hasIncident']],
  ['processId=order&createdAfter=2026-01-01T00:00:00Z', ['processId', 'createdAfter']],
  ['status=EATEN&failureReasonContains=ab', []],
])('shows a chip for each other filter that the API accepts: ?%s', (query, names) => {
  expect(chipNames(query)).toEqual(names);
});

it('offers or shows every filter of the list', () => {
  const address = addressWith('processId=order');
  const chips = chipsOf(list, address, quickFilters);
  expect(new Set([...chips, ...addable(list, address, chips)])).toEqual(new Set(list.filters));
});

it('changes one of several values, in the order of the description', () => {
  expect(withValue(status, 'FAILED', 'COMPLETED', true)).toBe('COMPLETED,FAILED');
  expect(withValue(status, 'COMPLETED,FAILED', 'FAILED', false)).toBe('COMPLETED');
  expect(withValue(status, '', 'RUNNING', true)).toBe('RUNNING');
  expect(valueWords(status, 'COMPLETED,FAILED')).toBe('Completed, Failed');
});

it('only has quick filters of the list', () => {
  for (const { filter, value } of quickFilters) expect(chipNames(`${filter}=${value}`)).toEqual([]);
  expect(quickFilters.every(({ filter }) => list.filters.some(({ name }) => name === filter))).toBe(true);
});

it('recognizes the ids of instances', () => {
  expect(instanceIDIn('5f0c4a52-6d5e-4a0b-9d3c-2f6a9d1c7b10')).toBe('5f0c4a52-6d5e-4a0b-9d3c-2f6a9d1c7b10');
  expect(instanceIDIn('order-1')).toBeUndefined();
});
