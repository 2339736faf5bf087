/** Decision tables (DMN 1.5 chapter 8). */
import type { Aggregator, Expression, HitPolicy, TableInput, TableLogic, TableOutput, TableRule } from '../model.js';
import { childOf, childrenOf, nearestID, textOf, type XmlElement } from '../xml/element.js';
import { commonOf, type LogicContext } from './context.js';
import { defaultInputVariable, inputVariableOf } from './dialect.js';
import { bindNames, type NameScope } from './vocabulary.js';

const HIT_POLICIES: ReadonlySet<string> = new Set<HitPolicy>([
  'UNIQUE',
  'FIRST',
  'PRIORITY',
  'ANY',
  'COLLECT',
  'RULE ORDER',
  'OUTPUT ORDER',
]);
const AGGREGATORS: ReadonlySet<string> = new Set<Aggregator>(['SUM', 'COUNT', 'MIN', 'MAX']);

export function compileTable(context: LogicContext, element: XmlElement, scope: NameScope | undefined): TableLogic {
  const columns = childrenOf(element, 'input');
  const rules = childrenOf(element, 'rule');
  const inputs = columns.map((input, column) => ({
    ...compileInput(context, input, scope),
    ...aliasIn(input, rules, column),
  }));
  const outputElements = childrenOf(element, 'output');
  const outputs = outputElements.map((output) => compileOutput(context, output, outputElements.length > 1, scope));
  if (outputs.length === 0) context.problems.error(nearestID(element), 'The decision table needs an output');
  const aggregator = aggregatorOf(context, element, outputs.length);
  return {
    kind: 'table',
    ...commonOf(context, element),
    hitPolicy: hitPolicyOf(context, element, outputs),
    ...(aggregator && { aggregator }),
    inputs,
    outputs,
    rules: rules.map((rule) => compileRule(context, rule, inputs, outputs.length, scope)),
  };
}

function hitPolicyOf({ problems }: LogicContext, element: XmlElement, outputs: readonly TableOutput[]): HitPolicy {
  const name = element.attributes.get('hitPolicy') ?? 'UNIQUE';
  if (!HIT_POLICIES.has(name)) {
    problems.error(
      nearestID(element),
      `The hit policy ${JSON.stringify(name)} does not exist. Use one of ${[...HIT_POLICIES].join(', ')}.`,
    );
    return 'UNIQUE';
  }
  if ((name === 'PRIORITY' || name === 'OUTPUT ORDER') && outputs.every(({ priorities }) => priorities === undefined)) {
    problems.error(nearestID(element), `The hit policy ${name} needs output values, in order of priority`);
  }
  return name as HitPolicy;
}

function aggregatorOf({ problems }: LogicContext, element: XmlElement, outputs: number): Aggregator | undefined {
  const name = element.attributes.get('aggregation');
  if (name === undefined) return undefined;
  if (!AGGREGATORS.has(name))
    problems.error(
      nearestID(element),
      `The aggregation ${JSON.stringify(name)} does not exist. Use one of ${[...AGGREGATORS].join(', ')}.`,
    );
  else if (outputs > 1) problems.error(nearestID(element), 'Only a table with one output can have an aggregation');
  else return name as Aggregator;
  return undefined;
}

function compileInput(context: LogicContext, element: XmlElement, scope: NameScope | undefined): TableInput {
  const { expressions, file, types } = context;
  const inner = childOf(element, 'inputExpression');
  const id = nearestID(element);
  const text = (inner && textOf(inner, 'text')) ?? inputVariableOf(element);
  const type = inner && types.typeOf(file, inner);
  const allowed = allowedOf(context, childOf(element, 'inputValues'), scope);
  const written = inner ?? element;
  const expression =
    text !== undefined && expressions.isFeel(written)
      ? expressions.read(written, text, 'input expression', scope)
      : undefined;
  if (text === undefined) context.problems.error(id, 'The input needs an expression');
  return {
    ...(id !== undefined && { id }),
    expression: expression ?? { unreadable: 'The input has no FEEL expression' },
    ...(type && { type }),
    ...(allowed && { allowed }),
  };
}

/** The name of an input inside its cells, in which such files may use no `?`. */
function aliasIn(input: XmlElement, rules: readonly XmlElement[], column: number): { alias?: string } {
  const alias = inputVariableOf(input) ?? defaultInputVariable(input);
  if (alias === undefined) return {};
  const isUsed = rules.some((rule) => textOf(childrenOf(rule, 'inputEntry')[column] ?? rule, 'text')?.includes(alias));
  return isUsed ? { alias } : {};
}

function allowedOf(
  { expressions }: LogicContext,
  element: XmlElement | undefined,
  scope: NameScope | undefined,
): Expression | undefined {
  const text = element && textOf(element, 'text');
  return element && text !== undefined && expressions.isFeel(element)
    ? expressions.read(element, text, `list of ${element.name}`, scope, 'unary-tests')
    : undefined;
}

function compileOutput(
  context: LogicContext,
  element: XmlElement,
  isOneOfMany: boolean,
  scope: NameScope | undefined,
): TableOutput {
  const { expressions, file, problems, types } = context;
  const name = element.attributes.get('name');
  if (isOneOfMany && (name === undefined || name === ''))
    problems.error(nearestID(element), 'Each output of a table with several outputs needs a name');
  checkOutputName(context, element, name);
  const type = types.typeOf(file, element);
  const fallback = childOf(element, 'defaultOutputEntry');
  const fallbackText = fallback && textOf(fallback, 'text');
  const priorities = prioritiesOf(context, childOf(element, 'outputValues'), scope);
  return {
    ...(name && { name }),
    ...(type && { type }),
    ...(priorities && { priorities }),
    ...(fallback &&
      fallbackText !== undefined && { fallback: expressions.read(fallback, fallbackText, 'default output', scope) }),
  };
}

/** The outputs of a rule become the entries of one context. */
function checkOutputName({ problems }: LogicContext, element: XmlElement, name: string | undefined): void {
  if (!name || !element.parent) return;
  const first = childrenOf(element.parent, 'output').find((other) => other.attributes.get('name') === name);
  if (first !== undefined && first !== element)
    problems.error(
      nearestID(element),
      `Two outputs of the decision table are named ${JSON.stringify(name)}, so only the last would be in the result. Rename one.`,
    );
}

/** Output values are a list of expressions, highest priority first, read as the items of a list. */
function prioritiesOf(
  { expressions }: LogicContext,
  element: XmlElement | undefined,
  scope: NameScope | undefined,
): Expression | undefined {
  const text = element && textOf(element, 'text');
  if (element === undefined || text === undefined || !expressions.isFeel(element)) return undefined;
  return expressions.read(element, `[${text}]`, 'list of outputValues', scope);
}

function compileRule(
  context: LogicContext,
  element: XmlElement,
  inputs: readonly TableInput[],
  outputs: number,
  scope: NameScope | undefined,
): TableRule {
  const id = element.attributes.get('id');
  const inputEntries = childrenOf(element, 'inputEntry');
  const outputEntries = childrenOf(element, 'outputEntry');
  if (inputEntries.length !== inputs.length || outputEntries.length !== outputs) {
    context.problems.error(
      nearestID(element),
      `The rule has ${inputEntries.length} input and ${outputEntries.length} output entries, but the table has ${inputs.length} and ${outputs} columns`,
    );
  }
  return {
    ...(id !== undefined && { id }),
    // An empty cell matches anything, like a dash.
    tests: inputEntries.map((entry, column) => {
      const alias = inputs[column]?.alias;
      const names = alias === undefined ? scope : bindNames(scope, alias);
      return compileCell(context, entry, '-', 'input entry', 'unary-tests', names);
    }),
    outputs: outputEntries.map((entry) => compileCell(context, entry, 'null', 'output entry', 'expression', scope)),
  };
}

function compileCell(
  { expressions }: LogicContext,
  element: XmlElement,
  whenEmpty: string,
  what: string,
  kind: 'expression' | 'unary-tests',
  scope: NameScope | undefined,
): Expression {
  if (!expressions.isFeel(element)) return { unreadable: 'The expression language is not FEEL' };
  return expressions.read(element, textOf(element, 'text') ?? whenEmpty, what, scope, kind);
}
