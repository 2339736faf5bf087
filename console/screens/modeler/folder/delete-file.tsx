/** Deletes a draft, or discards a file that only this browser has. */
import { useMutation } from '@tanstack/react-query';
import { useNavigate } from 'react-router';
import { FormDialog } from '../../../components/dialogs/form-dialog.js';
import { useToasts } from '../../../components/feedback/toast.js';
import { keyOfCopy, removeCopy } from '../../../features/modeler/copies/local-copies.js';
import { modelerOf } from '../../../features/modeler/files/addresses.js';
import type { FolderFile } from '../../../features/modeler/files/folder-file.js';
import { ApiProblem, api, unwrap } from '../../../frame/api/client.js';
import { useProject } from '../../../frame/project/project.js';
import { useFolder } from './use-folder.js';

interface DeleteFileProps {
  file: FolderFile;
  shownID: string;
  onClose(): void;
}

export function DeleteFile({ file: { resourceID, name, isDraft }, shownID, onClose }: DeleteFileProps) {
  const { id: projectID } = useProject();
  const { files, openFiles, subject, note } = useFolder();
  const toasts = useToasts();
  const navigate = useNavigate();
  const remove = useMutation({
    mutationFn: () => (isDraft ? deleteDraft(projectID, resourceID) : Promise.resolve()),
    onSuccess: async () => {
      openFiles.state().files.get(resourceID)?.finish();
      await removeCopy(keyOfCopy(subject, projectID, resourceID));
      const next = files.find((file) => file.resourceID !== resourceID);
      const project = `/projects/${encodeURIComponent(projectID)}`;
      onClose();
      if (resourceID === shownID)
        await navigate(next ? modelerOf(projectID, next.resourceID) : `${project}/deploy`, { replace: true });
      openFiles.close(resourceID);
      note(resourceID, undefined);
      toasts.done(`${name} ${isDraft ? 'deleted' : 'discarded'}.`);
    },
  });
  return (
    <FormDialog
      title={isDraft ? `Delete the draft ${name}?` : `Discard ${name}?`}
      submitLabel={isDraft ? 'Delete' : 'Discard'}
      isDangerous
      isBusy={remove.isPending}
      error={remove.error}
      onSubmit={() => remove.mutate()}
      onClose={onClose}
    >
      <p>
        {isDraft
          ? 'This cannot be undone. Its tests are canceled and deleted. Versions that are deployed stay.'
          : 'Its edits are lost, because no draft has them.'}
      </p>
    </FormDialog>
  );
}

/** Also a draft that another person has deleted is deleted. */
async function deleteDraft(projectID: string, resourceID: string): Promise<void> {
  try {
    await unwrap(
      api.DELETE('/projects/{projectID}/bpmn/resources/{resourceID}', { params: { path: { projectID, resourceID } } }),
    );
  } catch (error) {
    if (!(error instanceof ApiProblem && error.status === 404)) throw error;
  }
}
