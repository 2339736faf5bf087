/** Saves the edited file: into its draft if that is unchanged on the host, or as a new draft. */
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { useNavigate } from 'react-router';
import { useToasts } from '../../components/feedback/toast.js';
import { modelerOf } from '../../features/modeler/files/addresses.js';
import type { Editing } from '../../features/modeler/editing.js';
import { keyOfCopy, removeCopy, storeCopy } from '../../features/modeler/copies/local-copies.js';
import { ApiProblem } from '../../frame/api/client.js';
import { useProject } from '../../frame/project/project.js';
import { useFolder } from './folder/use-folder.js';
import { createDraft, updateDraft, type OpenedFile, type SavedDraft } from './opened-file.js';

export function useSaving(file: OpenedFile, editing: Editing, name: string) {
  const { id: projectID } = useProject();
  const { openFiles } = useFolder();
  const toasts = useToasts();
  const navigate = useNavigate();
  const [draft, setDraft] = useState<SavedDraft | undefined>(file.draft);
  const create = useMutation({
    mutationFn: async (asName: string) => {
      const xml = await editing.read();
      return { created: await createDraft(projectID, { name: asName, xml }), sent: xml };
    },
    onSuccess: async ({ created: { resourceID, name: created, xml, tag }, sent }) => {
      const now = await editing.read();
      editing.finish();
      await removeCopy(file.copyKey);
      const key = keyOfCopy(file.subject, projectID, resourceID);
      // Edits that were made during the request continue in the new draft.
      if (now !== sent) await storeCopy({ key, name: created, xml: now, base: xml, tag, at: Date.now() });
      toasts.done(`${created} saved as a draft.`);
      await navigate(modelerOf(projectID, resourceID), { replace: true });
      openFiles.close(file.resourceID);
    },
  });
  const update = useMutation({
    mutationFn: async (current: SavedDraft) => {
      const xml = await editing.read();
      // The host may write the declaration of the encoding in another way.
      return { ...(await updateDraft(projectID, current, { name, xml })), xml };
    },
    onSuccess: (saved) => {
      setDraft(saved);
      toasts.done(`${saved.name} saved.`);
    },
  });
  const refusal = update.error;
  const forgetErrors = () => {
    create.reset();
    update.reset();
  };
  return {
    draft,
    isBusy: create.isPending || update.isPending,
    /** Why the draft cannot be saved. */
    error: create.error ?? refusal,
    /** Why it cannot be saved as a new draft. */
    copyError: create.error,
    /** Whether another person changed the draft. */
    isConflict: refusal instanceof ApiProblem && refusal.code === 'PRECONDITION_FAILED',
    forgetConflict: forgetErrors,
    save: () => {
      forgetErrors();
      if (draft === undefined) create.mutate(name);
      else update.mutate(draft);
    },
    saveAsCopy: (asName: string) => create.mutate(asName),
  };
}

export type Saving = ReturnType<typeof useSaving>;
