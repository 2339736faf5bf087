/** The BPMN file of a definition, and its model. */
import { useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import { unwrap, api } from '../../frame/api/client.js';
import { useProject } from '../../frame/project/project.js';
import { emptyModel, readModel } from './model.js';
import type { Model } from './model.js';

/** The file of a definition, which never changes. */
export function useDefinitionXml(definitionID: string | undefined) {
  const { id: projectID } = useProject();
  return useQuery({
    queryKey: [projectID, 'definition', definitionID, 'xml'],
    queryFn: ({ signal }) =>
      unwrap(
        api.GET('/projects/{projectID}/bpmn/definitions/{definitionID}/xml', {
          params: { path: { projectID, definitionID: definitionID! } },
          parseAs: 'text',
          signal,
        }),
      ),
    enabled: definitionID !== undefined,
    staleTime: Infinity,
  });
}

/** Empty until the file is loaded. */
export function useModel(xml: string | undefined): Model {
  return useMemo(() => (xml === undefined ? emptyModel : readModel(xml)), [xml]);
}
