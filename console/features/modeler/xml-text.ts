/** XML files as the page reads and writes them. */
import { putBack, type Kept, type XmlDocument } from './kept-content.js';

/** @throws Error for what an editor would read with guesses: a browser cannot say what is lost then */
export function parseXml(xml: string): Document & XmlDocument {
  const document = new DOMParser().parseFromString(xml, 'application/xml');
  const complaint = document.getElementsByTagNameNS('*', 'parsererror')[0]?.textContent;
  if (complaint === undefined) return document as Document & XmlDocument;
  const line = /line (?:number )?(\d+)/i.exec(complaint ?? '')?.[1];
  throw new Error(`The file is not well-formed XML${line === undefined ? '' : `, see line ${line}`}.`);
}

/** The text of an editor, with the content that it does not understand. */
export function withKept(written: string, kept: readonly Kept[]): string {
  if (kept.length === 0) return written;
  const document = parseXml(written);
  putBack(document, kept);
  const xml = new XMLSerializer().serializeToString(document);
  return xml.startsWith('<?xml') ? xml : `<?xml version="1.0" encoding="UTF-8"?>\n${xml}`;
}

/** Control characters that no XML file can contain. Editors write them, for example line breaks pasted from Word. */
// oxlint-disable-next-line no-control-regex -- these are the characters
const NOT_IN_XML = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]/g;

export function withoutForbidden(written: string): string {
  return written.replace(NOT_IN_XML, '');
}
