/** Looks up the table of Camunda 8's extensions. */
import type { BpmnElement } from '../read/document.js';
import { EXTENSION_ELEMENTS, FURTHER_ELEMENTS, reasonOf, verdictOf, type ElementRule } from './camunda8-table.js';

const RULES: ReadonlyMap<string, ElementRule> = new Map(Object.entries({ ...EXTENSION_ELEMENTS, ...FURTHER_ELEMENTS }));

/** By local name. */
export function rulesOf(name: string): ElementRule | undefined {
  return RULES.get(name);
}

/** Refused extension elements by local name, and what to use instead. They are refused in any namespace. */
export function refusedExtensions(): [name: string, instead: string][] {
  return [...RULES].flatMap(([name, { rule }]) => (verdictOf(rule) === 'refused' ? [[name, reasonOf(rule)]] : []));
}

/** Whether an extension element with this local name is read in any namespace. */
export function isUnderstood(name: string): boolean {
  const known = RULES.get(name);
  return known !== undefined && known.within === undefined && ['runs', 'note'].includes(verdictOf(known.rule));
}

/** Whether one element has at most one of them. */
export function isSingle(name: string): boolean {
  const known = RULES.get(name);
  return known?.rule === 'runs' && known.within === undefined && known.repeats !== true;
}

/** Whether extension elements with a local name have a meaning at `element`. Decided once for each name. */
export function meaningsAt(element: BpmnElement): (name: string) => boolean {
  const known = new Map<string, boolean>();
  return (name) => {
    const found = known.get(name) ?? RULES.get(name)?.place?.holds(element) ?? true;
    known.set(name, found);
    return found;
  };
}
