/** Names of variables for completion. */
import { useQuery } from '@tanstack/react-query';
import { unwrap, api } from '../../frame/api/client.js';
import { useProject } from '../../frame/project/project.js';

/** More than one, because some instances lack variables that others have. */
const sampleSize = 5;

/** The names in the newest instances of the version, which are good enough for completion. */
export function useVariableNames(definitionID: string | undefined): readonly string[] | undefined {
  const { id: projectID } = useProject();
  const { data } = useQuery({
    queryKey: [projectID, 'definition', definitionID, 'variable names'],
    queryFn: async ({ signal }) => {
      const { data: newest } = await unwrap(
        api.GET('/projects/{projectID}/bpmn/instances', {
          params: { path: { projectID }, query: { definitionID, pageSize: sampleSize } },
          signal,
        }),
      );
      const answers = await Promise.all(
        newest.map(({ workflowID }) =>
          unwrap(
            api.GET('/projects/{projectID}/bpmn/instances/{workflowID}/variables', {
              params: { path: { projectID, workflowID } },
              signal,
            }),
          ),
        ),
      );
      return [...new Set(answers.flatMap(({ variables }) => Object.keys(variables)))].sort();
    },
    enabled: definitionID !== undefined,
    staleTime: 60_000,
  });
  return data;
}
