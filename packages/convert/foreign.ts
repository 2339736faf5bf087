/** Recognizes what other engines wrote. */
import { BPMN, FOREIGN_ENGINES, MODELER, ZEEBE } from '@perdure/lib/model-files/namespaces.js';
import { isOfEngine } from './names.js';
import { holdsJuel } from '@perdure/juel/text.js';
import { allElements, type Element } from './xml/document.js';

/** Whether the element itself has an extension or an expression of another engine. */
export function isForeign(element: Element): boolean {
  if (isOfEngine(element) || hasEngineAttribute(element)) return true;
  return element.namespaceURI === BPMN && holdsJuelItself(element);
}

/** Whether the file is in the dialect that Perdure runs, and has nothing of another engine. */
export function isOwnDialect(root: Element): boolean {
  const elements = allElements(root);
  return elements.some(({ namespaceURI }) => namespaceURI === ZEEBE) && !elements.some(isForeign);
}

/** An attribute of an engine. A namespace that is declared and never used says nothing. */
function hasEngineAttribute({ attributes }: Element): boolean {
  return [...attributes].some((attribute) => isOfEngine(attribute));
}

/**
 * Whether the cron expressions of the file are Quartz's: Camunda Modeler's note says so, otherwise the file declares
 * another engine, even if it uses nothing of it. The compiler decides by the same (`check/cron-dialect.ts`), and the
 * converted file has the note of Perdure's own dialect.
 */
export function hasForeignTimers(root: Element, elements: readonly Element[]): boolean {
  const platform = root.getAttributeNS(MODELER, 'executionPlatform');
  if (platform === 'Camunda Cloud') return false;
  if (platform === 'Camunda Platform') return true;
  const isUsed = elements.some(isForeign);
  if (!isUsed && elements.some(({ namespaceURI }) => namespaceURI === ZEEBE)) return false;
  return isUsed || elements.some(declaresEngine);
}

/** jBPM too: its files are not converted, but its cron expressions are Quartz's. */
function declaresEngine({ attributes }: Element): boolean {
  return [...attributes].some(({ name, value }) => name.startsWith('xmlns:') && FOREIGN_ENGINES.includes(value));
}

/** In its attributes or directly in its text; documentation is prose. */
function holdsJuelItself(element: Element): boolean {
  if (element.localName === 'documentation' || element.localName === 'text') return false;
  if ([...element.attributes].some(({ localName, value }) => localName !== 'name' && holdsJuel(value))) return true;
  for (let node = element.firstChild; node; node = node.nextSibling)
    if ((node.nodeType === 3 || node.nodeType === 4) && holdsJuel(node.nodeValue ?? '')) return true;
  return false;
}
