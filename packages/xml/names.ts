/** XML names and the texts of simple types. */

/** `bpmn:serviceTask` and `serviceTask` both become `serviceTask`. */
export function localName(name: string): string {
  return name.slice(name.indexOf(':') + 1);
}

/** The prefix of a name; empty if it has none. */
export function prefixOf(name: string): string {
  return name.slice(0, Math.max(0, name.indexOf(':')));
}

/** `xsd:boolean` has four spellings; undefined for anything else. */
export function booleanOf(text: string): boolean | undefined {
  const found = ['false', 'true', '0', '1'].indexOf(text.trim());
  return found === -1 ? undefined : found % 2 === 1;
}

const START = String.raw`[\p{L}_]`;
const PART = String.raw`[\p{L}\p{N}\p{M}_.\-\u00b7]`;
const NC_NAME = new RegExp(`^${START}${PART}*$`, 'u');

/** Whether `id` is an XML name without a colon (`xsd:ID`). */
export function isXmlID(id: string): boolean {
  return NC_NAME.test(id);
}

/** Ids become keys of indexes and parts of paths. */
export const MAX_ID_LENGTH = 255;
