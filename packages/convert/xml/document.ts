/** Reads and writes a file so that everything the conversion does not touch stays as it was. */
import { withLineFeeds } from '@perdure/xml/readable.js';
import { DOMParser, XMLSerializer, type Document, type Element, type Node } from '@xmldom/xmldom';

export type { Document, Element } from '@xmldom/xmldom';

/** The file cannot be read; the message says where and why. */
export class UnreadableFile extends Error {}

/** @throws UnreadableFile */
export function parseXml(xml: string): Document {
  let mistake: string | undefined;
  const onError = (level: string, message: string) => {
    if (level !== 'warning') mistake ??= message;
  };
  const document = tryTo(() =>
    new DOMParser({ onError, normalizeLineEndings: withLineFeeds }).parseFromString(
      xml.replace(/^\uFEFF/, '').trimStart(),
      'text/xml',
    ),
  );
  if (!document?.documentElement || mistake !== undefined)
    throw new UnreadableFile(
      `The file is not well-formed XML: ${withoutPosition(mistake ?? 'the root element is missing')}`,
    );
  return document;
}

/** The parser also throws what it has reported. */
function tryTo<T>(parse: () => T): T | undefined {
  try {
    return parse();
  } catch {
    return undefined;
  }
}

/** The serializer leaves carriage returns in texts as they are. Only references have made them, because line ends have none. */
export function serializeXml(document: Document): string {
  return new XMLSerializer().serializeToString(document).replaceAll('\r', '&#13;');
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
