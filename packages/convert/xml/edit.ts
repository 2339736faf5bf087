/** Changes to the tree of a file. New elements are indented like their neighbors. */
import { BPMN, PERDURE, ZEEBE } from '@perdure/lib/model-files/namespaces.js';
import { isBpmn, isOfEngine } from '../names.js';
import { elementsOf, isElement, type Element } from './document.js';

/** The value of an engine's attribute, whichever engine it is; undefined if it is absent or empty. */
export function engineAttribute(element: Element, name: string): string | undefined {
  return attributeNode(element, name)?.value || undefined;
}

function attributeNode(element: Element, name: string) {
  return [...element.attributes].find((attribute) => attribute.localName === name && isOfEngine(attribute));
}

/** Removes an engine's attribute. @returns its value */
export function takeAttribute(element: Element, name: string): string | undefined {
  const node = attributeNode(element, name);
  if (!node) return undefined;
  element.removeAttributeNode(node);
  return node.value || undefined;
}

/** BPMN children of these types. */
export function bpmnChildren(element: Element, ...types: string[]): Element[] {
  return elementsOf(element).filter((child) => isBpmn(child, ...types));
}

export function bpmnChild(element: Element, type: string): Element | undefined {
  return bpmnChildren(element, type)[0];
}

/** Extension elements of engines, by local name. */
export function engineExtensions(element: Element, ...names: string[]): Element[] {
  const extensions = bpmnChild(element, 'extensionElements');
  return extensions ? engineChildren(extensions, ...names) : [];
}

export function engineChildren(element: Element, ...names: string[]): Element[] {
  return elementsOf(element).filter((child) => isOfEngine(child) && names.includes(child.localName!));
}

/** The Zeebe extension element `name`, created if it is absent. */
export function zeebeExtension(element: Element, name: string): Element {
  const extensions = bpmnChild(element, 'extensionElements') ?? insertExtensionElements(element);
  const found = elementsOf(extensions).find((child) => child.namespaceURI === ZEEBE && child.localName === name);
  return found ?? appendZeebe(extensions, name);
}

export function hasZeebeExtension(element: Element, name: string): boolean {
  const extensions = bpmnChild(element, 'extensionElements');
  return (
    extensions !== undefined && elementsOf(extensions).some((c) => c.namespaceURI === ZEEBE && c.localName === name)
  );
}

export function appendZeebe(parent: Element, name: string, attributes: { [name: string]: string } = {}): Element {
  const element = parent.ownerDocument!.createElementNS(ZEEBE, `${prefixOf(parent, ZEEBE, 'zeebe')}:${name}`);
  for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, value);
  insertIndented(parent, element, null);
  return element;
}

/** Makes output mappings come in addition to the results of `element`, which has extension elements. */
export function keepResults(element: Element): void {
  const extensions = bpmnChild(element, 'extensionElements')!;
  const name = `${prefixOf(extensions, PERDURE, 'perdure')}:keepResults`;
  insertIndented(extensions, element.ownerDocument!.createElementNS(PERDURE, name), null);
}

/** A BPMN element of the same prefix as the root. */
export function createBpmn(near: Element, type: string, attributes: { [name: string]: string } = {}): Element {
  const { prefix } = near.ownerDocument!.documentElement!;
  const element = near.ownerDocument!.createElementNS(BPMN, prefix ? `${prefix}:${type}` : type);
  for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, value);
  return element;
}

/** Adds a root element, such as a message, before the first process: a definition comes before its use. */
export function addRootElement(near: Element, type: string, attributes: { [name: string]: string }): Element {
  const root = near.ownerDocument!.documentElement!;
  const element = createBpmn(near, type, attributes);
  insertIndented(root, element, bpmnChildren(root, 'collaboration', 'process')[0] ?? null);
  return element;
}

/** BPMN 2.0.2 XML schema: documentation comes first, then the extension elements. */
function insertExtensionElements(element: Element): Element {
  const created = createBpmn(element, 'extensionElements');
  const documentation = bpmnChildren(element, 'documentation').at(-1);
  let before = (documentation ? documentation.nextSibling : element.firstChild) ?? null;
  while (before && !isElement(before)) before = before.nextSibling;
  insertIndented(element, created, before);
  return created;
}

/** Inserts `child` into `parent` on a separate line. */
export function insertIndented(parent: Element, child: Element, before: Element | null): void {
  const document = parent.ownerDocument!;
  const outer = lineBreak(parent);
  if (before) {
    parent.insertBefore(child, before);
    parent.insertBefore(document.createTextNode(`${outer}  `), before);
    return;
  }
  if (parent.lastChild?.nodeType === 3) parent.removeChild(parent.lastChild);
  parent.appendChild(document.createTextNode(`${outer}  `));
  parent.appendChild(child);
  parent.appendChild(document.createTextNode(outer));
}

/** A line break and the indentation of `element`. */
function lineBreak(element: Element): string {
  let text = '\n';
  for (let around = element.parentNode; isElement(around); around = around.parentNode) text += '  ';
  return text;
}

/** Removes an element with the white space before it, and the extension elements around it if they are empty then. */
export function remove(element: Element): void {
  const parent = element.parentNode;
  if (!parent) return;
  const before = element.previousSibling;
  if (before?.nodeType === 3 && before.nodeValue!.trim() === '') parent.removeChild(before);
  parent.removeChild(element);
  if (isElement(parent) && isBpmn(parent, 'extensionElements') && elementsOf(parent).length === 0) remove(parent);
}

/** Replaces an element by one of another BPMN type with the same attributes and content. */
export function changeType(element: Element, type: string): Element {
  const created = createBpmn(element, type);
  for (const { namespaceURI, name, value } of Array.from(element.attributes))
    created.setAttributeNS(namespaceURI, name, value);
  while (element.firstChild) created.appendChild(element.firstChild);
  element.parentNode!.replaceChild(created, element);
  return created;
}

export function setText(element: Element, text: string): void {
  while (element.firstChild) element.removeChild(element.firstChild);
  element.appendChild(element.ownerDocument!.createTextNode(text));
}

export function textOf(element: Element): string {
  return (element.textContent ?? '').trim();
}

/** The prefix of a namespace, declared at the root if it is not yet. */
export function prefixOf(near: Element, namespace: string, preferred: string): string {
  const known = near.lookupPrefix(namespace);
  if (known) return known;
  const root = near.ownerDocument!.documentElement!;
  let prefix = preferred;
  for (let other = 1; root.lookupNamespaceURI(prefix) !== null; other += 1) prefix = `${preferred}${other}`;
  root.setAttributeNS('http://www.w3.org/2000/xmlns/', `xmlns:${prefix}`, namespace);
  return prefix;
}
