/** The kinds of files that the modeler edits, and what differs between them apart from their editors. */
import { contentKind } from '@perdure/lib/model-files/content-kind.js';
import { modelKind } from '@perdure/lib/model-files/kind.js';

export type FileKind = 'BPMN' | 'DMN' | 'FORM';

const ENDS: Readonly<Record<FileKind, string>> = { BPMN: '.bpmn', DMN: '.dmn', FORM: '.form' };

/** By the text; a text that is neither XML nor JSON has the kind that its name says. */
export function kindOf(name: string, text: string): FileKind {
  const named = modelKind(name);
  return contentKind(text) ?? (named === 'TEMPLATE' ? undefined : named) ?? 'BPMN';
}

/** A name with the end by which a deployment knows the kind. */
export function deployedName(name: string, kind: FileKind): string {
  return modelKind(name) === kind ? name : `${name}${ENDS[kind]}`;
}

export function nameOfCopy(name: string): string {
  return /\.(bpmn|dmn|form)$/i.test(name) ? name.replace(/(\.\w+)$/, ' (copy)$1') : `${name} (copy)`;
}
