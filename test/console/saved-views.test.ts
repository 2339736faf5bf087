import { expect, it } from 'vitest';
import { readViews, renamed, showing, viewQuery, withView } from '../../console/screens/instances/saved-views.js';
import { columnsOf, storedText, textOf } from '../../console/screens/instances/shown-columns.js';

const late = { name: 'Late', query: 'overTarget=true' };
const failed = { name: 'Failed', query: 'status=FAILED' };

it('keeps the named parts of an address and shows exactly them again', () => {
  const names = ['status', 'sort'];
  const address = new URLSearchParams('sort=businessId&page=3&status=FAILED');
  const query = viewQuery(names, (name) => address.get(name) ?? undefined);
  expect(query).toBe('status=FAILED&sort=businessId');
  expect(showing(names, failed)).toEqual({ status: 'FAILED', sort: undefined, page: undefined });
});

it('replaces a view that has the same name', () => {
  expect(withView([late, failed], { name: 'Late', query: 'x=1' })).toEqual([{ name: 'Late', query: 'x=1' }, failed]);
  expect(withView([late], failed)).toEqual([late, failed]);
  expect(renamed([late, failed], 'Late', 'Failed')).toEqual([{ name: 'Failed', query: late.query }]);
  expect(renamed([late, failed], 'Late', 'Late')).toEqual([late, failed]);
});

it.each(['{', '7', '[null, { "name": 1 }]', null])('reads no view from %s', (stored) => {
  expect(readViews(stored)).toEqual([]);
});

it('reads the views that it stored', () => {
  expect(readViews(JSON.stringify([late, 7, failed]))).toEqual([late, failed]);
});

it('has columns in one order, whatever the order of the choice', () => {
  expect(columnsOf('failure,process,unknown')).toEqual(['process', 'failure']);
  expect(textOf(['failure', 'process'])).toBe('instance,process,failure');
  expect(columnsOf(textOf([]))).toEqual([]);
});

it('does not store the standard columns', () => {
  expect(storedText(columnsOf(undefined))).toBeUndefined();
  expect(storedText([])).toBe('instance');
});
