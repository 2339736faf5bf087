import { unwrap, api } from '../../frame/api/client.js';
import type { Schemas } from '../../frame/api/client.js';
import { useCommand } from '../../frame/api/use-command.js';
import { useProject } from '../../frame/project/project.js';

/** The command that completes a task with variables. */
export function useCompletion({ executionKey }: Schemas['UserTask'], name: string, onDone: () => void) {
  const { id: projectID } = useProject();
  return useCommand(
    `${name} completed.`,
    (variables: Record<string, unknown>) =>
      unwrap(
        api.POST('/projects/{projectID}/bpmn/user-tasks/{executionKey}/complete', {
          params: { path: { projectID, executionKey } },
          body: { variables },
        }),
      ),
    onDone,
  );
}
