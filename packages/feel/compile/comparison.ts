/** `=`, `!=`, orderings, `between`, `in`, and the unary tests of decision tables. */
import { equalValues } from '../values/equality.js';
import { compareValues } from '../values/order.js';
import { createRange } from '../values/range.js';
import type { Cell, Run } from '../run.js';
import type { ComparisonOperator, RangeNode, TestNode, UnaryComparisonNode } from '../tree.js';
import { matches } from '../values/unary.js';
import type { FeelValue } from '../values/values.js';
import type { Code, CompileNode, NodeCompiler } from './compiler.js';
import type { Span } from '../errors.js';

/** From this length on, comparing strings counts as work. */
const LONG_STRING = 1000;

/**
 * Numbers and strings are compared directly. Each operator is written out, because a shared comparison would cost as
 * much as everything else.
 */
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

/** A unary test of an input, which is also in the innermost cell. */
type Test = (run: Run, cell: Cell | null, input: FeelValue) => boolean | null;

function compileTest(test: TestNode, compile: CompileNode): Test {
  const { expression } = test;
  if (expression.kind === 'unary comparison') return comparisonTest(expression, compile);
  if (expression.kind === 'range') return rangeTest(expression, compile);
  return test.usesInput ? inputTest(test, compile) : valueTest(test, compile);
}

/** If an expression contains `?`, its boolean result is the answer; any other value is compared with the input. */
function inputTest({ at, expression }: TestNode, compile: CompileNode): Test {
  const code = compile(expression);
  return (run, cell, input) => {
    const value = code(run, cell);
    return typeof value === 'boolean' || value === null ? value : matches(run, at, input, value);
  };
}

function valueTest({ at, expression }: TestNode, compile: CompileNode): Test {
  const code = compile(expression);
  return (run, cell, input) => {
    const value = code(run, cell);
    if (typeof value === 'number' && typeof input === 'number') return value === input;
    if (typeof value === 'string' && typeof input === 'string' && value.length < LONG_STRING) return value === input;
    return matches(run, at, input, value);
  };
}

/** `< 5`, without creating a range. */
function comparisonTest({ operator, endpoint, at }: UnaryComparisonNode, compile: CompileNode): Test {
  const compare = OPERATORS[operator](at, inputOfCell, compile(endpoint));
  return compare as Test;
}

const inputOfCell: Code = (_run, cell) => (cell as Cell).value;

/** `[1..5]`, for numbers without creating a range. An invalid range gives no answer. */
function rangeTest({ start, end, startIncluded, endIncluded, at }: RangeNode, compile: CompileNode): Test {
  const low = compile(start);
  const high = compile(end);
  return (run, cell, input) => {
    const from = low(run, cell);
    const to = high(run, cell);
    if (typeof input === 'number' && typeof from === 'number' && typeof to === 'number' && from <= to) {
      return (startIncluded ? input >= from : input > from) && (endIncluded ? input <= to : input < to);
    }
    const range = createRange(run, at, from, to, startIncluded, endIncluded);
    return range === null ? null : matches(run, at, input, range);
  };
}

/** Three-valued `or` over the tests. */
function anyTest(tests: readonly Test[]): Test {
  const [only] = tests;
  if (only !== undefined && tests.length === 1) return only;
  return (run, cell, input) => {
    let unknown = false;
    for (const test of tests) {
      const answer = test(run, cell, input);
      if (answer === true) return true;
      if (answer === null) unknown = true;
    }
    return unknown ? null : false;
  };
}

export const inTests: NodeCompiler<'in'> = (node, compile) => {
  const value = compile(node.value);
  const test = anyTest(node.tests.map((each) => compileTest(each, compile)));
  return (run, cell) => {
    const input = value(run, cell);
    return test(run, { value: input, up: cell }, input);
  };
};

export const unaryTests: NodeCompiler<'unary tests'> = (node, compile) => {
  const test = anyTest(node.tests.map((each) => compileTest(each, compile)));
  const { at, negated } = node;
  return (run, outer) => {
    const cell = outer ?? inputCell(run);
    if (cell === null) return run.fail(at, 'UNRESOLVED_VARIABLE', 'There is no input value ("?") to test.');
    const found = test(run, cell, cell.value);
    return found === null ? null : found !== negated;
  };
};

/** The input as a variable, if the host provides it in that form. */
function inputCell(run: Run): Cell | null {
  const value = run.variable('?');
  return value === undefined ? null : { value, up: null };
}

export const anyInput: NodeCompiler<'any input'> = () => () => true;

/** `parseFeel` does not produce tests outside `in` and unary tests; the value of one is that of its expression. */
export const test: NodeCompiler<'test'> = ({ expression }, compile) => compile(expression);
