/** The history and the incidents of an instance for its waterfall. */
import { useQueries, useQuery } from '@tanstack/react-query';
import { unwrap, api } from '../../../../frame/api/client.js';
import type { Schemas } from '../../../../frame/api/client.js';
import { refreshEveryMs, type InstanceState } from '../../instance-query.js';

export type Entry = Schemas['BpmnActivityState'];
export type Incident = Schemas['BpmnIncidentRecord'];
type HistoryPage = Schemas['BpmnActivityStatePaginatedResponse'];

const pageSize = 50;
/** The API returns at most this many at once; more marks would not be readable either. */
const maxIncidents = 100;

/** Whether a page can no longer change: it is full and everything on it has ended. */
function isSettled(page: HistoryPage | undefined): boolean {
  return page?.data.length === pageSize && page.data.every(({ endTime }) => endTime !== undefined);
}

/** The first pages of the history. While the instance runs, those that can still change are refreshed. */
export function useHistory(projectID: string, { workflowID, status }: InstanceState, pages: number) {
  const isRunning = status === 'RUNNING';
  const queries = useQueries({
    queries: Array.from({ length: pages }, (_, index) => ({
      queryKey: [projectID, 'instance', workflowID, 'waterfall', index + 1],
      queryFn: ({ signal }: { signal: AbortSignal }) =>
        unwrap(
          api.GET('/projects/{projectID}/bpmn/instances/{workflowID}/history', {
            params: { path: { projectID, workflowID }, query: { page: index + 1, pageSize } },
            signal,
          }),
        ),
      refetchInterval: ({ state }: { state: { data: HistoryPage | undefined } }) =>
        isRunning && !isSettled(state.data) && refreshEveryMs,
    })),
  });
  const failed = queries.find(({ isError }) => isError);
  return {
    entries: queries.flatMap(({ data }) => data?.data ?? []),
    total: queries.findLast(({ data }) => data !== undefined)?.data?.pagination.total ?? 0,
    isLoading: queries.some(({ isPending }) => isPending),
    updatedAtMs: Math.max(...queries.map(({ dataUpdatedAt }) => dataUpdatedAt)),
    error: failed?.error,
    retry: () => void failed?.refetch(),
  };
}

/** The newest incidents, and how many there are. */
export function useIncidents(projectID: string, { workflowID, status }: InstanceState) {
  return useQuery({
    queryKey: [projectID, 'instance', workflowID, 'waterfall incidents'],
    queryFn: ({ signal }) =>
      unwrap(
        api.GET('/projects/{projectID}/bpmn/instances/{workflowID}/incidents', {
          params: { path: { projectID, workflowID }, query: { page: 1, pageSize: maxIncidents } },
          signal,
        }),
      ),
    refetchInterval: status === 'RUNNING' && refreshEveryMs,
  });
}
