/**
 * The files that the modeler has open. A few keep their editors, with what they can undo, while another one is shown. The
 * unsaved text of the others stays known here, and their edits in the local copies.
 */
import type { FolderFile } from './folder-file.js';

/** A file with an editor, or with edits that one left. */
export interface OpenFile extends FolderFile {
  /** Keeps no edits from here on. */
  finish(): void;
}

export interface OpenFilesState {
  /** The files with an editor, in the order in which they were opened. */
  editors: readonly string[];
  files: ReadonlyMap<string, OpenFile>;
}

/** An editor is as large as its file, so only the last ones stay. */
export const MAX_EDITORS = 5;

export class OpenFiles {
  #state: OpenFilesState = { editors: [], files: new Map() };
  /** The editors, the last shown one last. */
  #recent: readonly string[] = [];
  readonly #listeners = new Set<() => void>();

  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener);
    return () => void this.#listeners.delete(listener);
  };

  readonly state = (): OpenFilesState => this.#state;

  /** Those that have an editor when this one is shown. */
  editorsWith(resourceID: string): readonly string[] {
    const { editors } = this.#state;
    if (editors.includes(resourceID)) return editors;
    const oldest = editors.length < MAX_EDITORS ? undefined : this.#recent[0];
    return [...editors.filter((id) => id !== oldest), resourceID];
  }

  show(resourceID: string): void {
    const editors = this.editorsWith(resourceID);
    this.#recent = [...this.#recent.filter((id) => id !== resourceID && editors.includes(id)), resourceID];
    if (editors !== this.#state.editors) this.#set({ editors });
  }

  report(file: OpenFile): void {
    this.#set({ files: new Map(this.#state.files).set(file.resourceID, file) });
  }

  /** Its editor ends. */
  leave(resourceID: string): void {
    if (this.#state.files.get(resourceID)?.isUnsaved === false) this.#forget(resourceID);
  }

  /** The file is deleted, or has another address. */
  close(resourceID: string): void {
    this.#recent = this.#recent.filter((id) => id !== resourceID);
    this.#set({ editors: this.#state.editors.filter((id) => id !== resourceID) });
    this.#forget(resourceID);
  }

  #forget(resourceID: string): void {
    const files = new Map(this.#state.files);
    if (files.delete(resourceID)) this.#set({ files });
  }

  #set(changes: Partial<OpenFilesState>): void {
    this.#state = { ...this.#state, ...changes };
    for (const listener of this.#listeners) listener();
  }
}
