/**
 * The content of a file that the modeler does not understand: comments, processing instructions, elements that its
 * meta-model lacks, and references that it cannot follow, such as `messageRef="tns:paid"`. The modeler drops them when it
 * writes the file. They are found by comparing the file with what the modeler writes before anything is edited, and put
 * back into everything that it writes later.
 */

export interface XmlAttribute {
  readonly nodeName: string;
  readonly namespaceURI: string | null;
  readonly nodeValue: string | null;
}

/** The part of a DOM node that is used here, of browsers and of other implementations. */
export interface XmlNode {
  readonly nodeType: number;
  readonly nodeName: string;
  readonly namespaceURI?: string | null;
  readonly nodeValue: string | null;
  readonly textContent: string | null;
  readonly childNodes: ArrayLike<XmlNode>;
  readonly previousSibling: XmlNode | null;
  readonly lastChild: XmlNode | null;
  /** Of an element. */
  readonly attributes?: ArrayLike<XmlAttribute>;
  getAttribute?(name: string): string | null;
  setAttribute?(name: string, value: string): void;
  insertBefore(node: XmlNode, before: XmlNode | null): unknown;
  replaceChild(node: XmlNode, replaced: XmlNode): unknown;
}

export interface XmlDocument extends XmlNode {
  importNode(node: XmlNode, deep: boolean): XmlNode;
  createTextNode(text: string): XmlNode;
}

/** A child among those of its parent that have the same name and id. */
interface Step {
  key: string;
  index: number;
}

/** Steps from the element with the id, or from the document. */
interface Place {
  id: string | undefined;
  steps: readonly Step[];
}

/** Content that is not in what the modeler writes. */
export type Kept = KeptNode | KeptReference;

interface KeptReference {
  element: Place;
  name: string;
  value: string;
}

interface KeptNode {
  parent: Place;
  node: XmlNode;
  /** The sibling that follows it; undefined for the last child. */
  before: Step | undefined;
  /** The sibling of which the modeler writes only a part, and the text of that part. */
  instead: (Step & { text: string }) | undefined;
}

const ELEMENT = 1;
const TEXT = 3;
const CDATA = 4;
const PROCESSING_INSTRUCTION = 7;
const COMMENT = 8;

/** Namespaces whose elements the modeler has a description of. Their content is compared child by child. */
const DESCRIBED = /^http:\/\/(www\.omg\.org\/spec\/|camunda\.org\/schema\/zeebe\/)/;

/** Attributes of BPMN that name another element. */
const REFERENCE = /Ref$|^(default|bpmnElement)$/;

/**
 * @param file as it was opened
 * @param written what the modeler writes for it without any edit
 */
export function keptContent(file: XmlDocument, written: XmlDocument): Kept[] {
  const kept: Kept[] = [];
  compare(file, written, { id: undefined, steps: [] }, kept);
  return kept;
}

/** Puts content back where its surroundings are still there. */
export function putBack(document: XmlDocument, kept: readonly Kept[]): void {
  const byID = elementsByID(document);
  const children = new Map<XmlNode, Map<string, XmlNode>>();
  // The content that is put in changes no step of its siblings.
  const childAt = (parent: XmlNode, step: Step) => {
    const known = children.get(parent) ?? namedChildren(parent);
    children.set(parent, known);
    return known.get(nameOf(step));
  };
  const at = ({ id, steps }: Place) =>
    steps.reduce<XmlNode | undefined>(
      (parent, step) => parent && childAt(parent, step),
      id === undefined ? document : byID.get(id),
    );
  for (const one of kept) {
    if ('element' in one) {
      restoreReference(at(one.element), one);
      continue;
    }
    const { node, before, instead } = one;
    const parent = at(one.parent);
    if (parent === undefined) continue;
    const copy = document.importNode(node, true);
    if (instead !== undefined) {
      const part = childAt(parent, instead);
      // Edited in the meantime: what is there now was wanted.
      if (part !== undefined && outline(part) === instead.text) parent.replaceChild(copy, part);
    } else insert(document, parent, copy, before && childAt(parent, before));
  }
}

function compare(file: XmlNode, written: XmlNode, place: Place, kept: Kept[]): void {
  kept.push(...lostReferences(file, written, place));
  const others = namedChildren(written);
  const found: Kept[] = [];
  let before: Step | undefined;
  for (const [step, child] of stepsOf(file).toReversed()) {
    const other = others.get(nameOf(step));
    if (other === undefined) found.push({ parent: place, node: child, before, instead: undefined });
    else if (isPart(child, other))
      found.push({ parent: place, node: child, before, instead: { ...step, text: outline(other) } });
    if (other !== undefined) before = step;
  }
  kept.push(...found.toReversed());
  for (const [step, child] of stepsOf(file)) {
    const other = others.get(nameOf(step));
    if (other !== undefined && child.nodeType === ELEMENT && !isPart(child, other))
      compare(child, other, placeOf(child, place, step), kept);
  }
}

function lostReferences(file: XmlNode, written: XmlNode, element: Place): KeptReference[] {
  return Array.from(file.attributes ?? []).flatMap(({ nodeName: name, nodeValue: value }) =>
    REFERENCE.test(name) && value && (written.getAttribute?.(name) ?? null) === null ? [{ element, name, value }] : [],
  );
}

/** One that was set since then stays. */
function restoreReference(element: XmlNode | undefined, { name, value }: KeptReference): void {
  if ((element?.getAttribute?.(name) ?? null) === null) element?.setAttribute?.(name, value);
}

function namedChildren(parent: XmlNode): Map<string, XmlNode> {
  return new Map(stepsOf(parent).map(([step, child]) => [nameOf(step), child]));
}

/** The children that count, each with its step. Comments differ by their text. */
function stepsOf(parent: XmlNode): [Step, XmlNode][] {
  const counts = new Map<string, number>();
  return Array.from(parent.childNodes).flatMap((child): [Step, XmlNode][] => {
    const key = keyOf(child);
    if (key === undefined) return [];
    const index = counts.get(key) ?? 0;
    counts.set(key, index + 1);
    return [[{ key, index }, child]];
  });
}

function keyOf(node: XmlNode): string | undefined {
  switch (node.nodeType) {
    case ELEMENT:
      return `${node.namespaceURI ?? ''} ${localNameOf(node)} ${idOf(node) ?? ''}`;
    case COMMENT:
    case PROCESSING_INSTRUCTION:
      return `${node.nodeType} ${node.nodeName} ${node.nodeValue ?? ''}`;
    default:
      return undefined;
  }
}

const nameOf = ({ key, index }: Step) => `${index} ${key}`;

const localNameOf = ({ nodeName }: XmlNode) => nodeName.slice(nodeName.indexOf(':') + 1);

const idOf = (node: XmlNode) => node.getAttribute?.('id') || undefined;

/** Whether the modeler writes an element of another tool without all of its content. */
function isPart(element: XmlNode, written: XmlNode): boolean {
  if (element.nodeType !== ELEMENT || DESCRIBED.test(element.namespaceURI ?? '')) return false;
  return outline(element) !== outline(written);
}

function placeOf(element: XmlNode, { id, steps }: Place, step: Step): Place {
  const own = idOf(element);
  return own === undefined ? { id, steps: [...steps, step] } : { id: own, steps: [] };
}

/** The content without its formatting: names and texts. */
function outline(node: XmlNode): string {
  if (node.nodeType === TEXT || node.nodeType === CDATA) return (node.nodeValue ?? '').trim();
  if (node.nodeType !== ELEMENT) return '';
  return `<${localNameOf(node)}>${Array.from(node.childNodes).map(outline).join('')}</>`;
}

function elementsByID(document: XmlNode): Map<string, XmlNode> {
  const found = new Map<string, XmlNode>();
  const waiting = [document];
  for (let node = waiting.pop(); node !== undefined; node = waiting.pop()) {
    const id = idOf(node);
    if (id !== undefined && !found.has(id)) found.set(id, node);
    for (const child of Array.from(node.childNodes)) if (child.nodeType === ELEMENT) waiting.push(child);
  }
  return found;
}

/** Inserts a node on a line like that of the sibling after it. */
function insert(document: XmlDocument, parent: XmlNode, node: XmlNode, before: XmlNode | undefined): void {
  const end = isSpace(parent.lastChild) ? parent.lastChild : null;
  const target = before ?? end;
  parent.insertBefore(node, target);
  // Text outside of the root element is not allowed everywhere.
  if (parent.nodeType !== ELEMENT) return;
  const space = before && isSpace(node.previousSibling) ? node.previousSibling.nodeValue : undefined;
  if (space) parent.insertBefore(document.createTextNode(space), before!);
  else if (end && before === undefined) parent.insertBefore(document.createTextNode(`${end.nodeValue}  `), node);
}

function isSpace(node: XmlNode | null): node is XmlNode {
  return node !== null && node.nodeType === TEXT && (node.nodeValue ?? '').trim() === '';
}
