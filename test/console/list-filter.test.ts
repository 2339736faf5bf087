import { expect, it } from 'vitest';
import type { ListDescription } from '@perdure/client';
import { filterOf, inJson, isFiltered, noFilter, without } from '../../console/features/filters/list-filter.js';

const parcels = {
  path: '/parcels',
  filters: [
    { name: 'status', label: 'Status', kind: 'enum', several: true, values: ['SENT', 'LOST'].map(labeled) },
    { name: 'size', label: 'Size', kind: 'enum', values: ['small', 'large'].map(labeled) },
    { name: 'isLate', label: 'Delay', kind: 'boolean', values: ['true', 'false'].map(labeled) },
    { name: 'addressContains', label: 'Address contains', kind: 'text', minLength: 3 },
    { name: 'sender', label: 'Sender', kind: 'text' },
    { name: 'includeReturns', label: 'Returns', kind: 'boolean', values: ['true'].map(labeled), needs: 'sender' },
  ],
  sorts: [],
} as const satisfies ListDescription;

function labeled(value: string) {
  return { value, label: value };
}

const addressWith = (query: string) => ({ get: (name: string) => new URLSearchParams(query).get(name) ?? undefined });

it.each([
  ['status=SENT,LOST&size=small', { status: 'SENT,LOST', size: 'small' }],
  ['isLate=true', { isLate: true }],
  ['isLate=false', { isLate: false }],
  ['sender=mia&includeReturns=true', { sender: 'mia', includeReturns: true }],
])('takes the filters of a list from the address ?%s', (query, values) => {
  expect(filterOf(parcels, addressWith(query))).toEqual({ ...filterOf(parcels, addressWith('')), ...values });
});

it.each(['status=SENT,EATEN', 'size=small,large', 'isLate=maybe', 'addressContains=ab', 'includeReturns=true', 'x=1'])(
  'ignores filters that the API would refuse: ?%s',
  (query) => {
    expect(isFiltered(filterOf(parcels, addressWith(query)))).toBe(false);
  },
);

it('does not count a default as a filter', () => {
  const defaults = { size: 'small' };
  expect(filterOf(parcels, addressWith(''), defaults)).toMatchObject({ size: 'small' });
  expect(isFiltered(filterOf(parcels, addressWith('size=small'), defaults), defaults)).toBe(false);
  expect(isFiltered(filterOf(parcels, addressWith('size=large'), defaults), defaults)).toBe(true);
});

it('leaves out filters that a screen sets itself', () => {
  const list = without(parcels, 'status', 'size');
  expect(filterOf(list, addressWith('status=SENT'))).not.toHaveProperty('status');
  expect(Object.keys(noFilter(list))).toEqual(['isLate', 'addressContains', 'sender', 'includeReturns', 'page']);
});

it('writes several values as an array in JSON', () => {
  expect(inJson(parcels, filterOf(parcels, addressWith('status=SENT,LOST&sender=mia,tom')))).toMatchObject({
    status: ['SENT', 'LOST'],
    sender: 'mia,tom',
  });
});
