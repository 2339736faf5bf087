/** `=`, `!=`, orderings, `between`, `in`, and the unary tests of decision tables. */
import { equalValues } from '../equality.js';
import { compareValues } from '../order.js';
import type { Cell } from '../run.js';
import type { ComparisonOperator, TestNode } from '../tree.js';
import { matches, matchesAny } from '../unary.js';
import type { FeelValue } from '../values.js';
import type { Code, CompileNode, NodeCompiler } from './compiler.js';
import type { Span } from '../errors.js';

/** From here on a comparison of strings counts as work. */
const LONG_STRING = 1000;

/** Numbers and strings compare at once; each operator is written out, because a shared comparison would cost as much as the rest. */
const OPERATORS: Record<ComparisonOperator, (at: Span, left: Code, right: Code) => Code> = {
  '=': (at, left, right) => (run, cell) => {
    const a = left(run, cell);
    const b = right(run, cell);
    if (typeof a === 'number' && typeof b === 'number') return a === b;
    if (typeof a === 'string' && typeof b === 'string' && a.length < LONG_STRING) return a === b;
    return equalValues(run, at, a, b);
  },
  '!=': (at, left, right) => (run, cell) => {
    const a = left(run, cell);
    const b = right(run, cell);
    if (typeof a === 'number' && typeof b === 'number') return a !== b;
    if (typeof a === 'string' && typeof b === 'string' && a.length < LONG_STRING) return a !== b;
    const equal = equalValues(run, at, a, b);
    return equal === null ? null : !equal;
  },
  '<': (at, left, right) => (run, cell) => {
    const a = left(run, cell);
    const b = right(run, cell);
    if (typeof a === 'number' && typeof b === 'number') return a < b;
    const order = compareValues(run, at, a, b);
    return order === null ? null : order < 0;
  },
  '<=': (at, left, right) => (run, cell) => {
    const a = left(run, cell);
    const b = right(run, cell);
    if (typeof a === 'number' && typeof b === 'number') return a <= b;
    const order = compareValues(run, at, a, b);
    return order === null ? null : order <= 0;
  },
  '>': (at, left, right) => (run, cell) => {
    const a = left(run, cell);
    const b = right(run, cell);
    if (typeof a === 'number' && typeof b === 'number') return a > b;
    const order = compareValues(run, at, a, b);
    return order === null ? null : order > 0;
  },
  '>=': (at, left, right) => (run, cell) => {
    const a = left(run, cell);
    const b = right(run, cell);
    if (typeof a === 'number' && typeof b === 'number') return a >= b;
    const order = compareValues(run, at, a, b);
    return order === null ? null : order >= 0;
  },
};

export const comparison: NodeCompiler<'comparison'> = (node, compile) =>
  OPERATORS[node.operator](node.at, compile(node.left), compile(node.right));

export const between: NodeCompiler<'between'> = (node, compile) => {
  const value = compile(node.value);
  const low = compile(node.low);
  const high = compile(node.high);
  return (run, cell) => {
    const tested = value(run, cell);
    const aboveLow = compareValues(run, node.at, tested, low(run, cell));
    const belowHigh = compareValues(run, node.at, tested, high(run, cell));
    return aboveLow === null || belowHigh === null ? null : aboveLow >= 0 && belowHigh <= 0;
  };
};

/** A unary test on the value that the innermost cell, or the variable `?`, holds. */
function compileTest(test: TestNode, compile: CompileNode): (...args: [...Parameters<Code>, input: FeelValue]) => boolean | null {
  const expression = compile(test.expression);
  const { at, usesInput } = test;
  if (usesInput) return (run, cell) => expression(run, cell) === true;
  return (run, cell, input) => matches(run, at, input, expression(run, cell));
}

export const inTests: NodeCompiler<'in'> = (node, compile) => {
  const value = compile(node.value);
  const tests = node.tests.map((test) => compileTest(test, compile));
  return (run, cell) => {
    const input = value(run, cell);
    const inner: Cell = { value: input, up: cell };
    return matchesAny(tests, (test) => test(run, inner, input));
  };
};

export const unaryTests: NodeCompiler<'unary tests'> = (node, compile) => {
  const tests = node.tests.map((test) => compileTest(test, compile));
  const { at, negated } = node;
  return (run, cell) => {
    const input = run.variable('?');
    if (input === undefined) return run.fail(at, 'UNRESOLVED_VARIABLE', 'There is no input value ("?") to test.');
    const found = matchesAny(tests, (test) => test(run, cell, input));
    return found === null ? null : found !== negated;
  };
};

export const anyInput: NodeCompiler<'any input'> = () => () => true;

/** A test outside of `in` and unary tests does not occur in a tree that `parseFeel` made; its value is that of its expression. */
export const test: NodeCompiler<'test'> = ({ expression }, compile) => compile(expression);
