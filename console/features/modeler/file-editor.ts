/** The part of the page that edits a file, as its drawing or its tables. */
import type { NodeMarks } from '../diagram/node-marks.js';

export interface EditorHistory {
  canUndo: boolean;
  canRedo: boolean;
}

/** A part of a file that is shown by itself: one decision, or the requirements of all. */
export interface FilePart {
  id: string;
  label: string;
}

export interface EditorContainers {
  canvas: HTMLElement;
  panel: HTMLElement;
}

export interface EditorEvents {
  /** After each edit, not after opening a file. */
  onEdit(history: EditorHistory): void;
  /** After another part is shown, and after parts are added, removed, or renamed. */
  onParts(parts: readonly FilePart[], shown: string | undefined): void;
}

/** A template as it was deployed. */
export interface ElementTemplate {
  id?: unknown;
  version?: unknown;
}

export interface FileEditor {
  /**
   * Replaces the content.
   * @throws Error if the file cannot be shown, or not without losing some of it
   */
  open(text: string): Promise<void>;
  /** The file, with everything that the editor does not understand. */
  write(): Promise<string>;
  undo(): void;
  redo(): void;
  /** Selects the element and brings it into view. Does nothing for one that is not shown. */
  show(elementID: string): void;
  /**
   * Replaces the marks on elements.
   * @param reached nodes and sequence flows of a process that scenarios reached
   */
  mark(marks: ReadonlyMap<string, NodeMarks>, reached: ReadonlySet<string>): void;
  /** Shows another part of the file. */
  showPart?(id: string): void;
  /** Replaces the rules that are marked as matched. */
  markRules?(ids: ReadonlySet<string>): void;
  /** Offers these element templates, next to those of Perdure. */
  offer?(templates: readonly ElementTemplate[]): void;
  /** Fits the place of the editor, which has changed while it was hidden. */
  resize?(): void;
  close(): void;
}

/** How the files of a kind are edited apart from their text. */
export interface EditorKind {
  /** The editor is heavy, so it is loaded when it is needed. */
  load(): Promise<(containers: EditorContainers, events: EditorEvents) => FileEditor>;
  /** Whether showing the file would keep the browser busy for seconds. */
  isLarge(text: string): boolean;
}
