/** Statistics of the project and of its processes. */
import { keepPreviousData, queryOptions, useQuery } from '@tanstack/react-query';
import { api, unwrap } from '../../frame/api/client.js';
import { useProject } from '../../frame/project/project.js';
import { spanOf, type Range } from './range.js';

/** The API caches numbers for this long. */
const refreshEveryMs = 10_000;
const refreshStatisticsEveryMs = 60_000;

export function projectStatistics(projectID: string) {
  return queryOptions({
    queryKey: [projectID, 'statistics'],
    queryFn: ({ signal }) =>
      unwrap(api.GET('/projects/{projectID}/bpmn/statistics', { params: { path: { projectID } }, signal })),
    refetchInterval: refreshEveryMs,
  });
}

/** Of all processes by hour. @param range of at most a week */
export function useStatisticsTrend(range: Range) {
  const { id: projectID } = useProject();
  return useQuery({
    queryKey: [projectID, 'statistics', 'trend', range.id],
    queryFn: ({ signal }) => {
      const { since, until } = spanOf(range, Date.now());
      return unwrap(
        api.GET('/projects/{projectID}/bpmn/statistics/trend', {
          params: { path: { projectID }, query: { since, until } },
          signal,
        }),
      );
    },
    placeholderData: keepPreviousData,
    refetchInterval: refreshStatisticsEveryMs,
  });
}

/** @param version undefined if none is wanted */
export function useVersionStatistics(processID: string, version: number | undefined, range: Range) {
  const { id: projectID } = useProject();
  return useQuery({
    queryKey: [projectID, 'processes', processID, 'statistics', version, range.id],
    queryFn: ({ signal }) =>
      unwrap(
        api.GET('/projects/{projectID}/bpmn/processes/{processID}/statistics', {
          params: { path: { projectID, processID }, query: { ...spanOf(range, Date.now()), version } },
          signal,
        }),
      ),
    enabled: version !== undefined,
    placeholderData: keepPreviousData,
    refetchInterval: refreshStatisticsEveryMs,
  });
}

export function useTargets(processID: string) {
  const { id: projectID } = useProject();
  return useQuery({
    queryKey: [projectID, 'processes', processID, 'targets'],
    queryFn: ({ signal }) =>
      unwrap(
        api.GET('/projects/{projectID}/bpmn/processes/{processID}/targets', {
          params: { path: { projectID, processID } },
          signal,
        }),
      ),
  });
}
