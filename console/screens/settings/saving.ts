/** Saves settings of the project. The page has what was saved at once, before it reads them again. */
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { api, unwrap, type Schemas } from '../../frame/api/client.js';
import { useProject } from '../../frame/project/project.js';

export type Changes = Schemas['ChangeProjectSettingsRequest'];

export function settingsKey(projectID: string): readonly [projectID: string, 'settings'] {
  return [projectID, 'settings'];
}

export function useSaving(onSaved: () => void) {
  const { id: projectID } = useProject();
  const queries = useQueryClient();
  return useMutation({
    mutationFn: (body: Changes) =>
      unwrap(api.PATCH('/projects/{projectID}/settings', { params: { path: { projectID } }, body })),
    onSuccess: (saved) => {
      queries.setQueryData(settingsKey(projectID), saved);
      onSaved();
    },
  });
}
