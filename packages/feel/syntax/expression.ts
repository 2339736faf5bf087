/** Operators by precedence (DMN 1.5 section 10.3.1.2: the alternatives of rule 2 in ascending order, each of them left associative). */
import { parseNumber } from '../values/decimal.js';
import type { Span } from '../errors.js';
import type { ArithmeticOperator, ComparisonOperator, Node, TestNode } from '../tree.js';
import type { Parser, Place } from './parser.js';
import { readPostfix } from './postfix.js';
import { readPrimary } from './primary.js';
import { bind } from './names/scope.js';
import { readGroup, testOf } from './tests.js';
import { readType } from './types.js';

const LOWEST = 1;
const ADDITIVE = 4;

const LEVELS: Readonly<Record<string, number>> = {
  or: 1,
  and: 2,
  '=': 3,
  '!=': 3,
  '<': 3,
  '<=': 3,
  '>': 3,
  '>=': 3,
  between: 3,
  in: 3,
  '+': ADDITIVE,
  '-': ADDITIVE,
  '*': 5,
  '/': 5,
  '**': 6,
  '^': 6,
};

const COMPARISONS: readonly string[] = ['=', '!=', '<', '<=', '>', '>='];

/** A whole expression; only its beginning can be a comparison without a left side. */
export function readExpression(parser: Parser, scope: Place): Node {
  const { from } = parser.cursor.token;
  return continueWith(
    parser,
    scope,
    startsComparison(parser) ? readUnaryComparison(parser, scope) : readOperand(parser, scope),
    from,
    LOWEST,
  );
}

function startsComparison({ cursor }: Parser): boolean {
  return cursor.token.kind === 'sign' && COMPARISONS.includes(cursor.token.text);
}

function readUnaryComparison(parser: Parser, scope: Place): Node {
  const { cursor } = parser;
  const operator = cursor.advance();
  const endpoint = readOperation(parser, scope, ADDITIVE);
  return {
    kind: 'unary comparison',
    operator: operator.text as ComparisonOperator,
    endpoint,
    at: cursor.since(operator.from),
  };
}

/** Operands and the operators from a level upwards. */
function readOperation(parser: Parser, scope: Place, lowest: number): Node {
  const { from } = parser.cursor.token;
  return continueWith(parser, scope, readOperand(parser, scope), from, lowest);
}

function continueWith(parser: Parser, scope: Place, first: Node, from: number, lowest: number): Node {
  const { cursor } = parser;
  let left = first;
  for (let level = levelOf(parser); level >= lowest; level = levelOf(parser)) {
    const operator = cursor.advance().text;
    const make = readRest(parser, scope, operator, level);
    left = make(left, cursor.since(from));
  }
  return left;
}

/** The right side of `in`: tests in parentheses, or one test, without operators of lower precedence than arithmetic. */
function readInTests(parser: Parser, outer: Place): TestNode[] {
  const { cursor } = parser;
  const scope = bind(outer, '?');
  const { from } = cursor.token;
  if (startsComparison(parser)) return [testOf(parser, scope, readUnaryComparison(parser, scope))];
  if (!cursor.is('(')) return [testOf(parser, scope, readOperation(parser, scope, ADDITIVE))];
  const group = readGroup(parser, outer);
  if (group.kind === 'tests') return group.tests;
  // A single test in parentheses may be the start of a longer one: `x in (a + b) * 2`.
  const operand = readInstanceOf(parser, readPostfix(parser, group.scope, group.node, from), from);
  return [testOf(parser, group.scope, continueWith(parser, group.scope, operand, from, ADDITIVE))];
}

/** 0 if no operator follows. */
function levelOf({ cursor }: Parser): number {
  const { kind, text } = cursor.token;
  return (kind === 'sign' || kind === 'word') && Object.hasOwn(LEVELS, text) ? (LEVELS[text] as number) : 0;
}

/** The part after an operator; the node is created once its end is known. */
function readRest(parser: Parser, scope: Place, operator: string, level: number): (left: Node, at: Span) => Node {
  if (operator === 'in') {
    const tests = readInTests(parser, scope);
    return (value, at) => ({ kind: 'in', value, tests, at });
  }
  const right = readOperation(parser, scope, level + 1);
  if (operator === 'between') {
    parser.cursor.expect('and');
    const high = readOperation(parser, scope, level + 1);
    return (value, at) => ({ kind: 'between', value, low: right, high, at });
  }
  if (operator === 'and' || operator === 'or') return (left, at) => ({ kind: operator, left, right, at });
  if (COMPARISONS.includes(operator))
    return (left, at) => ({ kind: 'comparison', operator: operator as ComparisonOperator, left, right, at });
  const sign = operator === '^' ? '**' : (operator as ArithmeticOperator);
  return (left, at) => ({ kind: 'arithmetic', operator: sign, left, right, at });
}

function readOperand(parser: Parser, scope: Place): Node {
  const { cursor } = parser;
  const { from } = cursor.token;
  const isNegative = cursor.is('-');
  if (isNegative || cursor.is('+')) {
    if (isNegative && cursor.peek().kind === 'number') return readNegativeNumber(parser, scope);
    cursor.advance();
    const operand = cursor.nested(() => readOperand(parser, scope));
    return isNegative ? { kind: 'negation', operand, at: cursor.since(from) } : operand;
  }
  return readInstanceOf(parser, readPostfix(parser, scope, readPrimary(parser, scope), from), from);
}

/** A sign before digits is part of the number (grammar rule 35). */
function readNegativeNumber(parser: Parser, scope: Place): Node {
  const { cursor } = parser;
  const { from } = cursor.advance();
  const text = `-${cursor.advance().text}`;
  const value = parseNumber(text);
  const at = cursor.since(from);
  const number: Node = typeof value === 'number' ? { kind: 'literal', value, at } : { kind: 'decimal', text, at };
  return readInstanceOf(parser, readPostfix(parser, scope, number, from), from);
}

function readInstanceOf(parser: Parser, first: Node, from: number): Node {
  const { cursor } = parser;
  let value = first;
  while (cursor.accept('instance')) {
    cursor.expect('of');
    const type = readType(parser);
    value = { kind: 'instance of', value, type, at: cursor.since(from) };
  }
  return value;
}
