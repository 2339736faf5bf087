/** The files of a project in the modeler, as one folder: which of them has the process, decision, or form that another names. */
import type { Wanted } from '../../play/play-file.js';
import type { FolderFile } from './folder-file.js';

/** A definition in a file, or a reference to one. */
export interface Reference {
  kind: 'process' | 'decision' | 'form';
  id: string;
}

/** The first file that defines it. A file that is not well-formed defines nothing. */
export function fileWith({ kind, id }: Reference, files: readonly FolderFile[]): FolderFile | undefined {
  // Most files do not even contain the id, and need not be parsed.
  return files.find((file) => mayHave(file, id) && definedIn(file).some((it) => it.kind === kind && it.id === id));
}

/**
 * The file that a play or a scenario asks for. What a deployed version is bound to is not in the folder, and neither is a
 * version with a tag.
 */
export function fileFor(wanted: Wanted, files: readonly FolderFile[]): FolderFile | undefined {
  if (wanted.kind === 'process') {
    const { binding, callerID } = wanted;
    if (binding.kind === 'versionTag' || (binding.kind === 'deployment' && callerID !== undefined)) return undefined;
  }
  return fileWith(wanted, files);
}

/** The file, and those of the folder that it calls, shows, or imports, directly or through others. */
export function withReferred(file: FolderFile, files: readonly FolderFile[]): FolderFile[] {
  const reached = new Set([file]);
  // A set is walked with what is added to it.
  for (const one of reached) {
    for (const reference of referencesOf(one)) {
      const found = fileWith(reference, files);
      if (found) reached.add(found);
    }
    for (const imported of importsOf(one))
      for (const other of files) if (other.kind === 'DMN' && namespaceOf(other.text) === imported) reached.add(other);
  }
  return [...reached];
}

function mayHave({ text }: FolderFile, id: string): boolean {
  return text.includes(id) || /[&\\]/.test(text);
}

function definedIn({ kind, text }: FolderFile): Reference[] {
  if (kind === 'FORM') return formIn(text);
  const [element, defined] = kind === 'BPMN' ? (['process', 'process'] as const) : (['decision', 'decision'] as const);
  return elementsOf(text, element).map(({ id }) => ({ kind: defined, id }));
}

function formIn(text: string): Reference[] {
  try {
    const { id } = JSON.parse(text) as { id?: unknown };
    return typeof id === 'string' ? [{ kind: 'form', id }] : [];
  } catch {
    return [];
  }
}

const REFERRING = [
  ['calledElement', 'processId', 'process'],
  ['calledDecision', 'decisionId', 'decision'],
  ['formDefinition', 'formId', 'form'],
] as const;

/** Without those that an expression computes. */
function referencesOf({ kind, text }: FolderFile): Reference[] {
  if (kind !== 'BPMN') return [];
  return REFERRING.flatMap(([element, attribute, referred]) =>
    elementsOf(text, element)
      .map((it) => ({ kind: referred, id: it.getAttribute(attribute) ?? '' }))
      .filter(({ id }) => id !== '' && !id.startsWith('=')),
  );
}

function importsOf({ kind, text }: FolderFile): readonly string[] {
  return kind === 'DMN' ? namespacesImportedBy(text) : [];
}

/** In the order of the alphabet. */
export function namespacesImportedBy(xml: string): readonly string[] {
  if (!/<(?:[\w.-]+:)?import[\s/>]/.test(xml)) return [];
  const imports = Array.from(rootOf(xml)?.children ?? []).filter(({ localName }) => localName === 'import');
  return imports.map((element) => element.getAttribute('namespace') ?? '').toSorted();
}

export function namespaceOf(xml: string): string {
  return rootOf(xml)?.getAttribute('namespace') ?? '';
}

function elementsOf(xml: string, name: string): Element[] {
  return Array.from(rootOf(xml)?.getElementsByTagNameNS('*', name) ?? []);
}

function rootOf(xml: string): Element | undefined {
  return new DOMParser().parseFromString(xml, 'application/xml').documentElement;
}
