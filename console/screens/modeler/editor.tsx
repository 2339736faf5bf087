/** One file in the modeler: its diagram with the panel of properties, or its text, and what is found in it. */
import { useEffect, useRef, useState, useSyncExternalStore } from 'react';
import { Badge } from '../../components/values/badge.js';
import { Button, ButtonLink, IconButton } from '../../components/basics/button.js';
import { Card } from '../../components/basics/card.js';
import { Segments } from '../../components/basics/segments.js';
import { Refusal } from '../../components/dialogs/form-dialog.js';
import { Banner } from '../../components/feedback/banner.js';
import { Loading, sentenceOf } from '../../components/feedback/states.js';
import { TextArea, TextField } from '../../components/fields/field.js';
import { Time } from '../../components/values/time.js';
import { NEW } from '../../features/modeler/addresses.js';
import { Editing, type EditingState } from '../../features/modeler/editing.js';
import { playOf } from '../../features/play/addresses.js';
import { Page } from '../../frame/layout/page.js';
import { useProject } from '../../frame/project/project.js';
import { ConflictDialog } from './conflict-dialog.js';
import { DeployDialog } from './deploy-dialog.js';
import { Findings } from './findings.js';
import styles from './modeler.module.css';
import type { OpenedFile } from './opened-file.js';
import { useLocalCopy } from './use-local-copy.js';
import { useSaving, type Saving } from './use-saving.js';
import { useTemplates } from './use-templates.js';

const views = [
  { id: 'diagram', label: 'Diagram' },
  { id: 'xml', label: 'XML' },
] as const;

interface EditorProps {
  file: OpenedFile;
  /** Opens the file again, without the edits. */
  onReopen(): void;
}

export function Editor({ file, onReopen }: EditorProps) {
  const { id: projectID } = useProject();
  const [editing] = useState(() => new Editing(file.xml));
  const state = useSyncExternalStore(editing.subscribe, editing.state);
  const [name, setName] = useState(file.name);
  const saving = useSaving(file, editing, name.trim());
  const { draft } = saving;
  const [deployed, deploy] = useState<string>();
  const saved = draft ?? file;
  const isUnsaved = state.text !== saved.xml || name.trim() !== saved.name || (!draft && file.keptAt !== undefined);
  const templateError = useTemplates(editing);
  const isLost = useLocalCopy({ file, editing, name: name.trim(), text: state.text, draft, isUnsaved });
  const reopen = () => {
    editing.finish();
    onReopen();
  };
  return (
    <Page
      title={name.trim() || 'Modeler'}
      parent={{ label: 'Deploy', to: `/projects/${encodeURIComponent(projectID)}/deploy` }}
      marks={<SavedBadge isDraft={draft !== undefined} isUnsaved={isUnsaved} />}
      actions={
        <Actions
          editing={editing}
          state={state}
          saving={saving}
          isNameless={name.trim() === ''}
          play={file.resourceID === NEW && !isUnsaved ? undefined : playOf(projectID, { edited: file.resourceID })}
          onDeploy={() => void editing.read().then(deploy)}
        />
      }
    >
      {file.keptAt !== undefined && isUnsaved && draft === file.draft && (
        <KeptBanner keptAt={file.keptAt} onDiscard={reopen} />
      )}
      {isLost && (
        <Banner tone="amber" icon="alert" title="This browser does not keep your edits.">
          Save the draft before you close the page.
        </Banner>
      )}
      {templateError && (
        <Banner tone="amber" icon="alert" title="The element templates of the project are not offered.">
          {sentenceOf(templateError)}
        </Banner>
      )}
      {!saving.isConflict && <SaveRefusal saving={saving} name={name.trim()} />}
      <Card>
        <div className={styles.name}>
          <TextField
            label="File name"
            value={name}
            maxLength={255}
            problem={name.trim() === '' ? 'A file needs a name.' : undefined}
            onChange={({ target }) => setName(target.value)}
          />
        </div>
        <Workspace editing={editing} state={state} />
        <Findings editing={editing} state={state} name={name.trim()} />
      </Card>
      {saving.isConflict && draft && (
        <ConflictDialog draft={draft} name={name.trim()} editing={editing} saving={saving} onLoadTheirs={reopen} />
      )}
      {deployed !== undefined && <DeployDialog name={name.trim()} xml={deployed} onClose={() => deploy(undefined)} />}
    </Page>
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

interface PartProps {
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

function Actions({ editing, state: { view, history }, saving, isNameless, play, onDeploy }: ActionsProps) {
  return (
    <>
      {view === 'diagram' && (
        <>
          <IconButton icon="undo" label="Undo" disabled={!history.canUndo} onClick={() => editing.undo()} />
          <IconButton icon="redo" label="Redo" disabled={!history.canRedo} onClick={() => editing.redo()} />
        </>
      )}
      <Segments label="View" options={views} selected={view} onSelect={(next) => void editing.showView(next)} />
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

function Workspace({ editing, state: { text, view, isDrawn, isLarge, problem } }: PartProps) {
  const canvas = useRef<HTMLDivElement>(null);
  const panel = useRef<HTMLDivElement>(null);
  useEffect(() => {
    void editing.start({ canvas: canvas.current!, panel: panel.current! });
    return () => editing.close();
  }, [editing]);
  return (
    <>
      {/* The modeler stays, so that the diagram needs no second drawing. */}
      <div className={styles.workspace} hidden={view === 'xml'}>
        <div ref={canvas} className={styles.canvas} role="group" aria-label="Diagram" />
        <div ref={panel} className={styles.panel} role="group" aria-label="Properties" />
        {!isDrawn && view === 'diagram' && (
          <div className={styles.loading}>
            <Loading lines={3} label="Loading the modeler" />
          </div>
        )}
      </div>
      {view === 'xml' && (
        <div className={styles.xml}>
          {problem !== undefined && (
            <Banner tone="amber" icon="alert" title="The diagram cannot show this file.">
              {problem}
            </Banner>
          )}
          {isLarge && problem === undefined && !isDrawn && (
            <Banner tone="blue" icon="processes" title="The diagram is large.">
              Drawing it keeps the browser busy for a while. Choose Diagram to draw it.
            </Banner>
          )}
          <TextArea
            label="XML"
            rows={24}
            spellCheck={false}
            autoComplete="off"
            value={text}
            onChange={({ target }) => editing.setText(target.value)}
          />
        </div>
      )}
    </>
  );
}
