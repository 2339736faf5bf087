/** The files of the folder at the side of the modeler: open, add, and delete them. */
import { useState } from 'react';
import { Link, useNavigate } from 'react-router';
import { ButtonLink, IconButton } from '../../../components/basics/button.js';
import { classes } from '../../../components/basics/classes.js';
import { Icon } from '../../../components/basics/icon.js';
import { Refusal } from '../../../components/dialogs/form-dialog.js';
import { sentenceOf } from '../../../components/feedback/states.js';
import { DropArea } from '../../../components/fields/drop-area.js';
import { TextField } from '../../../components/fields/field.js';
import { ActionMenu } from '../../../components/popups/menu.js';
import { modelerOf, newFileOf } from '../../../features/modeler/files/addresses.js';
import type { FolderFile } from '../../../features/modeler/files/folder-file.js';
import type { FileKind } from '../../../features/modeler/files/kinds.js';
import { useProject } from '../../../frame/project/project.js';
import { DeleteFile } from './delete-file.js';
import styles from './folder.module.css';
import { useAdding } from './use-adding.js';
import { useFolder } from './use-folder.js';

const ICONS = { BPMN: 'processes', DMN: 'decision', FORM: 'form' } as const;

const KINDS: readonly { key: FileKind; label: string }[] = [
  { key: 'BPMN', label: 'Process' },
  { key: 'DMN', label: 'Decision' },
  { key: 'FORM', label: 'Form' },
];

/** @param shownID the file whose editor is shown */
export function FileList({ shownID }: { shownID: string }) {
  const { id: projectID } = useProject();
  const navigate = useNavigate();
  const { files, error, hasMore } = useFolder();
  const adding = useAdding();
  const [deleted, remove] = useState<FolderFile>();
  return (
    <section className={styles.folder} aria-label="Folder">
      <DropArea
        className={styles.area}
        overClassName={styles.over}
        onFiles={({ files: dropped }) => adding.add([...dropped])}
      >
        <header className={styles.header}>
          <h2>Files</h2>
          <ActionMenu
            label="New file"
            icon="plus"
            actions={KINDS}
            onChoose={(kind) => void navigate(modelerOf(projectID, newFileOf(kind as FileKind)))}
          />
        </header>
        <ul className={styles.files}>
          {files.map((file) => (
            <Row
              key={file.resourceID}
              file={file}
              isShown={file.resourceID === shownID}
              onDelete={() => remove(file)}
            />
          ))}
        </ul>
        {error && (
          <p className={styles.note} role="status">
            The drafts of the project are not listed. {sentenceOf(error)}
          </p>
        )}
        {hasMore && (
          <p className={styles.note}>
            Older drafts are not listed.{' '}
            <ButtonLink kind="quiet" to={`/projects/${encodeURIComponent(projectID)}/deploy`}>
              All files
            </ButtonLink>
          </p>
        )}
        <div className={styles.adding}>
          <TextField
            label="Add files"
            hint="Choose or drop them. Models become drafts."
            type="file"
            multiple
            accept=".bpmn,.dmn,.form,.xml,.json"
            disabled={adding.isBusy}
            onChange={({ target }) => {
              adding.add([...(target.files ?? [])]);
              // The same files can be chosen again after a change.
              target.value = '';
            }}
          />
          <Refusal error={adding.error} />
        </div>
      </DropArea>
      {deleted && <DeleteFile file={deleted} shownID={shownID} onClose={() => remove(undefined)} />}
    </section>
  );
}

interface RowProps {
  file: FolderFile;
  isShown: boolean;
  onDelete(): void;
}

function Row({ file: { resourceID, name, kind, isUnsaved, isDraft }, isShown, onDelete }: RowProps) {
  const { id: projectID } = useProject();
  const shown = name || 'No name';
  return (
    <li className={classes(styles.file, isShown && styles.shown)}>
      <Link to={modelerOf(projectID, resourceID)} aria-current={isShown ? 'page' : undefined} title={shown}>
        <Icon name={ICONS[kind]} />
        <span className={styles.name}>{shown}</span>
        {isUnsaved && (
          <span className={styles.mark} role="img" aria-label="with unsaved edits" title="Unsaved edits">
            ●
          </span>
        )}
      </Link>
      <IconButton icon="close" label={`${isDraft ? 'Delete' : 'Discard'} ${shown}`} onClick={onDelete} />
    </li>
  );
}
