/** A draft that another person saved first: their changes, and the choices. No choice overwrites their changes. */
import { useQuery } from '@tanstack/react-query';
import { useMemo, useState } from 'react';
import { Button } from '../../components/basics/button.js';
import { Dialog } from '../../components/dialogs/dialog.js';
import { Refusal } from '../../components/dialogs/form-dialog.js';
import { Banner } from '../../components/feedback/banner.js';
import { ErrorState, Loading } from '../../components/feedback/states.js';
import { ChangeList } from '../../features/modeler/changes/change-list.js';
import type { Change } from '../../features/modeler/changes/changes.js';
import { ChangedLines } from '../../features/modeler/changes/changed-lines.js';
import { ComparedDiagrams } from '../../features/modeler/changes/compared-diagrams.js';
import type { Editing } from '../../features/modeler/editing.js';
import { nameOfCopy, type FileKind } from '../../features/modeler/files/kinds.js';
import { compareInThread } from '../../features/modeler/thread/checker.js';
import { startThread } from '../../features/modeler/thread/start-thread.js';
import { useProject } from '../../frame/project/project.js';
import { readDraft, type SavedDraft } from './opened-file.js';
import type { Saving } from './use-saving.js';

/** Of elements in a sentence. */
const MAX_NAMES = 10;

interface ConflictDialogProps {
  /** As it was read or saved last in this page. */
  draft: SavedDraft;
  /** The name of the edited file. */
  name: string;
  kind: FileKind;
  editing: Editing;
  saving: Saving;
  onLoadTheirs(): void;
}

export function ConflictDialog({ draft, name, kind, editing, saving, onLoadTheirs }: ConflictDialogProps) {
  const theirs = useTheirs(draft, kind, editing);
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
        Your edits are not saved, because another person, or you in another tab, saved the draft first. Load it as it is
        now, or save yours as another draft, {copyName}, and combine them.
      </p>
      {theirs.data && <Theirs before={draft.xml} theirs={theirs.data} />}
      {theirs.isPending && <Loading lines={3} label="Comparing the files" />}
      {theirs.isError && <ErrorState error={theirs.error} retry={() => void theirs.refetch()} />}
      <Refusal error={saving.copyError} />
    </Dialog>
  );
}

/** The draft on the host, how it differs from what was read before, and which of these elements were edited here. */
function useTheirs({ resourceID, xml, tag }: SavedDraft, kind: FileKind, editing: Editing) {
  const { id: projectID } = useProject();
  return useQuery({
    queryKey: [projectID, 'theirs', resourceID, tag],
    queryFn: async ({ signal }) => {
      const [theirs, mine] = await Promise.all([readDraft(projectID, resourceID, signal), editing.read()]);
      if (kind !== 'BPMN') return { xml: theirs.xml, changes: undefined, common: [] };
      const [changes, own] = await Promise.all([
        compareInThread(startThread(), xml, theirs.xml),
        // A text that is not BPMN has no elements.
        compareInThread(startThread(), xml, mine).catch(() => []),
      ]);
      const edited = new Set(own.map(({ id }) => id));
      return { xml: theirs.xml, changes, common: changes.filter(({ id }) => edited.has(id)) };
    },
    staleTime: 'static',
    gcTime: 0,
    retry: false,
  });
}

interface TheirsProps {
  /** The file before their changes. */
  before: string;
  theirs: NonNullable<ReturnType<typeof useTheirs>['data']>;
}

function Theirs({ before, theirs: { xml, changes, common } }: TheirsProps) {
  const [shown, show] = useState<string>();
  if (changes === undefined) return <ChangedLines before={before} after={xml} />;
  return (
    <>
      {common.length > 0 && (
        <Banner tone="amber" icon="alert" title="You changed these elements too:">
          {sentenceOfElements(common)}
        </Banner>
      )}
      <ChangeList changes={changes} onSelect={show} />
      {changes.length > 0 && (
        <ComparedDiagrams
          before={{ title: 'Before their changes', xml: before }}
          after={{ title: 'With their changes', xml }}
          changes={changes}
          selected={shown}
          onSelect={show}
          isInDialog
        />
      )}
    </>
  );
}

function sentenceOfElements(changes: readonly Change[]): string {
  const names = changes.slice(0, MAX_NAMES).map(({ id, name }) => name ?? id);
  const others = changes.length - names.length;
  return `${names.join(', ')}${others > 0 ? ` and ${others.toLocaleString('en')} more` : ''}.`;
}
