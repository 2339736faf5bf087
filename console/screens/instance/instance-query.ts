import { queryOptions } from '@tanstack/react-query';
import { unwrap, api } from '../../frame/api/client.js';
import type { Schemas } from '../../frame/api/client.js';

export type InstanceState = Schemas['BpmnInstanceState'];

export const refreshEveryMs = 3_000;

/** The state of an instance, refreshed while it runs. */
export function instanceQuery(projectID: string, workflowID: string) {
  return queryOptions<InstanceState>({
    queryKey: [projectID, 'instance', workflowID],
    queryFn: ({ signal }) =>
      unwrap(
        api.GET('/projects/{projectID}/bpmn/instances/{workflowID}', {
          params: { path: { projectID, workflowID } },
          signal,
        }),
      ),
    refetchInterval: ({ state }) => (state.data?.status === 'RUNNING' ? refreshEveryMs : false),
  });
}
