/** The list of instances that the address names, by the names of the API's parameters. */
import { keepPreviousData, queryOptions } from '@tanstack/react-query';
import { unwrap, api } from '../../frame/api/client.js';
import { pageNumber, type Address } from '../../frame/layout/use-address.js';
import { sortOf } from '../../frame/layout/list-order.js';
import { lists } from '@perdure/client';
import { filterOf } from '../../features/filters/list-filter.js';
import type { FilterValues } from '@perdure/client';

export const instanceList = lists.ListBpmnInstances;
export type InstanceFilter = FilterValues<typeof instanceList>;

export const refreshEveryMs = 8_000;
const pageSize = 50;

/** One page of the list, refreshed while any of it runs. */
export function listQuery(
  projectID: string,
  address: Pick<Address, 'get'>,
  pollEveryMs: number | false = refreshEveryMs,
) {
  const filter = filterOf(instanceList, address);
  const page = pageNumber(address);
  const sort = sortOf(address, instanceList, filter);
  return queryOptions({
    queryKey: [projectID, 'instances', filter, sort, page],
    queryFn: ({ signal }) =>
      unwrap(
        api.GET('/projects/{projectID}/bpmn/instances', {
          params: { path: { projectID }, query: { ...filter, ...sort, page, pageSize } },
          signal,
        }),
      ),
    placeholderData: keepPreviousData,
    refetchInterval: ({ state }) => (state.data?.data.some(({ status }) => status === 'RUNNING') ? pollEveryMs : false),
  });
}
