/** Tables and expressions of a DMN file, as written. Only the host interprets them. */
import { readBoxed, type Boxed } from './boxed.js';
import { children, readTable, textOf, type DecisionTable } from './table.js';

export interface DecisionText {
  id: string;
  name: string;
  table?: DecisionTable;
  /** The text of a decision that is one expression. */
  expression?: string;
  /** Another boxed expression, such as a context. */
  boxed?: Boxed;
}

/** Decisions in the order of the file, for any DMN version (namespaces differ). Empty if the file is not XML. */
export function readDecisions(xml: string): DecisionText[] {
  const document = new DOMParser().parseFromString(xml, 'application/xml');
  return [...document.getElementsByTagNameNS('*', 'decision')].map((decision) => {
    const id = decision.getAttribute('id') ?? '';
    const [table] = children(decision, 'decisionTable');
    const [expression] = children(decision, 'literalExpression');
    const boxed = table || expression ? undefined : readBoxed(decision);
    return {
      id,
      name: decision.getAttribute('name') ?? id,
      ...(table && { table: readTable(table) }),
      ...(expression && { expression: textOf(expression) }),
      ...(boxed && { boxed }),
    };
  });
}

/**
 * The decisions and functions for which the editor of the modeler has no view: their logic is neither a table nor an expression,
 * or a function of an expression.
 */
export function readOthers(xml: string): DecisionText[] {
  const decisions = readDecisions(xml).filter(({ boxed }) => boxed !== undefined);
  const document = new DOMParser().parseFromString(xml, 'application/xml');
  const functions = [...document.getElementsByTagNameNS('*', 'businessKnowledgeModel')].flatMap((model) => {
    const [logic] = children(model, 'encapsulatedLogic');
    const boxed = logic && children(logic, 'literalExpression').length === 0 ? readBoxed(logic) : undefined;
    const id = model.getAttribute('id') ?? '';
    return boxed && boxed.parts.length > 0 ? [{ id, name: model.getAttribute('name') ?? id, boxed }] : [];
  });
  return [...decisions, ...functions];
}
