/** The list as the address asks for it: the parameters of the API under their own names. */
import { keepPreviousData, queryOptions } from '@tanstack/react-query';
import { unwrap, api } from '../../frame/api/client.js';
import { pageNumber, type Address } from '../../frame/layout/use-address.js';
import { sortOf } from '../../frame/layout/use-sorting.js';
import type { paths } from '@perdure/client';

type Query = NonNullable<paths['/projects/{projectID}/bpmn/instances']['get']['parameters']['query']>;
export type InstanceFilter = Omit<Query, 'page' | 'pageSize' | 'sort' | 'order'>;

export const refreshEveryMs = 8_000;
const pageSize = 50;
export const sorts = ['createdAt', 'completedAt', 'businessId'] as const;
const statuses = ['RUNNING', 'COMPLETED', 'FAILED', 'CANCELED'] as const;

/** One page of the list, refreshed while any of it runs. */
export function listQuery(
  projectID: string,
  address: Pick<Address, 'get'>,
  pollEveryMs: number | false = refreshEveryMs,
) {
  const filter = filterOf(address);
  const page = pageNumber(address);
  const sort = sortOf(address, sorts);
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

/** Ignores invalid filter values, because users also type addresses. */
export function filterOf({ get }: Pick<Address, 'get'>): InstanceFilter {
  return {
    status: statuses.find((status) => status === get('status')),
    hasIncident: truth(get('hasIncident')),
    suspended: truth(get('suspended')),
    overTarget: truth(get('overTarget')),
    processId: get('processId'),
    definitionID: get('definitionID'),
    businessId: get('businessId'),
    activeNodeID: get('activeNodeID'),
    businessIdPrefix: get('businessIdPrefix'),
    failureReasonContains: longEnough(get('failureReasonContains')),
    startedBy: get('startedBy'),
    root: truth(get('root')),
    isTest: get('isTest') === 'true' ? true : undefined,
    createdAfter: get('createdAfter'),
    createdBefore: get('createdBefore'),
    completedAfter: get('completedAfter'),
    completedBefore: get('completedBefore'),
  };
}

/** The API refuses shorter texts, because its index has parts of three characters. */
function longEnough(text: string | undefined): string | undefined {
  return text !== undefined && text.length >= 3 ? text : undefined;
}

function truth(word: string | undefined): boolean | undefined {
  return word === 'true' ? true : word === 'false' ? false : undefined;
}
