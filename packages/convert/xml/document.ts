/** Reads and writes a file so that everything the conversion does not touch stays as it was. */
import { DOMParser, XMLSerializer, type Document, type Element, type Node } from '@xmldom/xmldom';

export type { Document, Element } from '@xmldom/xmldom';

/** The file cannot be read; the message says where and why. */
export class UnreadableFile extends Error {}

/** @throws UnreadableFile */
export function parseXml(xml: string): Document {
  try {
    return new DOMParser({ onError: refuse }).parseFromString(xml.replace(/^\uFEFF/, '').trimStart(), 'text/xml');
  } catch (error) {
    throw new UnreadableFile(`The file is not well-formed XML: ${withoutPosition((error as Error).message)}`);
  }
}

/** xmldom continues after what is not a warning. */
function refuse(level: string, message: string): void {
  if (level !== 'warning') throw new Error(message);
}

export function serializeXml(document: Document): string {
  return new XMLSerializer().serializeToString(document);
}

/** From 1. */
export function lineOf(node: Node): number {
  return node.lineNumber ?? 1;
}

/** xmldom appends its own notation of the position. */
function withoutPosition(message: string): string {
  return message.split('\n@#')[0]!;
}

export function isElement(node: Node | null): node is Element {
  return node?.nodeType === 1;
}

/** The child elements, in document order. */
export function elementsOf(parent: Node): Element[] {
  const found: Element[] = [];
  for (let node = parent.firstChild; node; node = node.nextSibling) if (isElement(node)) found.push(node);
  return found;
}

/** `root` and everything below it, in document order. Without recursion: a file may be nested thousands deep. */
export function allElements(root: Element): Element[] {
  const found: Element[] = [];
  const open: Element[] = [root];
  for (let element = open.pop(); element; element = open.pop()) {
    found.push(element);
    for (const child of elementsOf(element).reverse()) open.push(child);
  }
  return found;
}
