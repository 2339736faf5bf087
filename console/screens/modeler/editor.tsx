/** One file in the modeler: its drawing, its tables, or its text, and what is found in it. */
import { useState, useSyncExternalStore } from 'react';
import { Badge } from '../../components/values/badge.js';
import { Button, ButtonLink, IconButton } from '../../components/basics/button.js';
import { Card } from '../../components/basics/card.js';
import { Segments } from '../../components/basics/segments.js';
import { Refusal } from '../../components/dialogs/form-dialog.js';
import { Banner } from '../../components/feedback/banner.js';
import { sentenceOf } from '../../components/feedback/states.js';
import { TextField } from '../../components/fields/field.js';
import { Time } from '../../components/values/time.js';
import { sourceOf } from '../../features/modeler/files/addresses.js';
import { Editing, type EditingState } from '../../features/modeler/editing.js';
import { editorKinds } from '../../features/modeler/editor-kinds.js';
import type { FileKind } from '../../features/modeler/files/kinds.js';
import { playOf } from '../../features/play/addresses.js';
import { Page } from '../../frame/layout/page.js';
import { useProject } from '../../frame/project/project.js';
import { ConflictDialog } from './conflict-dialog.js';
import { useImports } from './decisions/use-imports.js';
import { ShownOnly } from './decisions/shown-only.js';
import { TryOut } from './decisions/try-out.js';
import { DeployDialog } from './deploy-dialog.js';
import { Findings } from './findings/findings.js';
import { FormWorkspace } from './form-workspace.js';
import styles from './modeler.module.css';
import type { OpenedFile } from './opened-file.js';
import { useProblems } from './findings/use-problems.js';
import { useLocalCopy, useReport } from './use-local-copy.js';
import { useSaving, type Saving } from './use-saving.js';
import { useTemplates } from './use-templates.js';
import { Workspace, type Drawing } from './workspace.js';

/** The view of a file apart from its text; none for one that is edited as text only. */
const DRAWINGS: Readonly<Record<FileKind, Drawing | undefined>> = {
  BPMN: {
    label: 'Diagram',
    whyNot: 'The diagram cannot show this file.',
    whyLater: 'The diagram is large.',
  },
  DMN: {
    label: 'Decisions',
    whyNot: 'The decisions of this file are not shown.',
    whyLater: 'The file has many rules.',
  },
  FORM: undefined,
};

interface EditorProps {
  file: OpenedFile;
  /** Whether the page shows this file, and not another one. */
  isShown: boolean;
  /** Opens the file again, without the edits. */
  onReopen(): void;
}

export function Editor({ file, isShown, onReopen }: EditorProps) {
  const { id: projectID } = useProject();
  const [editing] = useState(() => new Editing(file.xml, editorKinds[file.kind]));
  const state = useSyncExternalStore(editing.subscribe, editing.state);
  const [name, setName] = useState(file.name);
  const saving = useSaving(file, editing, name.trim());
  const { draft } = saving;
  const [deployed, deploy] = useState<string>();
  const saved = draft ?? file;
  const isUnsaved = state.text !== saved.xml || name.trim() !== saved.name || (!draft && file.keptAt !== undefined);
  const canPlay = file.kind === 'BPMN' && (sourceOf(file.resourceID).from !== 'blank' || isUnsaved);
  const templateError = useTemplates(editing, file.kind);
  const edited = { file, editing, name: name.trim(), text: state.text, draft, isUnsaved };
  const isLost = useLocalCopy(edited);
  useReport(edited);
  const reopen = () => {
    editing.finish();
    onReopen();
  };
  return (
    <Page
      title={name.trim() || 'Modeler'}
      isHidden={!isShown}
      parent={{ label: 'Deploy', to: `/projects/${encodeURIComponent(projectID)}/deploy` }}
      marks={<SavedBadge isDraft={draft !== undefined} isUnsaved={isUnsaved} />}
      actions={
        <Actions
          kind={file.kind}
          editing={editing}
          state={state}
          saving={saving}
          isNameless={name.trim() === ''}
          play={canPlay ? playOf(projectID, { edited: file.resourceID }) : undefined}
          onDeploy={() => void editing.read().then(deploy)}
        />
      }
    >
      {file.keptAt !== undefined && isUnsaved && draft === file.draft && (
        <KeptBanner keptAt={file.keptAt} onDiscard={reopen} />
      )}
      {isLost && <LostBanner />}
      <TemplateError error={templateError} />
      {!saving.isConflict && <SaveRefusal saving={saving} name={name.trim()} />}
      <Card>
        <NameField name={name} onChange={setName} />
        <Content kind={file.kind} name={name.trim()} editing={editing} state={state} isShown={isShown} />
      </Card>
      {isShown && saving.isConflict && draft && (
        <ConflictDialog
          draft={draft}
          name={name.trim()}
          kind={file.kind}
          editing={editing}
          saving={saving}
          onLoadTheirs={reopen}
        />
      )}
      {isShown && deployed !== undefined && (
        <DeployDialog
          resourceID={file.resourceID}
          name={name.trim()}
          kind={file.kind}
          xml={deployed}
          onClose={() => deploy(undefined)}
        />
      )}
    </Page>
  );
}

function NameField({ name, onChange }: { name: string; onChange(name: string): void }) {
  return (
    <div className={styles.name}>
      <TextField
        label="File name"
        value={name}
        maxLength={255}
        problem={name.trim() === '' ? 'A file needs a name.' : undefined}
        onChange={({ target }) => onChange(target.value)}
      />
    </div>
  );
}

function LostBanner() {
  return (
    <Banner tone="amber" icon="alert" title="This browser does not keep your edits.">
      Save the draft before you close the page.
    </Banner>
  );
}

function TemplateError({ error }: { error: Error | null }) {
  if (error === null) return null;
  return (
    <Banner tone="amber" icon="alert" title="The element templates of the project are not offered.">
      {sentenceOf(error)}
    </Banner>
  );
}

function SavedBadge({ isDraft, isUnsaved }: { isDraft: boolean; isUnsaved: boolean }) {
  if (isUnsaved)
    return (
      <Badge tone="amber" icon="edit">
        Unsaved
      </Badge>
    );
  return isDraft ? (
    <Badge tone="green" icon="check">
      Saved
    </Badge>
  ) : (
    <Badge tone="grey">New</Badge>
  );
}

function KeptBanner({ keptAt, onDiscard }: { keptAt: number; onDiscard(): void }) {
  return (
    <Banner
      tone="blue"
      icon="edit"
      title="Your unsaved edits were restored."
      action={<Button onClick={onDiscard}>Discard edits</Button>}
    >
      Stored in this browser, <Time value={new Date(keptAt).toISOString()} />.
    </Banner>
  );
}

function SaveRefusal({ saving, name }: { saving: Saving; name: string }) {
  if (saving.error === null) return null;
  return (
    <div className={styles.refusal}>
      <Refusal error={saving.error} />
      {saving.draft && (
        <Button isBusy={saving.isBusy} onClick={() => saving.saveAsCopy(name)}>
          Save as a new draft
        </Button>
      )}
    </div>
  );
}

/** The file and what is found in it. */
function Content({ kind, name, editing, state, isShown }: PartProps & { name: string; isShown: boolean }) {
  const { text, shownPart } = state;
  const imported = useImports(kind, text);
  const result = useProblems(kind, text, imported);
  const decisions = result && 'decisions' in result ? result.decisions : undefined;
  return (
    <>
      {kind === 'FORM' ? (
        <FormWorkspace editing={editing} text={text} />
      ) : (
        <Workspace
          editing={editing}
          state={state}
          drawing={DRAWINGS[kind]!}
          isShown={isShown}
          side={
            kind === 'DMN' && (
              <TryOut editing={editing} decisions={decisions} imported={imported} text={text} shownPart={shownPart} />
            )
          }
        />
      )}
      {kind === 'DMN' && <ShownOnly editing={editing} state={state} />}
      <Findings kind={kind} name={name} editing={editing} state={state} result={result} isShown={isShown} />
    </>
  );
}

interface PartProps {
  kind: FileKind;
  editing: Editing;
  state: EditingState;
}

interface ActionsProps extends PartProps {
  saving: Saving;
  isNameless: boolean;
  /** Where the file is played as it is on the page. */
  play: string | undefined;
  onDeploy(): void;
}

function Actions({ kind, editing, state: { view, history }, saving, isNameless, play, onDeploy }: ActionsProps) {
  const drawing = DRAWINGS[kind];
  return (
    <>
      {view === 'drawing' && (
        <>
          <IconButton icon="undo" label="Undo" disabled={!history.canUndo} onClick={() => editing.undo()} />
          <IconButton icon="redo" label="Redo" disabled={!history.canRedo} onClick={() => editing.redo()} />
        </>
      )}
      {drawing !== undefined && (
        <Segments
          label="View"
          options={[
            { id: 'drawing', label: drawing.label },
            { id: 'text', label: 'XML' },
          ]}
          selected={view}
          onSelect={(next) => void editing.showView(next)}
        />
      )}
      {play !== undefined && (
        <ButtonLink icon="play" to={play}>
          Play
        </ButtonLink>
      )}
      <Button icon="check" isBusy={saving.isBusy} disabled={isNameless} onClick={saving.save}>
        Save
      </Button>
      <Button kind="primary" icon="deploy" disabled={isNameless} onClick={onDeploy}>
        Deploy
      </Button>
    </>
  );
}
