/**
 * Value expressions: literal and boxed ones (DMN 1.5 sections 7.3.1 and 10.2.1). Decision tables are in their own file.
 */
import type { Expression, FunctionLogic, Logic, Type } from '../model.js';
import { childOf, childrenOf, nearestID, type XmlElement } from '../xml/element.js';
import { commonOf, variableOf, type LogicContext } from './context.js';
import { compileTable } from './table.js';
import { bindNames, type NameScope } from './vocabulary.js';

type CompileLogic = (context: LogicContext, element: XmlElement, scope: NameScope | undefined) => Logic;

const COMPILERS = new Map<string, CompileLogic>([
  ['literalExpression', compileLiteral],
  ['context', compileContext],
  ['list', compileList],
  ['relation', compileRelation],
  ['invocation', compileInvocation],
  ['functionDefinition', compileFunction],
  ['conditional', compileConditional],
  ['for', (context, element, scope) => compileIteration(context, element, scope, 'for', 'return')],
  ['some', (context, element, scope) => compileIteration(context, element, scope, 'some', 'satisfies')],
  ['every', (context, element, scope) => compileIteration(context, element, scope, 'every', 'satisfies')],
  ['filter', compileFilter],
  ['decisionTable', compileTable],
]);

/** The first child that is a value expression. */
function logicElementOf(element: XmlElement): XmlElement | undefined {
  return element.children.find((child) => COMPILERS.has(child.name));
}

/** Compiles the value expression inside an element; undefined if none exists. */
export function compileLogicIn(
  context: LogicContext,
  element: XmlElement,
  scope: NameScope | undefined,
): Logic | undefined {
  const inner = logicElementOf(element);
  return inner && compileLogic(context, inner, scope);
}

function compileLogic(context: LogicContext, element: XmlElement, scope: NameScope | undefined): Logic {
  return (COMPILERS.get(element.name) as CompileLogic)(context, element, scope);
}

/** Like `compileLogicIn`, but reports a missing expression as a problem. */
function requireLogic(
  context: LogicContext,
  element: XmlElement | undefined,
  around: XmlElement,
  what: string,
  scope: NameScope | undefined,
): Logic {
  return (
    (element && compileLogicIn(context, element, scope)) ?? {
      kind: 'literal',
      ...commonOf(context, around),
      expression: missing(context, around, what),
    }
  );
}

function missing({ problems }: LogicContext, element: XmlElement, what: string): Expression {
  const message = `The "${element.name}" needs ${what}`;
  problems.error(nearestID(element), message);
  return { unreadable: message };
}

function compileLiteral(context: LogicContext, element: XmlElement, scope: NameScope | undefined): Logic {
  const text = childOf(element, 'text')?.text ?? '';
  const common = commonOf(context, element);
  if (!context.expressions.isFeel(element))
    return { kind: 'literal', ...common, expression: { unreadable: 'The expression language is not FEEL' } };
  if (text.trim() === '') return { kind: 'literal', ...common, expression: missing(context, element, 'a text') };
  return { kind: 'literal', ...common, expression: context.expressions.read(element, text, 'expression', scope) };
}

function compileContext(context: LogicContext, element: XmlElement, scope: NameScope | undefined): Logic {
  const entries: { name: string; type?: Type; logic: Logic }[] = [];
  let result: Logic | undefined;
  let inner = scope;
  const all = childrenOf(element, 'contextEntry');
  for (const [index, entry] of all.entries()) {
    const variable = childOf(entry, 'variable');
    const logic = requireLogic(context, entry, entry, 'an expression', inner);
    if (variable === undefined) {
      if (index < all.length - 1)
        context.problems.error(nearestID(entry), 'Only the last entry of a context, its result, may omit the variable');
      result = logic;
    } else {
      const named = variableOf(context, variable);
      if (entries.some(({ name }) => name === named.name))
        context.problems.error(nearestID(entry), `The context has two entries named ${JSON.stringify(named.name)}`);
      entries.push({ ...named, logic });
      inner = bindNames(inner, named.name);
    }
  }
  return { kind: 'context', ...commonOf(context, element), entries, ...(result && { result }) };
}

function compileList(context: LogicContext, element: XmlElement, scope: NameScope | undefined): Logic {
  const items = element.children
    .filter(({ name }) => COMPILERS.has(name))
    .map((item) => compileLogic(context, item, scope));
  return { kind: 'list', ...commonOf(context, element), items };
}

function compileRelation(context: LogicContext, element: XmlElement, scope: NameScope | undefined): Logic {
  const columns = childrenOf(element, 'column').map((column) => variableOf(context, column));
  const rows = childrenOf(element, 'row').map((row) => {
    const cells = row.children
      .filter(({ name }) => COMPILERS.has(name))
      .map((cell) => compileLogic(context, cell, scope));
    if (cells.length !== columns.length)
      context.problems.error(
        nearestID(row),
        `The relation has ${columns.length} columns, but this row has ${cells.length} cells`,
      );
    return cells;
  });
  return { kind: 'relation', ...commonOf(context, element), columns, rows };
}

function compileInvocation(context: LogicContext, element: XmlElement, scope: NameScope | undefined): Logic {
  const bindings = childrenOf(element, 'binding').map((binding) => {
    const parameter = childOf(binding, 'parameter');
    if (parameter === undefined) context.problems.error(nearestID(binding), 'The binding needs a parameter');
    return {
      ...variableOf(context, parameter ?? binding),
      logic: requireLogic(context, binding, binding, 'an expression', scope),
    };
  });
  return {
    kind: 'invocation',
    ...commonOf(context, element),
    callee: requireLogic(context, element, element, 'the function it invokes', scope),
    bindings,
  };
}

/** Function definitions, and the encapsulated logic of business knowledge models. */
export function compileFunction(
  context: LogicContext,
  element: XmlElement,
  scope: NameScope | undefined,
): FunctionLogic {
  const parameters = childrenOf(element, 'formalParameter').map((parameter) => variableOf(context, parameter));
  const common = commonOf(context, element);
  const kind = element.attributes.get('kind') ?? 'FEEL';
  if (kind !== 'FEEL' && kind !== 'F') {
    context.problems.warning(
      nearestID(element),
      `External functions (${kind}) are not supported, so calling this one fails`,
    );
    return { kind: 'function', ...common, parameters, body: 'external' };
  }
  const inner = bindNames(scope, ...parameters.map(({ name }) => name));
  return {
    kind: 'function',
    ...common,
    parameters,
    body: requireLogic(context, element, element, 'an expression as its body', inner),
  };
}

function compileConditional(context: LogicContext, element: XmlElement, scope: NameScope | undefined): Logic {
  const part = (name: string): Logic =>
    requireLogic(context, childOf(element, name), element, `an expression in "${name}"`, scope);
  return {
    kind: 'conditional',
    ...commonOf(context, element),
    condition: part('if'),
    then: part('then'),
    otherwise: part('else'),
  };
}

function compileIteration(
  context: LogicContext,
  element: XmlElement,
  scope: NameScope | undefined,
  kind: 'for' | 'some' | 'every',
  bodyName: string,
): Logic {
  const variable = element.attributes.get('iteratorVariable') ?? '';
  if (variable === '') context.problems.error(nearestID(element), `The "${kind}" needs an iterator variable`);
  const source = childOf(element, 'in');
  const variableType = source && context.types.typeOf(context.file, source);
  const inner = bindNames(scope, variable, 'partial');
  return {
    kind,
    ...commonOf(context, element),
    variable,
    ...(variableType && { variableType }),
    source: requireLogic(context, source, element, 'an expression in "in"', scope),
    body: requireLogic(context, childOf(element, bodyName), element, `an expression in "${bodyName}"`, inner),
  };
}

function compileFilter(context: LogicContext, element: XmlElement, scope: NameScope | undefined): Logic {
  return {
    kind: 'filter',
    ...commonOf(context, element),
    source: requireLogic(context, childOf(element, 'in'), element, 'an expression in "in"', scope),
    condition: requireLogic(
      context,
      childOf(element, 'match'),
      element,
      'an expression in "match"',
      bindNames(scope, 'item'),
    ),
  };
}
