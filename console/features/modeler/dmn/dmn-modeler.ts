/** The modeler of bpmn.io for decisions: requirements, tables, and expressions. It is heavy: import it on demand. */
import 'dmn-js/dist/assets/diagram-js.css';
import 'dmn-js/dist/assets/dmn-js-shared.css';
import 'dmn-js/dist/assets/dmn-js-drd.css';
import 'dmn-js/dist/assets/dmn-js-decision-table.css';
import 'dmn-js/dist/assets/dmn-js-decision-table-controls.css';
import 'dmn-js/dist/assets/dmn-js-literal-expression.css';
import 'dmn-js/dist/assets/dmn-js-boxed-expression.css';
import 'dmn-js/dist/assets/dmn-js-boxed-expression-controls.css';
import 'dmn-js/dist/assets/dmn-font/css/dmn.css';
import DmnModeler, { type View, type Viewer } from 'dmn-js/lib/Modeler';
import { readableText } from '@perdure/xml/readable-text.js';
import type { EditorContainers, EditorEvents, FileEditor } from '../file-editor.js';
import { keptContent, putBack, type Kept } from '../kept-content.js';
import theme from '../theme.module.css';
import { parseXml, withKept, withoutForbidden } from '../xml-text.js';
import styles from './dmn-modeler.module.css';
import { lostContent, sentenceOfLost } from './lost-content.js';
import { createStyledElements } from './styled-elements.js';
import { toEditable } from './versions.js';

interface CommandStack {
  canUndo(): boolean;
  canRedo(): boolean;
  undo(): void;
  redo(): void;
}

export function createDmnModeler({ canvas: container }: EditorContainers, events: EditorEvents): FileEditor {
  container.classList.add(theme.theme!, styles.theme!);
  const modeler = new DmnModeler({ container, drd: { drdRenderer: drawingColors } });
  const styled = createStyledElements(styles.theme!);
  let isOpening = false;
  let restore = (xml: string) => xml;
  let kept: Kept[] = [];
  const showParts = () => {
    if (!isOpening) events.onParts(modeler.getViews().map(partOf), modeler.getActiveView()?.id);
  };
  modeler.on('views.changed', showParts);
  modeler.on<{ viewer: Viewer }>('viewer.created', ({ viewer }) => {
    viewer.on<{ trigger?: string }>('commandStack.changed', ({ trigger }) => {
      if (trigger !== 'clear' && !isOpening) events.onEdit(historyOf(modeler));
    });
  });
  const save = async () => withoutForbidden((await modeler.saveXML({ format: true })).xml);
  const stack = () => modeler.getActiveViewer()?.get<CommandStack>('commandStack');

  return {
    async open(xml) {
      const editable = toEditable(xml);
      const file = parseXml(editable.xml);
      const shown = modeler.getActiveView()?.id;
      isOpening = true;
      try {
        await modeler.importXML(readableText(editable.xml), { open: false });
        const written = parseXml(await save());
        const found = keptContent(file, written);
        putBack(written, found);
        const lost = lostContent(file, written);
        if (lost.length > 0) throw new Error(sentenceOfLost(lost));
        [kept, restore] = [found, editable.restore];
        await modeler.open(firstOf(modeler.getViews(), shown));
      } finally {
        isOpening = false;
      }
      showParts();
    },
    async write() {
      return restore(withKept(await save(), kept));
    },
    undo: () => stack()?.undo(),
    redo: () => stack()?.redo(),
    show: (elementID) => void save().then((xml) => showElement(modeler, container, xml, elementID)),
    showPart: (id) => void openPart(modeler, id),
    mark: (marks) => styled.mark(marks),
    markRules: (ids) => styled.markRules(ids),
    close() {
      styled.remove();
      modeler.destroy();
    },
  };
}

const drawingColors = {
  defaultFillColor: 'var(--surface)',
  defaultStrokeColor: 'var(--ink)',
  defaultLabelColor: 'var(--ink)',
};

function partOf({ id, name, type }: View) {
  return { id, label: type === 'drd' ? 'Requirements' : (name ?? id) };
}

function historyOf(modeler: DmnModeler) {
  const stack = modeler.getActiveViewer()?.get<CommandStack>('commandStack');
  return { canUndo: stack?.canUndo() ?? false, canRedo: stack?.canRedo() ?? false };
}

/** The part that was shown before, or the first decision. */
function firstOf(views: readonly View[], shown: string | undefined): View {
  const view = views.find(({ id }) => id === shown) ?? views.find(({ type }) => type !== 'drd') ?? views[0];
  if (view === undefined) throw new Error('The file has no decision that can be shown. Edit it as XML.');
  return view;
}

async function openPart(modeler: DmnModeler, id: string): Promise<void> {
  const view = modeler.getViews().find((it) => it.id === id);
  if (view !== undefined && modeler.getActiveView()?.id !== id) await modeler.open(view);
}

/** Shows the decision that the element is part of. */
async function showElement(modeler: DmnModeler, container: Element, xml: string, elementID: string): Promise<void> {
  const selector = `[id=${CSS.escape(elementID)}]`;
  const decision = parseXml(xml).querySelector(selector)?.closest('decision, businessKnowledgeModel');
  const shown = modeler.getViews().find(({ id }) => id === decision?.id) ?? modeler.getViews()[0];
  if (shown !== undefined) await openPart(modeler, shown.id);
  container
    .querySelector(`[data-element-id=${CSS.escape(elementID)}], [data-row-id=${CSS.escape(elementID)}]`)
    ?.scrollIntoView({ block: 'nearest', inline: 'nearest' });
}
