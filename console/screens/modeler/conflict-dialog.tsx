/** Another person changed the draft: what they changed, and what can be done. Nothing of theirs is overwritten. */
import { useQuery } from '@tanstack/react-query';
import { useMemo, useState } from 'react';
import { Button } from '../../components/basics/button.js';
import { Dialog } from '../../components/dialogs/dialog.js';
import { Refusal } from '../../components/dialogs/form-dialog.js';
import { ErrorState, Loading } from '../../components/feedback/states.js';
import { Diagram } from '../../features/diagram/diagram.js';
import { DiagramRoom } from '../../features/diagram/diagram-room.js';
import { ChangeList } from '../../features/modeler/changes/change-list.js';
import { compareInThread } from '../../features/modeler/thread/checker.js';
import { startThread } from '../../features/modeler/thread/start-thread.js';
import { useProject } from '../../frame/project/project.js';
import { readDraft, type SavedDraft } from './opened-file.js';
import type { Saving } from './use-saving.js';

interface ConflictDialogProps {
  /** As it was read or saved last in this page. */
  draft: SavedDraft;
  /** The name of the edited file. */
  name: string;
  saving: Saving;
  onLoadTheirs(): void;
}

export function ConflictDialog({ draft, name, saving, onLoadTheirs }: ConflictDialogProps) {
  const theirs = useTheirs(draft);
  const copyName = useMemo(() => nameOfCopy(name), [name]);
  return (
    <Dialog
      title={`Another person changed ${draft.name}`}
      isWide
      onClose={saving.forgetConflict}
      footer={
        <>
          <Button onClick={saving.forgetConflict}>Keep editing</Button>
          <Button kind="danger" onClick={onLoadTheirs}>
            Load theirs, discard mine
          </Button>
          <Button kind="primary" isBusy={saving.isBusy} onClick={() => saving.saveAsCopy(copyName)}>
            Save mine as a copy
          </Button>
        </>
      }
    >
      <p>
        Your edits are not saved. Load the draft as it is now, or save yours as another draft, {copyName}, and combine
        them.
      </p>
      {theirs.data && <Theirs {...theirs.data} />}
      {theirs.isPending && <Loading lines={3} label="Comparing the files" />}
      {theirs.isError && <ErrorState error={theirs.error} retry={() => void theirs.refetch()} />}
      <Refusal error={saving.copyError} />
    </Dialog>
  );
}

/** The draft on the host, and how it differs from what was read before. */
function useTheirs({ resourceID, xml, tag }: SavedDraft) {
  const { id: projectID } = useProject();
  return useQuery({
    queryKey: [projectID, 'theirs', resourceID, tag],
    queryFn: async ({ signal }) => {
      const theirs = await readDraft(projectID, resourceID, signal);
      return { xml: theirs.xml, changes: await compareInThread(startThread(), xml, theirs.xml) };
    },
    staleTime: 'static',
    gcTime: 0,
    retry: false,
  });
}

function Theirs({ xml, changes }: NonNullable<ReturnType<typeof useTheirs>['data']>) {
  const [shown, show] = useState<string>();
  const selected = useMemo(() => (shown === undefined ? changes.map(({ id }) => id) : [shown]), [shown, changes]);
  return (
    <>
      <ChangeList changes={changes} onSelect={show} />
      <DiagramRoom isInDialog>
        <Diagram xml={xml} selected={selected} label="Their version" />
      </DiagramRoom>
    </>
  );
}

function nameOfCopy(name: string): string {
  return /\.bpmn$/i.test(name) ? name.replace(/\.bpmn$/i, ' (copy).bpmn') : `${name} (copy)`;
}
