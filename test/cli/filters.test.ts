import { expect, it } from 'vitest';
import { lists } from '@perdure/client';
import type { Invocation } from '../../packages/cli/command.js';
import { filterOptions, filterQuery } from '../../packages/cli/lists/filters.js';

function given(options: { [name: string]: string | true }): Invocation {
  const read = {
    option: (name: string) => options[name] as string | undefined,
    flag: (name: string) => options[name] === true,
  };
  return read as Invocation;
}

it.each(Object.entries(lists))('the filters of %s have options of different names', (_, list) => {
  expect(Object.keys(filterOptions(list))).toHaveLength(list.filters.length);
});

it('names options after filters, without the suffix of ids', () => {
  expect(Object.keys(filterOptions(lists.ListBpmnExternalJobs))).toEqual(
    expect.arrayContaining(['definition', 'business-id', 'process', 'instance', 'created-after', 'worker']),
  );
});

it('reads words in any case, several where the list takes several', () => {
  const query = filterQuery(lists.ListBpmnInstances, given({ status: 'running,Failed', incident: true }));
  expect(query).toMatchObject({ status: 'RUNNING,FAILED', hasIncident: true, suspended: undefined });
  expect(() => filterQuery(lists.ListBpmnIncidents, given({ status: 'open,resolved' }))).toThrow(
    '--status must be one',
  );
  expect(() => filterQuery(lists.ListBpmnInstances, given({ status: 'lost' }))).toThrow('--status must be RUNNING');
});

it('uses the default of a filter whose option is absent', () => {
  const defaults = { status: 'PENDING' };
  expect(filterQuery(lists.ListBpmnExternalJobs, given({}), defaults)).toMatchObject({ status: 'PENDING' });
  expect(filterQuery(lists.ListBpmnExternalJobs, given({ status: 'failed' }), defaults)).toMatchObject({
    status: 'FAILED',
  });
});
