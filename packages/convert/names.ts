/** Namespaces and names of the dialects that are read and written. */
import type { Element } from './xml/document.js';

export const BPMN = 'http://www.omg.org/spec/BPMN/20100524/MODEL';
export const ZEEBE = 'http://camunda.org/schema/zeebe/1.0';
export const MODELER = 'http://camunda.org/schema/modeler/1.0';
export const XSI = 'http://www.w3.org/2001/XMLSchema-instance';

/** Engines whose extensions are converted. Notes of their editors stay, because they mean nothing. */
const ENGINES = new Set([
  'http://camunda.org/schema/1.0/bpmn',
  'http://activiti.org/bpmn',
  'http://operaton.org/schema/1.0/bpmn',
  'http://flowable.org/bpmn',
]);

export function isOfEngine(node: { namespaceURI: string | null }): boolean {
  return node.namespaceURI !== null && ENGINES.has(node.namespaceURI);
}

/** Whether the element is BPMN's own, of one of these types. */
export function isBpmn(element: Element, ...types: string[]): boolean {
  return element.namespaceURI === BPMN && (types.length === 0 || types.includes(element.localName!));
}
