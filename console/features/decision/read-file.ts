/** Tables and expressions of a DMN file, as written. Only the host interprets them. */

export interface DecisionTable {
  hitPolicy: string;
  inputs: string[];
  outputs: string[];
  rules: { id: string; inputs: string[]; outputs: string[] }[];
}

export interface DecisionText {
  id: string;
  name: string;
  table?: DecisionTable;
  /** The text of a decision that is one expression. */
  expression?: string;
}

/** Decisions in the order of the file, for any DMN version (namespaces differ). Empty if the file is not XML. */
export function readDecisions(xml: string): DecisionText[] {
  const document = new DOMParser().parseFromString(xml, 'application/xml');
  return [...document.getElementsByTagNameNS('*', 'decision')].map((decision) => {
    const id = decision.getAttribute('id') ?? '';
    const [table] = children(decision, 'decisionTable');
    const [expression] = children(decision, 'literalExpression');
    return {
      id,
      name: decision.getAttribute('name') ?? id,
      ...(table && { table: readTable(table) }),
      ...(expression && { expression: textOf(expression) }),
    };
  });
}

function readTable(table: Element): DecisionTable {
  const policy = table.getAttribute('hitPolicy') ?? 'UNIQUE';
  const aggregation = table.getAttribute('aggregation');
  return {
    hitPolicy: aggregation ? `${policy} ${aggregation}` : policy,
    inputs: children(table, 'input').map(
      (input) => input.getAttribute('label') || children(input, 'inputExpression').map(textOf).join(''),
    ),
    outputs: children(table, 'output').map(
      (output) => output.getAttribute('label') || output.getAttribute('name') || 'Result',
    ),
    rules: children(table, 'rule').map((rule, index) => ({
      id: rule.getAttribute('id') ?? String(index),
      inputs: children(rule, 'inputEntry').map(textOf),
      outputs: children(rule, 'outputEntry').map(textOf),
    })),
  };
}

function children(parent: Element, name: string): Element[] {
  return [...parent.children].filter(({ localName }) => localName === name);
}

function textOf(expression: Element): string {
  return children(expression, 'text')
    .map(({ textContent }) => textContent)
    .join('')
    .trim();
}
