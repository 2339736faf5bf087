/** Boxed expressions as they are written: contexts, lists, relations, calls, functions, and loops, each with its parts. */
import { children, readTable, textOf, type DecisionTable } from './table.js';

export interface Boxed {
  /** In words. */
  kind: string;
  /** Of a single expression. */
  text?: string;
  table?: DecisionTable;
  parts: readonly { label: string; value: Boxed }[];
}

type Part = Boxed['parts'][number];

/** Deeper ones can be read in the XML only. */
const MAX_DEPTH = 20;

const READERS: Readonly<Record<string, (element: Element, depth: number) => Boxed>> = {
  literalExpression: (element) => ({ kind: 'Expression', text: textOf(element), parts: [] }),
  decisionTable: (element) => ({ kind: 'Table', table: readTable(element), parts: [] }),
  context: (element, depth) => ({
    kind: 'Context',
    parts: children(element, 'contextEntry').flatMap((entry) => partOf(entry, nameOf(entry) ?? 'Result', depth)),
  }),
  list: (element, depth) => ({ kind: 'List', parts: itemsOf(element, depth) }),
  relation: readRelation,
  invocation: (element, depth) => ({
    kind: 'Call',
    parts: [
      ...partOf(element, 'Function', depth),
      ...children(element, 'binding').flatMap((binding) => partOf(binding, nameOf(binding) ?? 'Parameter', depth)),
    ],
  }),
  functionDefinition: readFunction,
  encapsulatedLogic: readFunction,
  conditional: readClauses('Conditional'),
  filter: readClauses('Filter'),
  for: readClauses('For each'),
  every: readClauses('Every'),
  some: readClauses('Some'),
};

/** @returns undefined without an expression */
export function readBoxed(owner: Element, depth = 0): Boxed | undefined {
  if (owner.localName === 'encapsulatedLogic') return readFunction(owner, depth);
  const [first] = expressionsIn(owner);
  return first && read(first, depth);
}

function expressionsIn(owner: Element): Element[] {
  return [...owner.children].filter(({ localName }) => Object.hasOwn(READERS, localName));
}

function read(expression: Element, depth: number): Boxed {
  if (depth >= MAX_DEPTH) return { kind: 'Deeper', text: '… (see the XML)', parts: [] };
  return READERS[expression.localName]!(expression, depth + 1);
}

function partOf(owner: Element, label: string, depth: number): Part[] {
  const value = readBoxed(owner, depth);
  return value ? [{ label, value }] : [];
}

/** The expressions directly in a list or a row. */
function itemsOf(owner: Element, depth: number, labels: readonly string[] = []): Part[] {
  return expressionsIn(owner).map((item, index) => ({
    label: labels[index] ?? String(index + 1),
    value: read(item, depth),
  }));
}

function readRelation(relation: Element, depth: number): Boxed {
  const columns = children(relation, 'column').map((column) => column.getAttribute('name') ?? '');
  const rows = children(relation, 'row').map((row, index): Part => ({
    label: String(index + 1),
    value: { kind: 'Row', parts: itemsOf(row, depth, columns) },
  }));
  return { kind: 'Relation', parts: rows };
}

function readFunction(definition: Element, depth: number): Boxed {
  const parameters = children(definition, 'formalParameter').map((parameter) => parameter.getAttribute('name') ?? '');
  const parts = itemsOf(definition, depth, ['Result']);
  return { kind: `Function (${parameters.join(', ')})`, parts };
}

/** An expression whose parts are elements with names of their meaning, such as `if` and `then`. */
function readClauses(kind: string) {
  return (element: Element, depth: number): Boxed => {
    const variable = element.getAttribute('iteratorVariable');
    return {
      kind: variable === null ? kind : `${kind} ${variable}`,
      parts: [...element.children].flatMap((clause) => partOf(clause, clause.localName, depth)),
    };
  };
}

function nameOf(owner: Element): string | undefined {
  const [named] = [...children(owner, 'variable'), ...children(owner, 'parameter')];
  return named?.getAttribute('name') ?? undefined;
}
