/** Actions on a draft other than deploying it: play, try, compare with history, replace, and delete it. */
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { unwrap, api } from '../../frame/api/client.js';
import type { Schemas } from '../../frame/api/client.js';
import { Button, ButtonLink } from '../../components/basics/button.js';
import { TextField } from '../../components/fields/field.js';
import { FormDialog } from '../../components/dialogs/form-dialog.js';
import { useToasts } from '../../components/feedback/toast.js';
import { useAddress } from '../../frame/layout/use-address.js';
import { useProject } from '../../frame/project/project.js';
import { CompareDialog } from '../../features/backtests/compare-dialog.js';
import { modelerOf } from '../../features/modeler/files/addresses.js';
import { playOf } from '../../features/play/addresses.js';
import { readFile } from './read-file.js';
import { TryDraft } from './try-draft.js';

type Draft = Pick<Schemas['BpmnResourceDetail'], 'id' | 'name'>;

interface DialogProps {
  draft: Draft;
  onClose(): void;
}

interface DraftActionsProps {
  draft: Draft;
  processIDs: readonly string[];
  /** Whether it can be deployed. */
  isSound: boolean;
}

export function DraftActions({ draft, processIDs, isSound }: DraftActionsProps) {
  const { id: projectID } = useProject();
  const [dialog, open] = useState<'try' | 'compare' | 'replace' | 'delete'>();
  const close = () => open(undefined);
  return (
    <>
      {isSound && (
        <ButtonLink icon="play" to={playOf(projectID, { resource: draft.id })}>
          Play
        </ButtonLink>
      )}
      <Button icon="play" disabled={!isSound} onClick={() => open('try')}>
        Try it
      </Button>
      <ButtonLink icon="edit" to={modelerOf(projectID, draft.id)}>
        Edit
      </ButtonLink>
      <Button icon="backtests" disabled={!isSound} onClick={() => open('compare')}>
        Compare with history
      </Button>
      <Button icon="deploy" onClick={() => open('replace')}>
        Replace
      </Button>
      <Button kind="danger" icon="close" onClick={() => open('delete')}>
        Delete
      </Button>
      {dialog === 'try' && <TryDraft resourceID={draft.id} name={draft.name} processIDs={processIDs} onClose={close} />}
      {dialog === 'compare' && (
        <CompareDialog name={draft.name} compared={{ resourceID: draft.id, processIDs }} onClose={close} />
      )}
      {dialog === 'replace' && <ReplaceDialog draft={draft} onClose={close} />}
      {dialog === 'delete' && <DeleteDialog draft={draft} onClose={close} />}
    </>
  );
}

function ReplaceDialog({ draft: { id: resourceID, name }, onClose }: DialogProps) {
  const { id: projectID } = useProject();
  const toasts = useToasts();
  const [file, setFile] = useState<File>();
  const replace = useMutation({
    mutationFn: async (chosen: File) =>
      unwrap(
        api.PUT('/projects/{projectID}/bpmn/resources/{resourceID}', {
          params: { path: { projectID, resourceID } },
          body: await readFile(chosen),
        }),
      ),
    onSuccess: (draft) => {
      toasts.done(`Draft replaced with ${draft.name}.`);
      onClose();
    },
  });
  return (
    <FormDialog
      title={`Replace the draft ${name}`}
      submitLabel="Replace"
      isBusy={replace.isPending}
      isIncomplete={file === undefined}
      error={replace.error}
      onSubmit={() => file && replace.mutate(file)}
      onClose={onClose}
    >
      <p>The new file replaces the draft, including its name. The current content is lost.</p>
      <TextField
        label="New file"
        type="file"
        accept=".bpmn,.xml"
        onChange={({ target }) => setFile(target.files?.[0])}
      />
    </FormDialog>
  );
}

export function DeleteDialog({ draft: { id: resourceID, name }, onClose }: DialogProps) {
  const { id: projectID } = useProject();
  const toasts = useToasts();
  const address = useAddress();
  const remove = useMutation({
    mutationFn: () =>
      unwrap(
        api.DELETE('/projects/{projectID}/bpmn/resources/{resourceID}', {
          params: { path: { projectID, resourceID } },
        }),
      ),
    onSuccess: () => {
      toasts.done(`Draft ${name} deleted.`);
      address.set({ resource: undefined });
    },
  });
  return (
    <FormDialog
      title={`Delete the draft ${name}?`}
      submitLabel="Delete"
      isDangerous
      isBusy={remove.isPending}
      error={remove.error}
      onSubmit={() => remove.mutate()}
      onClose={onClose}
    >
      <p>This cannot be undone. Its tests are canceled and deleted.</p>
    </FormDialog>
  );
}
