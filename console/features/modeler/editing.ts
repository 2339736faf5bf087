/** One file while it is edited, as a diagram or as text. The modeler is loaded when the editing starts. */
import { sentenceOf } from '../../components/feedback/states.js';
import type { NodeMarks } from '../diagram/node-marks.js';
import type { BpmnModeler, ElementTemplate, ModelerHistory } from './bpmn-modeler.js';

export type View = 'diagram' | 'xml';

export interface EditingState {
  /** The file. It follows edits of the diagram after a moment. */
  text: string;
  view: View;
  /** Whether the diagram shows the file. */
  isDrawn: boolean;
  /** Whether the diagram is drawn only when its view is chosen. */
  isLarge: boolean;
  /** Why the diagram cannot show the file. */
  problem: string | undefined;
  history: ModelerHistory;
}

/** Edits in quick succession are written once. */
const WRITE_AFTER_MS = 400;

/** Number of shapes that are drawn without being asked for. Drawing more blocks the browser for seconds. */
const DRAWN_AT_ONCE = 1_500;

const noHistory: ModelerHistory = { canUndo: false, canRedo: false };

export class Editing {
  #state: EditingState;
  readonly #listeners = new Set<() => void>();
  #modeler: BpmnModeler | undefined;
  /** The text that the diagram shows. */
  #drawn: string | undefined;
  /** Set while edits of the diagram are not written. */
  #timer: ReturnType<typeof setTimeout> | undefined;
  #writing: Promise<void> = Promise.resolve();
  #isFinished = false;
  #templates: readonly ElementTemplate[] = [];
  #starts = 0;
  /** Texts are drawn one after the other. */
  #drawing: Promise<void> = Promise.resolve();

  constructor(text: string) {
    const isLarge = shapesIn(text) > DRAWN_AT_ONCE;
    const view = isLarge ? 'xml' : 'diagram';
    this.#state = { text, view, isDrawn: false, isLarge, problem: undefined, history: noHistory };
  }

  readonly subscribe = (listener: () => void) => {
    this.#listeners.add(listener);
    return () => void this.#listeners.delete(listener);
  };

  readonly state = () => this.#state;

  async start(containers: { canvas: HTMLElement; panel: HTMLElement }): Promise<void> {
    const start = ++this.#starts;
    try {
      const { createBpmnModeler } = await import('./bpmn-modeler.js');
      if (start !== this.#starts) return;
      this.#modeler = createBpmnModeler(containers, (history) => this.#onEdit(history));
      this.#modeler.offer(this.#templates);
    } catch (error) {
      return this.#change({ view: 'xml', problem: sentenceOf(error) });
    }
    if (this.#state.view === 'diagram') await this.#draw();
  }

  /** `read` answers the last edit also afterwards. */
  close(): void {
    this.#starts += 1;
    if (this.#timer !== undefined) void this.#write();
    this.#modeler?.close();
    this.#modeler = undefined;
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
    if (view === 'diagram') await this.#draw();
  }

  undo(): void {
    this.#modeler?.undo();
  }

  redo(): void {
    this.#modeler?.redo();
  }

  show(elementID: string): void {
    if (this.#state.isDrawn) this.#modeler?.show(elementID);
  }

  /** Offers element templates for the diagram, next to those of Perdure. */
  offer(templates: readonly ElementTemplate[]): void {
    this.#templates = templates;
    this.#modeler?.offer(templates);
  }

  /** @param reached nodes and sequence flows that scenarios reached */
  mark(marks: ReadonlyMap<string, NodeMarks>, reached: ReadonlySet<string>): void {
    if (this.#state.isDrawn) this.#modeler?.mark(marks, reached);
  }

  #onEdit(history: ModelerHistory): void {
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
    const modeler = this.#modeler;
    const text = await modeler?.write();
    if (text === undefined) return;
    if (modeler === this.#modeler) this.#drawn = text;
    this.#change({ text });
  }

  #draw(): Promise<void> {
    this.#drawing = this.#drawing.then(() => this.#drawNow());
    return this.#drawing;
  }

  async #drawNow(): Promise<void> {
    const { text } = this.#state;
    const modeler = this.#modeler;
    if (modeler === undefined || this.#drawn === text) return;
    this.#drawn = undefined;
    this.#change({ isDrawn: false, history: noHistory });
    try {
      await modeler.open(text);
    } catch (error) {
      if (modeler === this.#modeler) this.#change({ view: 'xml', problem: sentenceOf(error) });
      return;
    }
    if (modeler !== this.#modeler) return;
    this.#drawn = text;
    this.#change({ isDrawn: true, problem: undefined });
  }

  #change(changes: Partial<EditingState>): void {
    this.#state = { ...this.#state, ...changes };
    for (const listener of this.#listeners) listener();
  }
}

function shapesIn(text: string): number {
  return text.match(/BPMNShape\s/g)?.length ?? 0;
}
