/** The losses of a file in an editor: elements, attributes, and texts that it does not write. Their order does not count. */
import type { XmlNode } from '../kept-content.js';

const ELEMENT = 1;
const TEXT = 3;
const CDATA = 4;

const DECLARATIONS = 'http://www.w3.org/2000/xmlns/';

/** Places and sizes in drawings. */
const GEOMETRY = /^https?:\/\/www\.omg\.org\/spec\/DMN\/\d{8}\/(?:DC|DI|DMNDI)\/$/;

/** Attributes that the editor leaves out because a file without them means the same. */
const DEFAULTS: ReadonlySet<string> = new Set([
  'hitPolicy="UNIQUE"',
  'preferredOrientation="Rule-as-Row"',
  'associationDirection="None"',
  'isCollection="false"',
  'typeLanguage="http://www.omg.org/spec/FEEL/20140401"',
  'expressionLanguage="http://www.omg.org/spec/FEEL/20140401"',
]);

/**
 * @param file as it was opened
 * @param rewritten what would be saved without any edit
 * @returns one name per loss, for the user
 */
export function lostContent(file: XmlNode, rewritten: XmlNode): string[] {
  const left = new Map<string, number>();
  for (const { key } of itemsOf(rewritten)) left.set(key, (left.get(key) ?? 0) + 1);
  const lost: string[] = [];
  for (const { key, name } of itemsOf(file)) {
    const count = left.get(key) ?? 0;
    if (count > 0) left.set(key, count - 1);
    else lost.push(name);
  }
  return lost;
}

interface Item {
  key: string;
  name: string;
}

function* itemsOf(document: XmlNode): Generator<Item> {
  const waiting: XmlNode[] = [document];
  for (let node = waiting.pop(); node !== undefined; node = waiting.pop()) {
    if (node.nodeType === ELEMENT) yield* itemsOfElement(node);
    waiting.push(...Array.from(node.childNodes).toReversed());
  }
}

function* itemsOfElement(element: XmlNode): Generator<Item> {
  const name = localNameOf(element.nodeName);
  const id = element.getAttribute?.('id');
  const place = id ? `${name} ${id}` : name;
  const isGeometry = GEOMETRY.test(element.namespaceURI ?? '');
  const owner = `${element.namespaceURI ?? ''} ${place}`;
  yield { key: owner, name: `the element ${place}` };
  for (const attribute of Array.from(element.attributes ?? [])) {
    if (attribute.namespaceURI === DECLARATIONS || attribute.nodeName.startsWith('xmlns')) continue;
    const value = isGeometry ? numberIn(attribute.nodeValue ?? '') : attribute.nodeValue;
    const written = `${localNameOf(attribute.nodeName)}="${value ?? ''}"`;
    if (DEFAULTS.has(written)) continue;
    yield { key: `${owner} ${attribute.namespaceURI ?? ''} ${written}`, name: `${written} of ${place}` };
  }
  const text = Array.from(element.childNodes)
    .filter(({ nodeType }) => nodeType === TEXT || nodeType === CDATA)
    .map(({ nodeValue }) => nodeValue ?? '')
    .join('')
    .trim();
  if (text !== '') yield { key: `${owner} text ${text}`, name: `the text of ${place}` };
}

/** The editor writes 650 for 650.0. */
const numberIn = (text: string) => (/^-?\d+(?:\.\d+)?$/.test(text) ? String(Number(text)) : text);

const localNameOf = (qualified: string) => qualified.slice(qualified.indexOf(':') + 1);

/** Losses in a sentence. */
const MAX_NAMED = 5;

export function sentenceOfLost(lost: readonly string[]): string {
  const named = lost.slice(0, MAX_NAMED).join(', ');
  const others = lost.length - MAX_NAMED;
  return `It would lose ${named}${others > 0 ? `, and ${others.toLocaleString('en')} more` : ''}. Edit the file as XML.`;
}
