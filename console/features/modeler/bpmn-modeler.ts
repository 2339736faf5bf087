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
import { readableText } from '@perdure/xml/readable-text.js';
import httpTask from '../../../examples/element-templates/perdure-http-task.json' with { type: 'json' };
import { diagramFont, loadFont } from '../diagram/labels/font.js';
import { WholeWordRenderer } from '../diagram/labels/text-renderer.js';
import { createMarks } from '../diagram/marks/marks.js';
import type { EditorContainers, EditorHistory, ElementTemplate, FileEditor } from './file-editor.js';
import { keptContent, type Kept } from './kept-content.js';
import { limitPropertiesModule } from './limit-properties.js';
import { perdureModdle } from './perdure-moddle.js';
import styles from './theme.module.css';
import { parseXml, withKept, withoutForbidden } from './xml-text.js';

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
  { canvas: container, panel }: EditorContainers,
  onEdit: (history: EditorHistory) => void,
): FileEditor {
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
  let isFitted = false;
  const save = async () => withoutForbidden((await modeler.saveXML({ format: true })).xml!);
  return {
    async open(xml) {
      const file = parseXml(xml);
      await loadFont(xml);
      await modeler.importXML(readableText(xml));
      kept = keptContent(file, parseXml(await save()));
      canvas.resized();
      isFitted = fit(canvas, container);
    },
    async write() {
      return withKept(await save(), kept);
    },
    undo: () => stack.undo(),
    redo: () => stack.redo(),
    show: (elementID) => show(modeler, canvas, elementID),
    offer: (others) => templates.setTemplates(withOwn(others)),
    mark(marks, reached) {
      createMarks(modeler).draw(marks, undefined);
      colorReached(reached);
    },
    resize() {
      canvas.resized();
      isFitted ||= fit(canvas, container);
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

/** Around a diagram that is shown as a whole. */
const MARGIN = 24;

/**
 * Shows the whole diagram, at most in its size, next to the palette and not below it.
 * @returns false if there is no room for it, because it is hidden
 */
function fit(canvas: Canvas, container: HTMLElement): boolean {
  const { inner, outer } = canvas.viewbox();
  const palette = container.querySelector('.djs-palette')?.getBoundingClientRect().right;
  const left = palette === undefined ? 0 : palette - container.getBoundingClientRect().left;
  const room = { width: outer.width - left - 2 * MARGIN, height: outer.height - 2 * MARGIN };
  if (room.width <= 0 || room.height <= 0) return false;
  const scale = Math.min(1, room.width / inner.width, room.height / inner.height);
  const size = { width: outer.width / scale, height: outer.height / scale };
  canvas.viewbox({
    x: inner.x + inner.width / 2 - (left + MARGIN + room.width / 2) / scale,
    y: inner.y + inner.height / 2 - size.height / 2,
    ...size,
  });
  return true;
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
    // Otherwise each write, also that of opening, moves a drawing that is far from the origin: an edit without a user.
    alignToOrigin: { alignOnSave: false },
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
