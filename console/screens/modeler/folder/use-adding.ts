/** Takes files into the folder: models become drafts, and scenarios stay in this browser. */
import { modelKind } from '@perdure/lib/model-files/kind.js';
import { useMutation } from '@tanstack/react-query';
import { useNavigate } from 'react-router';
import { sentenceOf } from '../../../components/feedback/states.js';
import { useToasts } from '../../../components/feedback/toast.js';
import { addScenarios, keyOfScenarios } from '../../../features/modeler/copies/local-scenarios.js';
import { processOf } from '../../../features/modeler/copies/scenario-limits.js';
import { modelerOf } from '../../../features/modeler/files/addresses.js';
import type { FolderFile } from '../../../features/modeler/files/folder-file.js';
import { kindOf } from '../../../features/modeler/files/kinds.js';
import { useProject } from '../../../frame/project/project.js';
import { readFile } from '../../deploy/read-file.js';
import { createDraft } from '../opened-file.js';
import { useFolder } from './use-folder.js';

/** As many as one deployment takes. */
const MAX_FILES = 100;
const MAX_MEGABYTES = 20;

export function useAdding() {
  const { id: projectID } = useProject();
  const { subject, note, noteScenarios } = useFolder();
  const toasts = useToasts();
  const navigate = useNavigate();
  const add = useMutation({
    mutationFn: async (files: readonly File[]) => {
      refuseTooMuch(files);
      const drafts: string[] = [];
      const failures: string[] = [];
      for (const file of files) {
        try {
          const draft = await addFile({ projectID, subject }, file);
          if (draft === undefined) continue;
          note(draft.resourceID, draft);
          drafts.push(draft.resourceID);
        } catch (error) {
          failures.push(`${file.name}: ${sentenceOf(error)}`);
        }
      }
      noteScenarios();
      return { drafts, failures, count: files.length - failures.length };
    },
    onSuccess: async ({ drafts: [first], count }) => {
      if (count > 0) toasts.done(count === 1 ? '1 file added.' : `${count} files added.`);
      if (first !== undefined) await navigate(modelerOf(projectID, first));
    },
  });
  const failures = add.data?.failures ?? [];
  return {
    add: (files: readonly File[]) => {
      if (files.length > 0) add.mutate(files);
    },
    isBusy: add.isPending,
    error: add.error ?? (failures.length > 0 ? new Error(failures.join(' ')) : undefined),
  };
}

function refuseTooMuch(files: readonly File[]): void {
  if (files.length > MAX_FILES) throw new Error(`Add at most ${MAX_FILES} files at a time, not ${files.length}.`);
  const bytes = files.reduce((sum, { size }) => sum + size, 0);
  if (bytes > MAX_MEGABYTES * 1024 * 1024) throw new Error(`Add at most ${MAX_MEGABYTES} MiB at a time.`);
}

/** @returns the draft; undefined for a scenario */
async function addFile(owner: { projectID: string; subject: string }, file: File): Promise<FolderFile | undefined> {
  const { name, xml } = await readFile(file);
  if (/\.scenario\.json$/i.test(name)) {
    const scenario = { file: name, text: xml };
    const key = keyOfScenarios(owner.subject, owner.projectID, processOf(scenario));
    await addScenarios(key, [scenario], Date.now());
    return undefined;
  }
  if (modelKind(name) === 'TEMPLATE') throw new Error('Element templates cannot be drafts. Deploy it instead.');
  const draft = await createDraft(owner.projectID, { name, xml });
  return {
    resourceID: draft.resourceID,
    name: draft.name,
    kind: kindOf(draft.name, draft.xml),
    text: draft.xml,
    isUnsaved: false,
    isDraft: true,
  };
}
