/** The file of the version that a backtest compares with. */
import { useQuery } from '@tanstack/react-query';
import { unwrap, api } from '../../frame/api/client.js';
import { useProject } from '../../frame/project/project.js';
import { useDefinitionXml } from '../diagram/use-definition.js';
import type { Backtest } from './backtest-query.js';

/** A draft may have changed since, or be gone. */
export function useCandidateXml({ definitionID, resourceID }: Backtest): { data: string | undefined } {
  const { id: projectID } = useProject();
  const ofVersion = useDefinitionXml(definitionID);
  const ofDraft = useQuery({
    queryKey: [projectID, 'resource', resourceID, 'xml of a backtest'],
    queryFn: ({ signal }) =>
      unwrap(
        api.GET('/projects/{projectID}/bpmn/resources/{resourceID}', {
          params: { path: { projectID, resourceID: resourceID! } },
          signal,
        }),
      ),
    enabled: resourceID !== undefined,
    retry: false,
  });
  return { data: ofVersion.data ?? ofDraft.data?.xml };
}
