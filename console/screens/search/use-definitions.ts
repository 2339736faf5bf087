/** What can be searched: processes, their versions, and the names of the variables in them. */
import { useQuery } from '@tanstack/react-query';
import { answerOf, api } from '../../api/client.js';
import { useProject } from '../../project/project.js';

export function useProcesses() {
  const { id: projectID } = useProject();
  return useQuery({
    queryKey: [projectID, 'processes', 'first'],
    queryFn: ({ signal }) => answerOf(api.GET('/projects/{projectID}/bpmn/processes', { params: { path: { projectID }, query: { pageSize: 100 } }, signal })),
  });
}

/** The newest first. */
export function useVersions(processID: string | undefined) {
  const { id: projectID } = useProject();
  return useQuery({
    queryKey: [projectID, 'processes', processID, 'versions'],
    queryFn: ({ signal }) => answerOf(api.GET('/projects/{projectID}/bpmn/processes/{processID}/versions', { params: { path: { projectID, processID: processID! }, query: { pageSize: 100 } }, signal })),
    enabled: processID !== undefined,
  });
}

/** Enough to meet the variables that only some instances have. */
const sampleSize = 5;

/** As the newest instances of the version have them; a guess that is good enough for completion. */
export function useVariableNames(definitionID: string | undefined): readonly string[] | undefined {
  const { id: projectID } = useProject();
  const { data } = useQuery({
    queryKey: [projectID, 'definition', definitionID, 'variable names'],
    queryFn: async ({ signal }) => {
      const { data: newest } = await answerOf(api.GET('/projects/{projectID}/bpmn/instances', { params: { path: { projectID }, query: { definitionID, pageSize: sampleSize } }, signal }));
      const answers = await Promise.all(newest.map(({ workflowID }) => answerOf(api.GET('/projects/{projectID}/bpmn/instances/{workflowID}/variables', { params: { path: { projectID, workflowID } }, signal }))));
      return [...new Set(answers.flatMap(({ variables }) => Object.keys(variables)))].sort();
    },
    enabled: definitionID !== undefined,
    staleTime: 60_000,
  });
  return data;
}
