/**
 * Derives from a predicate what Postgres can decide from the search summary of an instance. It supports comparisons of
 * a variable, or of a path into one, with a constant, `between`, `in`, and `and`, `or`, and `not` of these. Any other
 * predicate has no prefilter, so all instances are evaluated.
 */
import type { CallNode, ComparisonNode, ComparisonOperator, InNode, Node, TestNode } from '@perdure/feel/tree.js';
import { orderOf } from '@perdure/feel/values/order.js';
import type { Prefilter } from '../../store/search/prefilter.js';
import {
  all,
  any,
  comparisonVerdicts,
  constantOf,
  lacks,
  pathOf,
  truthVerdicts,
  type ValuePath,
  type Verdicts,
} from './summary-path.js';

/** Beyond this length, parsing the paths takes longer than the prefilter saves. */
const MAX_PATH_LENGTH = 8_000;
/** Characters of all verdicts of a part. Each part is measured, because one test of a long list can name a long path. */
const MAX_VERDICTS_LENGTH = 8 * MAX_PATH_LENGTH;
const DEEPEST = 30;

/**
 * @param root of a predicate
 * @param required variables whose absence is an error
 */
export function prefilterOf(root: Node, required: readonly string[]): Prefilter | undefined {
  const verdicts = verdictsOf(root, 0);
  if (verdicts === undefined) return undefined;
  const isError = any([...required.map(lacks), verdicts.isError]);
  return Math.max(verdicts.isFalse.length, isError.length) > MAX_PATH_LENGTH
    ? undefined
    : { isFalse: verdicts.isFalse, isError };
}

/** The verdicts of a node whose value must be true or false. */
function verdictsOf(node: Node, depth: number): Verdicts | undefined {
  if (depth > DEEPEST) return undefined;
  const verdicts = readVerdicts(node, depth);
  return verdicts && lengthOf(verdicts) <= MAX_VERDICTS_LENGTH ? verdicts : undefined;
}

function lengthOf({ isTrue, isFalse, isDecided, isError }: Verdicts): number {
  return isTrue.length + isFalse.length + isDecided.length + isError.length;
}

function readVerdicts(node: Node, depth: number): Verdicts | undefined {
  switch (node.kind) {
    case 'and':
    case 'or':
      return logicalVerdicts(node.kind, node, depth);
    case 'call':
      return negationVerdicts(node, depth);
    case 'comparison':
      return ofComparison(node);
    case 'between':
      return ofRange(node.value, [
        ['>=', node.low],
        ['<=', node.high],
      ]);
    case 'in':
      return ofTests(node);
    default: {
      const path = pathOf(node);
      return path && truthVerdicts(path);
    }
  }
}

/** Both sides are always evaluated, so the result is only certain when all operands are. */
function logicalVerdicts(kind: 'and' | 'or', node: Node, depth: number): Verdicts | undefined {
  const parts = eachOf(operandsOf(node, kind), (operand) => verdictsOf(operand, depth + 1));
  if (parts === undefined) return undefined;
  const isDecided = all(parts.map((part) => part.isDecided));
  const isError = any(parts.map((part) => part.isError));
  const each = (side: 'isTrue' | 'isFalse') => parts.map((part) => part[side]);
  if (kind === 'and')
    return { isTrue: all(each('isTrue')), isFalse: all([any(each('isFalse')), isDecided]), isDecided, isError };
  return { isTrue: all([any(each('isTrue')), isDecided]), isFalse: all(each('isFalse')), isDecided, isError };
}

/** `a and b and c` has three operands in a left-leaning tree. */
function operandsOf(node: Node, kind: 'and' | 'or'): Node[] {
  const operands: Node[] = [];
  let rest = node;
  while (rest.kind === kind) {
    operands.unshift(rest.right);
    rest = rest.left;
  }
  return [rest, ...operands];
}

function negationVerdicts({ callee, arguments: args, names }: CallNode, depth: number): Verdicts | undefined {
  const [operand] = args;
  const isNot = callee.kind === 'name' && callee.name === 'not' && callee.builtin === true && callee.shadowed !== true;
  if (!isNot || operand === undefined || args.length !== 1 || names !== undefined) return undefined;
  const verdicts = verdictsOf(operand, depth + 1);
  return verdicts && { ...verdicts, isTrue: verdicts.isFalse, isFalse: verdicts.isTrue };
}

const MIRRORED: Record<ComparisonOperator, ComparisonOperator> = {
  '=': '=',
  '!=': '!=',
  '<': '>',
  '<=': '>=',
  '>': '<',
  '>=': '<=',
};

function ofComparison({ operator, left, right }: ComparisonNode): Verdicts | undefined {
  const path = pathOf(left);
  return path ? compareWith(path, operator, right) : compareWith(pathOf(right), MIRRORED[operator], left);
}

function compareWith(path: ValuePath | undefined, operator: ComparisonOperator, other: Node): Verdicts | undefined {
  const constant = constantOf(other);
  return path === undefined || constant === undefined ? undefined : comparisonVerdicts(path, operator, constant);
}

type Bound = readonly [operator: ComparisonOperator, endpoint: Node];

/** The value is within all bounds. */
function ofRange(value: Node, bounds: readonly Bound[]): Verdicts | undefined {
  const path = pathOf(value);
  const parts = eachOf(bounds, ([operator, endpoint]) => compareWith(path, operator, endpoint));
  if (parts === undefined || !areOfOneType(bounds.map(([, endpoint]) => endpoint))) return undefined;
  return {
    isTrue: all(parts.map((part) => part.isTrue)),
    isFalse: any(parts.map((part) => part.isFalse)),
    isDecided: all(parts.map((part) => part.isDecided)),
    isError: any(parts.map((part) => part.isError)),
  };
}

/** The value passes one of the tests. They are tried in order, so only an error of the first is certain. */
function ofTests({ value, tests }: InNode): Verdicts | undefined {
  const parts = eachOf(tests, (test) => ofTest(value, test));
  if (parts === undefined || !areOfOneType(tests.flatMap(constantsOf))) return undefined;
  const [isTrue, isFalse] = [any(parts.map((part) => part.isTrue)), all(parts.map((part) => part.isFalse))];
  return { isTrue, isFalse, isDecided: any([isTrue, isFalse]), isError: parts[0]!.isError };
}

function ofTest(value: Node, { expression, usesInput }: TestNode): Verdicts | undefined {
  if (usesInput) return undefined;
  if (expression.kind === 'range') {
    const { start, end, startIncluded, endIncluded } = expression;
    if (!isInOrder(start, end)) return undefined;
    return ofRange(value, [
      [startIncluded ? '>=' : '>', start],
      [endIncluded ? '<=' : '<', end],
    ]);
  }
  if (expression.kind === 'unary comparison')
    return compareWith(pathOf(value), expression.operator, expression.endpoint);
  return compareWith(pathOf(value), '=', expression);
}

/** Whether a range can be evaluated: with its bounds exchanged, it is an error for every value. */
function isInOrder(start: Node, end: Node): boolean {
  const [low, high] = [constantOf(start), constantOf(end)];
  if (low === undefined || high === undefined) return false;
  const order = orderOf(low, high);
  return order !== undefined && order !== 'zones' && order <= 0;
}

function constantsOf({ expression }: TestNode): Node[] {
  if (expression.kind === 'range') return [expression.start, expression.end];
  return [expression.kind === 'unary comparison' ? expression.endpoint : expression];
}

/** All numbers or all strings: a value that one test accepts is then none that another test fails on. */
function areOfOneType(nodes: readonly Node[]): boolean {
  const types = new Set(nodes.map((node) => typeof constantOf(node)));
  return types.size === 1 && (types.has('number') || types.has('string'));
}

/** The verdicts of all parts; undefined if one is unknown, or if they are too long together. */
function eachOf<T>(parts: readonly T[], verdictsOfPart: (part: T) => Verdicts | undefined): Verdicts[] | undefined {
  const known: Verdicts[] = [];
  let length = 0;
  for (const part of parts) {
    const verdicts = verdictsOfPart(part);
    if (verdicts === undefined) return undefined;
    length += lengthOf(verdicts);
    if (length > MAX_VERDICTS_LENGTH) return undefined;
    known.push(verdicts);
  }
  return known;
}
