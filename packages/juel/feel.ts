/** FEEL of the same meaning as an expression of JUEL, where that is certain. */
import { functionAsFeel, methodAsFeel } from './calls.js';
import type { Names } from './names.js';
import { map } from './optional.js';
import type { Expression } from './parser.js';

/** Undefined if no equivalent is certain. */
export function asFeel(expression: Expression, names: Names): string | undefined {
  const write = (inner: Expression): string | undefined => asFeel(inner, names);
  switch (expression.kind) {
    case 'string':
      return feelString(expression.text);
    case 'number':
      return expression.text.toLowerCase().includes('e') ? undefined : expression.text;
    case 'name':
      return CONSTANTS.has(expression.text) ? expression.text : ownName(expression.text, names);
    case 'unary':
      return map(group(expression.operand, write), (operand) => unary(expression.operator, operand));
    case 'binary':
      return binary(expression, write);
    case 'choice': {
      const [condition, then, otherwise] = [expression.condition, expression.then, expression.otherwise].map(write);
      return condition === undefined || then === undefined || otherwise === undefined
        ? undefined
        : `if ${condition} then ${then} else ${otherwise}`;
    }
    case 'member':
      return map(group(expression.of, write), (of) => `${of}.${expression.name}`);
    case 'index':
      return index(expression, write);
    case 'call':
      return expression.target.kind === 'member'
        ? methodAsFeel(expression.target, expression.arguments, (inner) => group(inner, write))
        : functionAsFeel(expression.target, expression.arguments, write);
  }
}

export function feelString(text: string): string {
  return JSON.stringify(text);
}

const CONSTANTS = new Set(['true', 'false', 'null']);

/** Words with another meaning at the start of a FEEL expression. After a dot they are names. */
const RESERVED: ReadonlySet<string> = new Set([
  'and',
  'between',
  'else',
  'every',
  'external',
  'for',
  'function',
  'if',
  'in',
  'instance',
  'not',
  'of',
  'or',
  'return',
  'satisfies',
  'some',
  'then',
]);

function ownName(name: string, names: Names): string | undefined {
  return RESERVED.has(name) || name.includes('$') || name.includes(':') ? undefined : names(name);
}

/** Of an operand, in parentheses if it has operators. */
function group(inner: Expression, write: (inner: Expression) => string | undefined): string | undefined {
  const isCompound =
    inner.kind === 'binary' || inner.kind === 'choice' || (inner.kind === 'unary' && inner.operator === '-');
  return map(write(inner), (feel) => (isCompound ? `(${feel})` : feel));
}

function unary(operator: string, operand: string): string {
  const bare = operand.startsWith('(') && operand.endsWith(')') ? operand.slice(1, -1) : operand;
  if (operator === '!') return `not(${bare})`;
  if (operator === '-') return `-${operand}`;
  return `list contains([null, "", [], {}], ${bare})`;
}

const OPERATORS: { readonly [juel: string]: string } = { '==': '=', '&&': 'and', '||': 'or' };

function binary(
  { operator, left, right }: Extract<Expression, { kind: 'binary' }>,
  write: (inner: Expression) => string | undefined,
): string | undefined {
  if (operator === '%')
    return map(write(left), (dividend) => map(write(right), (divisor) => `modulo(${dividend}, ${divisor})`));
  if (operator === '+' && !isNumber(left) && !isNumber(right))
    return map(write(left), (first) => map(write(right), (second) => `number(${first}) + number(${second})`));
  const feel = OPERATORS[operator] ?? operator;
  // `a and b and c` needs no parentheses; everything else that is nested gets them, `a and (b and c)` too.
  const isChain = left.kind === 'binary' && left.operator === operator && CHAINED.has(operator);
  const side = (inner: Expression) =>
    inner.kind === 'binary' && BELOW_LOGICAL[operator]?.has(inner.operator) ? write(inner) : group(inner, write);
  return map(isChain ? write(left) : side(left), (first) => map(side(right), (second) => `${first} ${feel} ${second}`));
}

const ARITHMETIC: ReadonlySet<string> = new Set(['+', '-', '*', '/', '%']);

/**
 * Whether it can only be a number. JUEL adds texts as numbers (JSR 245, section 1.7.1); the `+` of FEEL joins two texts,
 * and fails for a text and a number.
 */
function isNumber(expression: Expression): boolean {
  if (expression.kind === 'number') return true;
  if (expression.kind === 'unary') return expression.operator === '-';
  return expression.kind === 'binary' && ARITHMETIC.has(expression.operator);
}

/** Operators that need no parentheses around an equal one on their left. */
const CHAINED: ReadonlySet<string> = new Set(['&&', '||', '+', '*']);
const COMPARISONS: ReadonlySet<string> = new Set(['==', '!=', '<', '<=', '>', '>=']);
/** Operators that bind tighter in both languages. */
const BELOW_LOGICAL: { readonly [operator: string]: ReadonlySet<string> } = {
  '&&': COMPARISONS,
  '||': new Set([...COMPARISONS, '&&']),
};

/** Indexes start at 0 there and at 1 here. */
function index(
  { of, index: at }: Extract<Expression, { kind: 'index' }>,
  write: (inner: Expression) => string | undefined,
): string | undefined {
  const list = group(of, write);
  if (at.kind === 'string') return map(list, (context) => `get value(${context}, ${feelString(at.text)})`);
  // A name may hold a key as well as a number.
  if (at.kind !== 'number') return undefined;
  return map(list, (items) => `${items}[${Number(at.text) + 1}]`);
}
