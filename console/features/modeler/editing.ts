/** One file while it is edited, as a drawing or as text. The editor of its kind is loaded when the editing starts. */
import { sentenceOf } from '../../components/feedback/states.js';
import type { NodeMarks } from '../diagram/node-marks.js';
import type {
  EditorContainers,
  EditorHistory,
  EditorKind,
  ElementTemplate,
  FileEditor,
  FilePart,
} from './file-editor.js';

/** `text` shows the file as it is. */
export type View = 'drawing' | 'text';

export interface EditingState {
  /** The file. It follows edits of the drawing after a moment. */
  text: string;
  view: View;
  /** Whether the drawing shows the file. */
  isDrawn: boolean;
  /** Whether the file is drawn only when that view is chosen. */
  isLarge: boolean;
  /** Why the file cannot be drawn. */
  problem: string | undefined;
  history: EditorHistory;
  /** The parts of which one is shown; none in a file that is shown as a whole. */
  parts: readonly FilePart[];
  shownPart: string | undefined;
}

/** Edits in quick succession are written once. */
const WRITE_AFTER_MS = 400;

const noHistory: EditorHistory = { canUndo: false, canRedo: false };

export class Editing {
  #state: EditingState;
  readonly #listeners = new Set<() => void>();
  readonly #kind: EditorKind | undefined;
  #editor: FileEditor | undefined;
  /** The text that is drawn. */
  #drawn: string | undefined;
  /** Set while edits of the drawing are not written. */
  #timer: ReturnType<typeof setTimeout> | undefined;
  #writing: Promise<void> = Promise.resolve();
  #isFinished = false;
  #templates: readonly ElementTemplate[] = [];
  #starts = 0;
  /** Texts are drawn one after the other. */
  #drawing: Promise<void> = Promise.resolve();

  /** @param kind undefined for a file that is edited as text only */
  constructor(text: string, kind: EditorKind | undefined) {
    this.#kind = kind;
    const isLarge = kind?.isLarge(text) ?? false;
    this.#state = {
      text,
      view: isLarge || kind === undefined ? 'text' : 'drawing',
      isDrawn: false,
      isLarge,
      problem: undefined,
      history: noHistory,
      parts: [],
      shownPart: undefined,
    };
  }

  readonly subscribe = (listener: () => void) => {
    this.#listeners.add(listener);
    return () => void this.#listeners.delete(listener);
  };

  readonly state = () => this.#state;

  async start(containers: EditorContainers): Promise<void> {
    const start = ++this.#starts;
    try {
      const create = await this.#kind?.load();
      if (start !== this.#starts || create === undefined) return;
      this.#editor = create(containers, {
        onEdit: (history) => this.#onEdit(history),
        onParts: (parts, shownPart) => this.#change({ parts, shownPart }),
      });
      this.#editor.offer?.(this.#templates);
    } catch (error) {
      return this.#change({ view: 'text', problem: sentenceOf(error) });
    }
    if (this.#state.view === 'drawing') await this.#draw();
  }

  /** `read` answers the last edit also afterwards. */
  close(): void {
    this.#starts += 1;
    if (this.#timer !== undefined) void this.#write();
    this.#editor?.close();
    this.#editor = undefined;
    this.#drawn = undefined;
  }

  /** The file with the last edit. */
  async read(): Promise<string> {
    if (this.#timer !== undefined) void this.#write();
    await this.#writing;
    return this.#state.text;
  }

  /** The edits are saved or discarded: the browser need not keep them. */
  finish(): void {
    this.#isFinished = true;
  }

  get isFinished(): boolean {
    return this.#isFinished;
  }

  setText(text: string): void {
    this.#change({ text });
  }

  async showView(view: View): Promise<void> {
    await this.read();
    this.#change({ view });
    if (view === 'drawing') await this.#draw();
  }

  undo(): void {
    this.#editor?.undo();
  }

  redo(): void {
    this.#editor?.redo();
  }

  show(elementID: string): void {
    if (this.#state.isDrawn) this.#editor?.show(elementID);
  }

  /** Offers element templates for the drawing, next to those of Perdure. */
  offer(templates: readonly ElementTemplate[]): void {
    this.#templates = templates;
    this.#editor?.offer?.(templates);
  }

  /** @param reached nodes and sequence flows that scenarios reached */
  mark(marks: ReadonlyMap<string, NodeMarks>, reached: ReadonlySet<string>): void {
    if (this.#state.isDrawn) this.#editor?.mark(marks, reached);
  }

  /** After it was hidden. */
  resize(): void {
    if (this.#state.isDrawn) this.#editor?.resize?.();
  }

  showPart(id: string): void {
    if (this.#state.isDrawn) this.#editor?.showPart?.(id);
  }

  markRules(ids: ReadonlySet<string>): void {
    if (this.#state.isDrawn) this.#editor?.markRules?.(ids);
  }

  #onEdit(history: EditorHistory): void {
    this.#change({ history });
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => void this.#write(), WRITE_AFTER_MS);
  }

  #write(): Promise<void> {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    this.#writing = this.#writeNow();
    return this.#writing;
  }

  async #writeNow(): Promise<void> {
    const editor = this.#editor;
    const text = await editor?.write();
    if (text === undefined) return;
    if (editor === this.#editor) this.#drawn = text;
    this.#change({ text });
  }

  #draw(): Promise<void> {
    this.#drawing = this.#drawing.then(() => this.#drawNow());
    return this.#drawing;
  }

  async #drawNow(): Promise<void> {
    const { text } = this.#state;
    const editor = this.#editor;
    if (editor === undefined || this.#drawn === text) return;
    this.#drawn = undefined;
    this.#change({ isDrawn: false, history: noHistory });
    try {
      await editor.open(text);
    } catch (error) {
      if (editor === this.#editor) this.#change({ view: 'text', problem: sentenceOf(error) });
      return;
    }
    if (editor !== this.#editor) return;
    this.#drawn = text;
    this.#change({ isDrawn: true, problem: undefined });
  }

  #change(changes: Partial<EditingState>): void {
    this.#state = { ...this.#state, ...changes };
    for (const listener of this.#listeners) listener();
  }
}
