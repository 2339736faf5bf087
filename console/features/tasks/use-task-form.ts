import { useQuery } from '@tanstack/react-query';
import { unwrap, api } from '../../frame/api/client.js';
import type { Schemas } from '../../frame/api/client.js';
import { useProject } from '../../frame/project/project.js';

/** The form of a task, embedded or deployed; null without a form. */
export function useTaskForm(executionKey: string) {
  const { id: projectID } = useProject();
  return useQuery({
    queryKey: [projectID, 'form', 'task', executionKey],
    queryFn: async ({ signal }) => {
      const form: Schemas['BpmnForm'] | undefined = await unwrap(
        api.GET('/projects/{projectID}/bpmn/user-tasks/{executionKey}/form', {
          params: { path: { projectID, executionKey } },
          signal,
        }),
      );
      // 204 has no body, and a query must have data.
      return form ?? null;
    },
    // An open form keeps its input. The next form fetches the variables again.
    staleTime: Infinity,
    gcTime: 0,
  });
}
