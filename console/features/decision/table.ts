/** Tables of a DMN file, as written. */

export interface DecisionTable {
  hitPolicy: string;
  inputs: string[];
  outputs: string[];
  rules: { id: string; inputs: string[]; outputs: string[] }[];
}

export function readTable(table: Element): DecisionTable {
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

export function children(parent: Element, name: string): Element[] {
  return [...parent.children].filter(({ localName }) => localName === name);
}

export function textOf(expression: Element): string {
  return children(expression, 'text')
    .map(({ textContent }) => textContent)
    .join('')
    .trim();
}
