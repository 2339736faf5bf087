/** From the parser's tree to ours: names resolved, forms told apart, nothing left that only the text knows. */
import { isBuiltin } from '../builtins/index.js';
import { parseNumber } from '../decimal.js';
import type { Span } from '../errors.js';
import type { ArithmeticOperator, ComparisonOperator, FunctionNode, Iterator, NameNode, Node, RangeNode, TestNode } from '../tree.js';
import { canonicalName } from './names.js';
import { partialUse } from './partial.js';
import { bind, bindItem, resolve, type Scope } from './scope.js';
import { childrenOf, type Syntax } from './syntax.js';
import { unquote } from './text.js';
import { buildType, nameText } from './types.js';

/** What the expression needs from outside. */
export interface Uses {
  freeVariables: Set<string>;
  /** Names inside filters: an entry of the item or a variable. */
  possibleVariables: Set<string>;
  /** By their JSON text, so that each stands there once. */
  paths: Map<string, string[]>;
  unknownFunctions: { name: string; at: Span }[];
}

/** One build: its input, and what it notes on the way. */
interface Building {
  readonly text: string;
  readonly rangeTypes: ReadonlySet<number>;
  readonly known: ReadonlySet<string>;
  /** How a name that may be written in several ways is really called. */
  readonly spelling: Map<string, string>;
  readonly uses: Uses;
  /** How often `?` was met so far. */
  inputUses: number;
}

type BuildNode = (building: Building, syntax: Syntax, scope: Scope | undefined) => Node;

/** Builds the tree of a whole expression or of a list of unary tests. */
export function buildTree(text: string, top: Syntax, rangeTypes: ReadonlySet<number>, names: readonly string[]): { root: Node; uses: Uses } {
  const uses: Uses = { freeVariables: new Set(), possibleVariables: new Set(), paths: new Map(), unknownFunctions: [] };
  const spelling = new Map(names.map((name) => [canonicalName(name), name]));
  const building: Building = { text, rangeTypes, known: new Set(names), spelling, uses, inputUses: 0 };
  return { root: buildRoot(building, top), uses };
}

function buildRoot(building: Building, top: Syntax): Node {
  const parts = childrenOf(top);
  if (top.name === 'Expression') return buildNode(building, parts[0] as Syntax, undefined);
  if (parts[0]?.name === 'Wildcard') return { kind: 'any input', at: at(top) };
  const tests = parts.find((part) => part.name === 'PositiveUnaryTests') as Syntax;
  return { kind: 'unary tests', tests: buildTests(building, tests, bind(undefined, '?')), negated: parts[0]?.name === 'not', at: at(top) };
}

function buildNode(building: Building, syntax: Syntax, scope: Scope | undefined): Node {
  const build = BUILDERS[syntax.name];
  if (build === undefined) throw new Error(`The FEEL grammar gave a node of the unknown kind ${syntax.name}.`);
  return build(building, syntax, scope);
}

const BUILDERS: Record<string, BuildNode> = {
  null: (_building, syntax) => ({ kind: 'literal', value: null, at: at(syntax) }),
  BooleanLiteral: (building, syntax) => ({ kind: 'literal', value: source(building, syntax) === 'true', at: at(syntax) }),
  StringLiteral: (building, syntax) => ({ kind: 'literal', value: unquote(source(building, syntax)), at: at(syntax) }),
  NumericLiteral: buildNumber,
  DateTimeLiteral: buildDateTimeLiteral,
  VariableName: (building, syntax, scope) => {
    const node = buildName(building, syntax, scope, false);
    recordPath(building, node);
    return node;
  },
  '?': (building, syntax, scope) => buildName(building, syntax, scope, false),
  PathExpression: buildPath,
  ParenthesizedExpression: (building, syntax, scope) => buildNode(building, expressionsOf(syntax)[0] as Syntax, scope),
  ArithmeticExpression: buildArithmetic,
  Comparison: buildComparison,
  Conjunction: (building, syntax, scope) => buildLogical(building, syntax, scope, 'and'),
  Disjunction: (building, syntax, scope) => buildLogical(building, syntax, scope, 'or'),
  SimplePositiveUnaryTest: buildUnaryComparison,
  Interval: buildInterval,
  IfExpression: buildIf,
  ForExpression: buildFor,
  QuantifiedExpression: buildQuantified,
  FilterExpression: buildFilter,
  InstanceOfExpression: buildInstanceOf,
  List: (building, syntax, scope) => ({ kind: 'list', items: buildAll(building, expressionsOf(syntax), scope), at: at(syntax) }),
  Context: buildContext,
  FunctionDefinition: buildFunction,
  FunctionInvocation: buildInvocation,
};

function at(syntax: Syntax): Span {
  return [syntax.from, syntax.to];
}

function source(building: Building, syntax: Syntax): string {
  return building.text.slice(syntax.from, syntax.to);
}

function buildAll(building: Building, syntaxes: Syntax[], scope: Scope | undefined): Node[] {
  return syntaxes.map((syntax) => buildNode(building, syntax, scope));
}

/** The children that are expressions, not signs and keywords. */
function expressionsOf(syntax: Syntax): Syntax[] {
  return childrenOf(syntax).filter((child) => Object.hasOwn(BUILDERS, child.name));
}

function buildNumber(building: Building, syntax: Syntax): Node {
  const text = source(building, syntax).replace(/\s+/g, '');
  const value = parseNumber(text);
  return typeof value === 'number' ? { kind: 'literal', value, at: at(syntax) } : { kind: 'decimal', text, at: at(syntax) };
}

function buildDateTimeLiteral(building: Building, syntax: Syntax, scope: Scope | undefined): Node {
  const [first] = childrenOf(syntax);
  if (first?.name === 'AtLiteral') {
    return { kind: 'temporal', text: unquote(source(building, childrenOf(first, 'StringLiteral')[0] as Syntax)), at: at(syntax) };
  }
  const constructor = first as Syntax;
  const callee: NameNode = { kind: 'name', name: nameText(constructor, building.text), builtin: true, at: at(constructor) };
  return buildCall(building, syntax, callee, scope);
}

/** The name as its declaration spells it. */
function spelled(building: Building, syntax: Syntax): string {
  const [first] = childrenOf(syntax);
  if (first?.name === 'BacktickIdentifier') return source(building, first).slice(1, -1);
  const written = nameText(syntax, building.text);
  return building.spelling.get(canonicalName(written)) ?? written;
}

/** A name that the text itself declares: an entry, a parameter, an iteration variable. */
function declared(building: Building, syntax: Syntax): string {
  const name = nameText(syntax, building.text);
  const canonical = canonicalName(name);
  if (!building.spelling.has(canonical)) building.spelling.set(canonical, name);
  return name;
}

function buildName(building: Building, syntax: Syntax, scope: Scope | undefined, isCallee: boolean): NameNode {
  const name = spelled(building, syntax);
  if (name === '?') building.inputUses += 1;
  const resolution = resolve(scope, name);
  const node: NameNode = { kind: 'name', name, ...resolution, at: at(syntax) };
  if (resolution.cell !== undefined) return node;
  const { uses } = building;
  const isKnown = building.known.has(name);
  if (isBuiltin(name)) {
    node.builtin = true;
    if (isKnown) node.shadowed = true;
    if (isKnown) uses.freeVariables.add(name);
  } else if (isCallee && !isKnown) {
    uses.unknownFunctions.push({ name, at: node.at });
  } else if (name !== '?') {
    (resolution.items === undefined ? uses.freeVariables : uses.possibleVariables).add(name);
  }
  return node;
}

/** Notes the variable and entry names of a path that begins at a variable. */
function recordPath(building: Building, node: Node): void {
  const path: string[] = [];
  let root = node;
  for (; root.kind === 'member'; root = root.target) path.unshift(root.name);
  if (root.kind !== 'name' || root.cell !== undefined || root.name === '?' || (root.builtin === true && root.shadowed !== true)) return;
  path.unshift(root.name);
  building.uses.paths.set(JSON.stringify(path), path);
}

function buildPath(building: Building, syntax: Syntax, scope: Scope | undefined): Node {
  const parts = childrenOf(syntax);
  const first = parts[0] as Syntax;
  const target = first.name === 'VariableName' ? buildName(building, first, scope, false) : buildNode(building, first, scope);
  const node: Node = { kind: 'member', target, name: spelled(building, parts.at(-1) as Syntax), at: at(syntax) };
  if (syntax.parent?.name !== 'PathExpression') recordPath(building, node);
  return node;
}

function buildArithmetic(building: Building, syntax: Syntax, scope: Scope | undefined): Node {
  const operands = expressionsOf(syntax);
  const sign = source(building, childrenOf(syntax, 'ArithOp')[0] as Syntax);
  if (operands.length === 1) {
    const operand = buildNode(building, operands[0] as Syntax, scope);
    return sign === '-' ? { kind: 'negation', operand, at: at(syntax) } : operand;
  }
  const operator = (sign === '^' ? '**' : sign) as ArithmeticOperator;
  return { kind: 'arithmetic', operator, left: buildNode(building, operands[0] as Syntax, scope), right: buildNode(building, operands[1] as Syntax, scope), at: at(syntax) };
}

function buildComparison(building: Building, syntax: Syntax, scope: Scope | undefined): Node {
  const parts = childrenOf(syntax);
  const left = buildNode(building, parts[0] as Syntax, scope);
  const operator = parts[1] as Syntax;
  if (operator.name === 'between') {
    return { kind: 'between', value: left, low: buildNode(building, parts[2] as Syntax, scope), high: buildNode(building, parts[4] as Syntax, scope), at: at(syntax) };
  }
  if (operator.name === 'in') {
    const inner = bind(scope, '?');
    const group = parts.find((part) => part.name === 'PositiveUnaryTests');
    const tests = group === undefined ? [buildTest(building, parts[2] as Syntax, inner)] : buildTests(building, group, inner);
    return { kind: 'in', value: left, tests, at: at(syntax) };
  }
  return { kind: 'comparison', operator: source(building, operator) as ComparisonOperator, left, right: buildNode(building, parts[2] as Syntax, scope), at: at(syntax) };
}

function buildTests(building: Building, syntax: Syntax, scope: Scope | undefined): TestNode[] {
  return childrenOf(syntax, 'PositiveUnaryTest').map((test) => buildTest(building, test, scope));
}

function buildTest(building: Building, syntax: Syntax, scope: Scope | undefined): TestNode {
  const before = building.inputUses;
  const expression = buildNode(building, expressionsOf(syntax)[0] as Syntax, scope);
  return { kind: 'test', expression, usesInput: building.inputUses > before, at: at(syntax) };
}

function buildLogical(building: Building, syntax: Syntax, scope: Scope | undefined, kind: 'and' | 'or'): Node {
  const [left, right] = expressionsOf(syntax);
  return { kind, left: buildNode(building, left as Syntax, scope), right: buildNode(building, right as Syntax, scope), at: at(syntax) };
}

function buildUnaryComparison(building: Building, syntax: Syntax, scope: Scope | undefined): Node {
  const parts = childrenOf(syntax);
  if (parts[0]?.name === 'Interval') return buildInterval(building, parts[0], scope);
  return {
    kind: 'unary comparison',
    operator: source(building, parts[0] as Syntax) as ComparisonOperator,
    endpoint: buildNode(building, parts[1] as Syntax, scope),
    at: at(syntax),
  };
}

function buildInterval(building: Building, syntax: Syntax, scope: Scope | undefined): RangeNode {
  const parts = childrenOf(syntax);
  const [start, end] = expressionsOf(syntax);
  return {
    kind: 'range',
    start: buildNode(building, start as Syntax, scope),
    end: buildNode(building, end as Syntax, scope),
    startIncluded: parts[0]?.name === '[',
    endIncluded: parts.at(-1)?.name === ']',
    at: at(syntax),
  };
}

function buildIf(building: Building, syntax: Syntax, scope: Scope | undefined): Node {
  const [condition, then, otherwise] = buildAll(building, expressionsOf(syntax), scope);
  return { kind: 'if', condition: condition as Node, then: then as Node, else: otherwise as Node, at: at(syntax) };
}

function buildIterators(building: Building, syntax: Syntax, scope: Scope | undefined): { iterators: Iterator[]; scope: Scope | undefined } {
  let inner = scope;
  const iterators: Iterator[] = [];
  for (const iteration of childrenOf(childrenOf(syntax, 'InExpressions')[0] as Syntax, 'InExpression')) {
    const [start, end] = buildAll(building, expressionsOf(childrenOf(iteration, 'IterationContext')[0] as Syntax), inner);
    const name = declared(building, childrenOf(iteration, 'Name')[0] as Syntax);
    const iterator: Iterator = { name, source: start as Node, at: at(iteration) };
    if (end !== undefined) iterator.end = end;
    iterators.push(iterator);
    inner = bind(inner, name);
  }
  return { iterators, scope: inner };
}

function buildFor(building: Building, syntax: Syntax, scope: Scope | undefined): Node {
  const { iterators, scope: inner } = buildIterators(building, syntax, scope);
  const body = buildNode(building, expressionsOf(syntax).at(-1) as Syntax, bind(inner, 'partial'));
  return { kind: 'for', iterators, body, partial: partialUse(body), at: at(syntax) };
}

function buildQuantified(building: Building, syntax: Syntax, scope: Scope | undefined): Node {
  const { iterators, scope: inner } = buildIterators(building, syntax, scope);
  const kind = childrenOf(syntax)[0]?.name === 'some' ? 'some' : 'every';
  return { kind, iterators, condition: buildNode(building, expressionsOf(syntax).at(-1) as Syntax, inner), at: at(syntax) };
}

function buildFilter(building: Building, syntax: Syntax, scope: Scope | undefined): Node {
  const [target, condition] = expressionsOf(syntax);
  return {
    kind: 'filter',
    target: buildNode(building, target as Syntax, scope),
    condition: buildNode(building, condition as Syntax, bindItem(scope)),
    at: at(syntax),
  };
}

function buildInstanceOf(building: Building, syntax: Syntax, scope: Scope | undefined): Node {
  const type = childrenOf(syntax, 'Type')[0] as Syntax;
  return { kind: 'instance of', value: buildNode(building, expressionsOf(syntax)[0] as Syntax, scope), type: buildType(type, building.text, building.rangeTypes), at: at(syntax) };
}

function buildContext(building: Building, syntax: Syntax, scope: Scope | undefined): Node {
  let inner = scope;
  const entries: { key: string; value: Node }[] = [];
  for (const entry of childrenOf(syntax, 'ContextEntry')) {
    const [written] = childrenOf(childrenOf(entry, 'Key')[0] as Syntax);
    const key = written?.name === 'StringLiteral' ? unquote(source(building, written)) : declared(building, written as Syntax);
    entries.push({ key, value: buildNode(building, childrenOf(entry).at(-1) as Syntax, inner) });
    inner = bind(inner, key);
  }
  return { kind: 'context', entries, at: at(syntax) };
}

function buildFunction(building: Building, syntax: Syntax, scope: Scope | undefined): Node {
  if (childrenOf(syntax, 'external').length > 0) return { kind: 'external function', at: at(syntax) };
  const parameters: FunctionNode['parameters'] = [];
  let inner = scope;
  for (const parameter of childrenOf(childrenOf(syntax, 'FormalParameters')[0] as Syntax, 'FormalParameter')) {
    const name = declared(building, childrenOf(parameter, 'ParameterName')[0] as Syntax);
    const [type] = childrenOf(parameter, 'Type');
    parameters.push(type === undefined ? { name } : { name, type: buildType(type, building.text, building.rangeTypes) });
    inner = bind(inner, name);
  }
  const body = expressionsOf(childrenOf(syntax, 'FunctionBody')[0] as Syntax)[0] as Syntax;
  return { kind: 'function', parameters, body: buildNode(building, body, inner), at: at(syntax) };
}

function buildInvocation(building: Building, syntax: Syntax, scope: Scope | undefined): Node {
  const first = childrenOf(syntax)[0] as Syntax;
  if (first.name === 'VariableName') return buildCall(building, syntax, buildName(building, first, scope, true), scope);
  if (first.name === 'SpecialFunctionName') {
    return buildCall(building, syntax, { kind: 'name', name: nameText(first, building.text), builtin: true, at: at(first) }, scope);
  }
  return buildCall(building, syntax, buildNode(building, first, scope), scope);
}

function buildCall(building: Building, syntax: Syntax, callee: Node, scope: Scope | undefined): Node {
  const [named] = childrenOf(syntax, 'NamedParameters');
  if (named === undefined) {
    const positional = childrenOf(syntax, 'PositionalParameters').flatMap((list) => expressionsOf(list));
    return { kind: 'call', callee, arguments: buildAll(building, positional, scope), at: at(syntax) };
  }
  const parameters = childrenOf(named, 'NamedParameter');
  return {
    kind: 'call',
    callee,
    arguments: parameters.map((parameter) => buildNode(building, childrenOf(parameter).at(-1) as Syntax, scope)),
    names: parameters.map((parameter) => nameText(childrenOf(parameter, 'ParameterName')[0] as Syntax, building.text)),
    at: at(syntax),
  };
}
