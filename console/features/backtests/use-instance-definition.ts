import { useQuery } from '@tanstack/react-query';
import { api, unwrap } from '../../frame/api/client.js';
import { useProject } from '../../frame/project/project.js';

/** The version that the instance ran. */
export function useInstanceDefinition(workflowID: string): string | undefined {
  const { id: projectID } = useProject();
  const { data } = useQuery({
    queryKey: [projectID, 'instance', workflowID, 'of a backtest'],
    queryFn: ({ signal }) =>
      unwrap(
        api.GET('/projects/{projectID}/bpmn/instances/{workflowID}', {
          params: { path: { projectID, workflowID } },
          signal,
        }),
      ),
    staleTime: Infinity,
  });
  return data?.definitionID;
}
