import type { EditorKind } from './file-editor.js';
import type { FileKind } from './files/kinds.js';

/** Number of shapes, and of rules, that are shown without being asked for. */
const SHAPES_AT_ONCE = 1_500;
const RULES_AT_ONCE = 1_500;

const bpmn: EditorKind = {
  async load() {
    const { createBpmnModeler } = await import('./bpmn-modeler.js');
    return (containers, { onEdit }) => createBpmnModeler(containers, onEdit);
  },
  isLarge: (text) => countOf(/BPMNShape\s/g, text) > SHAPES_AT_ONCE,
};

const decisions: EditorKind = {
  async load() {
    const { createDmnModeler } = await import('./dmn/dmn-modeler.js');
    return createDmnModeler;
  },
  isLarge: (text) => countOf(/<(?:[\w.-]+:)?rule[\s>]/g, text) > RULES_AT_ONCE,
};

/** A form is edited as text, next to its preview (docs/adr/0192-decisions-and-forms-share-the-frame-of-the-modeler.md). */
export const editorKinds: Readonly<Record<FileKind, EditorKind | undefined>> = {
  BPMN: bpmn,
  DMN: decisions,
  FORM: undefined,
};

function countOf(pattern: RegExp, text: string): number {
  return text.match(pattern)?.length ?? 0;
}
