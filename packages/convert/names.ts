/** Names of the dialects that are read and written. */
import { ACTIVITI_ENGINES, BPMN } from '@perdure/lib/model-files/namespaces.js';
import type { Element } from './xml/document.js';

/** Whether it belongs to an engine whose extensions are converted. Notes of editors stay, because they mean nothing. */
export function isOfEngine(node: { namespaceURI: string | null }): boolean {
  return node.namespaceURI !== null && ACTIVITI_ENGINES.includes(node.namespaceURI);
}

/** Whether the element is BPMN's own, of one of these types. */
export function isBpmn(element: Element, ...types: string[]): boolean {
  return element.namespaceURI === BPMN && (types.length === 0 || types.includes(element.localName!));
}
