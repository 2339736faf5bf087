import { useEffect, useRef, useState } from 'react';
import type { Editing } from '../../features/modeler/editing.js';
import { removeCopy, storeCopy } from '../../features/modeler/copies/local-copies.js';
import { useFolder } from './folder/use-folder.js';
import type { OpenedFile, SavedDraft } from './opened-file.js';

/** Edits in quick succession are stored once. */
const STORE_AFTER_MS = 300;

interface Edited {
  file: OpenedFile;
  editing: Editing;
  name: string;
  text: string;
  /** The draft that the edits belong to, as it was read or saved last. */
  draft: SavedDraft | undefined;
  isUnsaved: boolean;
}

/**
 * Keeps unsaved edits in this browser.
 * @returns whether this browser could not store the last ones
 */
export function useLocalCopy(edited: Edited): boolean {
  const { file, editing, name, text, draft, isUnsaved } = edited;
  const { copyKey } = file;
  const [isLost, setIsLost] = useState(false);
  useEffect(() => {
    const store = async () => {
      if (editing.isFinished) return;
      if (!isUnsaved) return removeCopy(copyKey);
      setIsLost(!(await storeCopy(copyOf({ copyKey, name, text, draft }))));
    };
    const timer = setTimeout(() => void store(), STORE_AFTER_MS);
    return () => clearTimeout(timer);
  }, [editing, copyKey, name, text, draft, isUnsaved]);
  const last = useRef(edited);
  useEffect(() => {
    last.current = edited;
  });
  // Another screen may be opened right after an edit.
  useEffect(() => () => void storeCopy(lastCopy(last.current)), [editing]);
  return isLost && isUnsaved;
}

/** Tells the folder of the page about the file. */
export function useReport({ file, editing, name, text, draft, isUnsaved }: Edited): void {
  const { openFiles, note } = useFolder();
  const { resourceID, kind } = file;
  const isDraft = draft !== undefined;
  useEffect(() => {
    if (editing.isFinished) return;
    const finish = () => editing.finish();
    const reported = { resourceID, name, kind, text, isUnsaved, isDraft };
    openFiles.report({ ...reported, finish });
    if (!isUnsaved) note(resourceID, isDraft ? reported : undefined);
  }, [openFiles, note, editing, resourceID, name, kind, text, isUnsaved, isDraft]);
  useEffect(() => () => openFiles.leave(resourceID), [openFiles, resourceID]);
}

/** @returns undefined without edits, and after they are saved or discarded */
async function lastCopy({ file: { copyKey }, editing, name, text: shown, draft, isUnsaved }: Edited) {
  const text = await editing.read();
  if (editing.isFinished || (!isUnsaved && text === shown)) return undefined;
  return copyOf({ copyKey, name, text, draft });
}

function copyOf({ copyKey, name, text, draft }: Pick<Edited, 'name' | 'text' | 'draft'> & { copyKey: string }) {
  return { key: copyKey, name, xml: text, base: draft?.xml, tag: draft?.tag, at: Date.now() };
}
