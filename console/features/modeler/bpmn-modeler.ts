/** The modeler of bpmn.io with the dialect of Camunda 8 and Perdure's extensions. It is heavy: import it on demand. */
import 'bpmn-js/dist/assets/diagram-js.css';
import 'bpmn-js/dist/assets/bpmn-js.css';
import 'bpmn-js/dist/assets/bpmn-font/css/bpmn.css';
import '@bpmn-io/properties-panel/dist/assets/properties-panel.css';
import 'bpmn-js-element-templates/dist/assets/element-templates.css';
import '@bpmn-io/element-template-chooser/dist/element-template-chooser.css';
import 'bpmn-js-color-picker/colors/color-picker.css';
import 'camunda-bpmn-js/dist/assets/popup-menu.css';
import 'diagram-js-minimap/assets/diagram-js-minimap.css';
import CloudModeler from 'camunda-bpmn-js/lib/camunda-cloud/Modeler';
import httpTask from '../../../examples/element-templates/perdure-http-task.json' with { type: 'json' };
import { diagramFont, loadFont } from '../diagram/labels/font.js';
import { WholeWordRenderer } from '../diagram/labels/text-renderer.js';
import { createMarks } from '../diagram/marks/marks.js';
import type { NodeMarks } from '../diagram/node-marks.js';
import { keptContent, putBack, type Kept, type XmlDocument } from './kept-content.js';
import { limitPropertiesModule } from './limit-properties.js';
import { perdureModdle } from './perdure-moddle.js';
import styles from './theme.module.css';

export interface ModelerHistory {
  canUndo: boolean;
  canRedo: boolean;
}

export interface BpmnModeler {
  /**
   * Replaces the content.
   * @throws Error if the file is not BPMN or not well-formed XML, or has no drawing
   */
  open(xml: string): Promise<void>;
  /** The file, with everything that the modeler does not understand. */
  write(): Promise<string>;
  undo(): void;
  redo(): void;
  /** Selects the element and brings it into view. Does nothing for one that is not drawn. */
  show(elementID: string): void;
  /** Offers these element templates, next to those of Perdure. */
  offer(templates: readonly ElementTemplate[]): void;
  /**
   * Replaces the marks on elements.
   * @param reached nodes and sequence flows that scenarios reached
   */
  mark(marks: ReadonlyMap<string, NodeMarks>, reached: ReadonlySet<string>): void;
  close(): void;
}

/** A template as it was deployed. */
export interface ElementTemplate {
  id?: unknown;
  version?: unknown;
}

interface Containers {
  canvas: HTMLElement;
  panel: HTMLElement;
}

/** The parts of the modeler's services that this file uses. */
interface CommandStack {
  canUndo(): boolean;
  canRedo(): boolean;
  undo(): void;
  redo(): void;
}
interface Shape {
  id: string;
  parent?: Shape;
}
interface ElementRegistry {
  get(id: string): Shape | undefined;
}
interface Area {
  x: number;
  y: number;
  width: number;
  height: number;
}
interface Canvas {
  viewbox(): { inner: Area; outer: Area };
  viewbox(area: Area): void;
  resized(): void;
  scrollToElement(element: Shape): void;
  findRoot(element: Shape): Shape | undefined;
  getRootElement(): Shape;
  setRootElement(root: Shape): void;
  addMarker(element: Shape, name: string): void;
  removeMarker(element: Shape, name: string): void;
}

/** @param onEdit called after each edit, not after opening a file */
export function createBpmnModeler(
  { canvas: container, panel }: Containers,
  onEdit: (history: ModelerHistory) => void,
): BpmnModeler {
  container.classList.add(styles.theme!);
  panel.classList.add(styles.theme!);
  const modeler = new CloudModeler(optionsFor(container, panel));
  const templates = modeler.get<TemplateLoader>('elementTemplatesLoader');
  templates.setTemplates(ownTemplates);
  const stack = modeler.get<CommandStack>('commandStack');
  const canvas = modeler.get<Canvas>('canvas');
  modeler.on('commandStack.changed', ({ trigger }: { trigger?: string }) => {
    if (trigger !== 'clear') onEdit({ canUndo: stack.canUndo(), canRedo: stack.canRedo() });
  });
  const colorReached = createReached(modeler, canvas);
  let kept: Kept[] = [];
  const save = async () => (await modeler.saveXML({ format: true })).xml!.replace(NOT_IN_XML, '');
  return {
    async open(xml) {
      const file = parse(xml);
      await loadFont(xml);
      await modeler.importXML(xml);
      kept = keptContent(file, parse(await save()));
      canvas.resized();
      fit(canvas, container);
    },
    async write() {
      const written = await save();
      return kept.length === 0 ? written : withKept(written, kept);
    },
    undo: () => stack.undo(),
    redo: () => stack.redo(),
    show: (elementID) => show(modeler, canvas, elementID),
    offer: (others) => templates.setTemplates(withOwn(others)),
    mark(marks, reached) {
      createMarks(modeler).draw(marks, undefined);
      colorReached(reached);
    },
    close: () => modeler.destroy(),
  };
}

interface TemplateLoader {
  setTemplates(templates: readonly object[]): void;
}

const ownTemplates: readonly ElementTemplate[] = [httpTask];

/** The modeler refuses two templates with one id and version: one that was deployed replaces ours. */
function withOwn(others: readonly ElementTemplate[]): ElementTemplate[] {
  const own = ownTemplates.filter(({ id, version }) => !others.some((it) => it.id === id && it.version === version));
  // The host takes templates that do not name their schema, the modeler does not.
  return [...own, ...others.map((template) => ({ $schema: httpTask.$schema, ...template }))];
}

/** Control characters that no XML file can contain. The modeler writes them, for example line breaks pasted from Word. */
// oxlint-disable-next-line no-control-regex -- these are the characters
const NOT_IN_XML = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]/g;

/** Around a diagram that is shown as a whole. */
const MARGIN = 24;

/** Shows the whole diagram, at most in its size, next to the palette and not below it. */
function fit(canvas: Canvas, container: HTMLElement): void {
  const { inner, outer } = canvas.viewbox();
  const palette = container.querySelector('.djs-palette')?.getBoundingClientRect().right;
  const left = palette === undefined ? 0 : palette - container.getBoundingClientRect().left;
  const room = { width: outer.width - left - 2 * MARGIN, height: outer.height - 2 * MARGIN };
  if (room.width <= 0 || room.height <= 0) return;
  const scale = Math.min(1, room.width / inner.width, room.height / inner.height);
  const size = { width: outer.width / scale, height: outer.height / scale };
  canvas.viewbox({
    x: inner.x + inner.width / 2 - (left + MARGIN + room.width / 2) / scale,
    y: inner.y + inner.height / 2 - size.height / 2,
    ...size,
  });
}

function optionsFor(container: HTMLElement, panel: HTMLElement) {
  return {
    container,
    propertiesPanel: { parent: panel, getFeelPopupLinks: () => [] },
    moddleExtensions: { perdure: perdureModdle },
    bpmnRenderer: {
      defaultFillColor: 'var(--surface)',
      defaultStrokeColor: 'var(--ink)',
      defaultLabelColor: 'var(--ink)',
    },
    textRenderer: { defaultStyle: { fontFamily: diagramFont } },
    additionalModules: [{ textRenderer: ['type', WholeWordRenderer] }, limitPropertiesModule],
  };
}

/** @returns colors these elements, and no others */
function createReached(modeler: CloudModeler, canvas: Canvas): (reached: ReadonlySet<string>) => void {
  const registry = modeler.get<ElementRegistry>('elementRegistry');
  let colored: ReadonlySet<string> = new Set();
  return (reached) => {
    for (const id of colored) {
      const element = reached.has(id) ? undefined : registry.get(id);
      if (element) canvas.removeMarker(element, styles.reached!);
    }
    for (const id of reached) {
      const element = registry.get(id);
      if (element) canvas.addMarker(element, styles.reached!);
    }
    colored = reached;
  };
}

function show(modeler: CloudModeler, canvas: Canvas, elementID: string): void {
  const element = modeler.get<ElementRegistry>('elementRegistry').get(elementID);
  if (element === undefined) return;
  const root = canvas.findRoot(element);
  if (root !== undefined && root !== canvas.getRootElement()) canvas.setRootElement(root);
  modeler.get<{ select(element: Shape): void }>('selection').select(element);
  if (element.parent !== undefined) canvas.scrollToElement(element);
}

/** @throws Error for what the modeler would read with guesses: a browser cannot say what is lost then */
function parse(xml: string): Document & XmlDocument {
  const document = new DOMParser().parseFromString(xml, 'application/xml');
  const complaint = document.getElementsByTagNameNS('*', 'parsererror')[0]?.textContent;
  if (complaint === undefined) return document as Document & XmlDocument;
  const line = /line (?:number )?(\d+)/i.exec(complaint ?? '')?.[1];
  throw new Error(`The file is not well-formed XML${line === undefined ? '' : `, see line ${line}`}.`);
}

function withKept(written: string, kept: readonly Kept[]): string {
  const document = parse(written);
  putBack(document, kept);
  const xml = new XMLSerializer().serializeToString(document);
  return xml.startsWith('<?xml') ? xml : `<?xml version="1.0" encoding="UTF-8"?>\n${xml}`;
}
