/** The given files: their imports, and the element that an address refers to. */
import { MAX_ID_LENGTH } from '@perdure/xml/names.js';
import type { Diagnostics } from '@perdure/lib/model-files/diagnostics.js';
import { childrenOf, namespaceOf, type XmlElement } from '../xml/element.js';

/** The namespaces of DMN 1.1 to 1.5. */
const DMN_NAMESPACES: ReadonlySet<string> = new Set([
  'http://www.omg.org/spec/DMN/20151101/dmn.xsd',
  'http://www.omg.org/spec/DMN/20180521/MODEL/',
  'https://www.omg.org/spec/DMN/20191111/MODEL/',
  'https://www.omg.org/spec/DMN/20211108/MODEL/',
  'https://www.omg.org/spec/DMN/20230324/MODEL/',
]);

/** Files are found by their namespace, in an index. */
const MAX_NAMESPACE_LENGTH = 500;

interface Import {
  name: string;
  file: DmnFile;
}

export interface DmnFile {
  index: number;
  root: XmlElement;
  id: string;
  name: string;
  namespace: string;
  imports: Import[];
  byID: Map<string, XmlElement>;
}

/** Reads a root element's description of its file; undefined (and a problem) if it is not a DMN file. */
export function openFile(root: XmlElement, index: number, problems: Diagnostics): DmnFile | undefined {
  if (root.name !== 'definitions' || !DMN_NAMESPACES.has(root.namespace)) {
    problems.error(
      undefined,
      `The file is not a DMN file: its root must be "definitions" in a namespace of DMN 1.1 to 1.5, but is "${root.name}" in "${root.namespace}"`,
    );
    return undefined;
  }
  const name = root.attributes.get('name') ?? '';
  const namespace = root.attributes.get('namespace') ?? '';
  const id = root.attributes.get('id') ?? (name || namespace);
  const file: DmnFile = { index, root, id, name: name || id, namespace, imports: [], byID: new Map() };
  if (id === '') problems.error(undefined, 'The element "definitions" needs an id');
  if (id.length > MAX_ID_LENGTH) tooLong('id', id, MAX_ID_LENGTH, problems);
  if (namespace.length > MAX_NAMESPACE_LENGTH) tooLong('namespace', namespace, MAX_NAMESPACE_LENGTH, problems);
  indexIDs(file, problems);
  return file;
}

/** Not recursive over the whole file: its depth is limited, but so is the available stack. */
function indexIDs(file: DmnFile, problems: Diagnostics): void {
  const open: XmlElement[] = [file.root];
  for (let element = open.pop(); element !== undefined; element = open.pop()) {
    const id = element.attributes.get('id');
    if (id !== undefined) register(file, id, element, problems);
    open.push(...element.children.toReversed());
  }
}

function register(file: DmnFile, id: string, element: XmlElement, problems: Diagnostics): void {
  if (id.length > MAX_ID_LENGTH && element !== file.root) tooLong('id', id, MAX_ID_LENGTH, problems);
  const other = file.byID.get(id);
  if (other === undefined) file.byID.set(id, element);
  else problems.error(id, `The id ${id} is used twice: by "${other.name}" and by "${element.name}"`);
}

function tooLong(what: string, text: string, limit: number, problems: Diagnostics): void {
  const start = JSON.stringify(text.slice(0, 40));
  problems.error(undefined, `The ${what} ${start}... has ${text.length} characters, but the limit is ${limit}`);
}

/** Finds the file of each import among the given ones. Nothing is fetched. */
export function connectImports(files: readonly DmnFile[], problems: Diagnostics): void {
  const byNamespace = new Map<string, DmnFile>();
  for (const file of files) {
    if (byNamespace.has(file.namespace))
      problems.error(file.id, `Two of the given files have the namespace ${file.namespace}`);
    else byNamespace.set(file.namespace, file);
  }
  for (const file of files) {
    for (const element of childrenOf(file.root, 'import')) connectImport(file, element, byNamespace, problems);
  }
}

function connectImport(
  file: DmnFile,
  element: XmlElement,
  byNamespace: ReadonlyMap<string, DmnFile>,
  problems: Diagnostics,
): void {
  const namespace = element.attributes.get('namespace') ?? '';
  const importType = element.attributes.get('importType') ?? '';
  const elementID = element.attributes.get('id') ?? file.id;
  if (!DMN_NAMESPACES.has(importType)) {
    problems.warning(
      elementID,
      `The import of ${namespace} has the type ${JSON.stringify(importType)}, which is not DMN, so it is ignored`,
    );
    return;
  }
  const imported = byNamespace.get(namespace);
  if (imported === undefined)
    problems.error(elementID, `The imported file with the namespace ${namespace} is not among the given files`);
  else file.imports.push({ name: element.attributes.get('name') ?? '', file: imported });
}

/**
 * The files whose elements and types are visible by their own names: the file itself, then those imported without a
 * name, and those that these import without a name (DMN 1.5 section 6.3.3). The first file with a name wins.
 */
export function visibleFiles(file: DmnFile): DmnFile[] {
  const visible = new Set<DmnFile>();
  const open = [file];
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    visible.add(next);
    const further = next.imports.filter((each) => each.name === '' && !visible.has(each.file)).map((each) => each.file);
    open.push(...further.toReversed());
  }
  return [...visible];
}

/** The element that an `href` refers to: `#id` in the visible files, `namespace#id` also in imported ones. */
export function followAddress(
  file: DmnFile,
  href: string,
): { file: DmnFile; element: XmlElement; importName?: string } | undefined {
  const hash = href.indexOf('#');
  const namespace = href.slice(0, Math.max(hash, 0));
  const id = href.slice(hash + 1);
  const own = findIn(visibleFiles(file), namespace, id);
  if (own !== undefined) return own;
  for (const each of file.imports) {
    const found = namespace === '' ? undefined : findIn(visibleFiles(each.file), namespace, id);
    if (found !== undefined) return { ...found, importName: each.name };
  }
  return undefined;
}

function findIn(
  files: readonly DmnFile[],
  namespace: string,
  id: string,
): { file: DmnFile; element: XmlElement } | undefined {
  for (const file of files) {
    const element = namespace === '' || namespace === file.namespace ? file.byID.get(id) : undefined;
    if (element !== undefined) return { file, element };
  }
  return undefined;
}

/** Splits a qualified name. The prefix may be a namespace prefix or the name of an import. */
export function splitName(element: XmlElement, text: string): { namespace?: string; prefix?: string; name: string } {
  const colon = text.indexOf(':');
  if (colon < 0) return { name: text };
  const prefix = text.slice(0, colon);
  const namespace = namespaceOf(element, prefix);
  return { prefix, name: text.slice(colon + 1), ...(namespace !== undefined && { namespace }) };
}
