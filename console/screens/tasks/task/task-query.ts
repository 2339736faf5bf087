import { queryOptions } from '@tanstack/react-query';
import { unwrap, api } from '../../../frame/api/client.js';
import type { Schemas } from '../../../frame/api/client.js';

export type Task = Schemas['UserTask'];

export const refreshEveryMs = 8_000;

/**
 * A task, refreshed while it is open.
 *
 * @param pollEveryMs milliseconds between refreshes, or false for none
 */
export function taskQuery(projectID: string, executionKey: string, pollEveryMs: number | false) {
  return queryOptions<Task>({
    queryKey: [projectID, 'task', executionKey],
    queryFn: ({ signal }) =>
      unwrap(
        api.GET('/projects/{projectID}/bpmn/user-tasks/{executionKey}', {
          params: { path: { projectID, executionKey } },
          signal,
        }),
      ),
    refetchInterval: ({ state }) => (state.data?.status === 'CREATED' ? pollEveryMs : false),
  });
}
