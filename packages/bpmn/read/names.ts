/** Names of elements of a BPMN file. */
import { localName } from '@perdure/xml/names.js';

/** Converts a type name, `bpmn:ServiceTask`, to its element name, `serviceTask`. */
export function elementName({ $type }: { readonly $type: string }): string {
  const name = localName($type);
  return name.charAt(0).toLowerCase() + name.slice(1);
}
