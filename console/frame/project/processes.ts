/** The processes of the project and their versions. */
import { useQuery } from '@tanstack/react-query';
import { unwrap, api } from '../api/client.js';
import { useProject } from './project.js';

export function useProcesses() {
  const { id: projectID } = useProject();
  return useQuery({
    queryKey: [projectID, 'processes', 'first'],
    queryFn: ({ signal }) =>
      unwrap(
        api.GET('/projects/{projectID}/bpmn/processes', {
          params: { path: { projectID }, query: { pageSize: 100 } },
          signal,
        }),
      ),
  });
}

/** The newest first. */
export function useVersions(processID: string | undefined) {
  const { id: projectID } = useProject();
  return useQuery({
    queryKey: [projectID, 'processes', processID, 'versions'],
    queryFn: ({ signal }) =>
      unwrap(
        api.GET('/projects/{projectID}/bpmn/processes/{processID}/versions', {
          params: { path: { projectID, processID: processID! }, query: { pageSize: 100 } },
          signal,
        }),
      ),
    enabled: processID !== undefined,
  });
}
