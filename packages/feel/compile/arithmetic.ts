/** `+ - * / **` and the sign. Numbers take the fast path; everything else goes to `arithmetic.ts`. */
import {
  addValues,
  divideValues,
  multiplyValues,
  negateValue,
  powerValues,
  subtractValues,
} from '../values/arithmetic.js';
import type { Code, CompileNode, NodeCompiler } from './compiler.js';
import type { ArithmeticNode } from '../tree.js';

const MAX = Number.MAX_SAFE_INTEGER;

/** Whether both operands and the result are integers that floating point computes exactly. */
function isExact(left: number, right: number, result: number): boolean {
  return (
    Number.isInteger(left) &&
    Number.isInteger(right) &&
    result <= MAX &&
    result >= -MAX &&
    left <= MAX &&
    left >= -MAX &&
    right <= MAX &&
    right >= -MAX
  );
}

const OPERATORS: Record<ArithmeticNode['operator'], (node: ArithmeticNode, left: Code, right: Code) => Code> = {
  '+':
    ({ at }, left, right) =>
    (run, cell) => {
      const a = left(run, cell);
      const b = right(run, cell);
      if (typeof a === 'number' && typeof b === 'number' && isExact(a, b, a + b)) return a + b;
      return addValues(run, at, a, b);
    },
  '-':
    ({ at }, left, right) =>
    (run, cell) => {
      const a = left(run, cell);
      const b = right(run, cell);
      if (typeof a === 'number' && typeof b === 'number' && isExact(a, b, a - b)) return a - b;
      return subtractValues(run, at, a, b);
    },
  '*':
    ({ at }, left, right) =>
    (run, cell) =>
      multiplyValues(run, at, left(run, cell), right(run, cell)),
  '/':
    ({ at }, left, right) =>
    (run, cell) =>
      divideValues(run, at, left(run, cell), right(run, cell)),
  '**':
    ({ at }, left, right) =>
    (run, cell) =>
      powerValues(run, at, left(run, cell), right(run, cell)),
};

export const arithmetic: NodeCompiler<'arithmetic'> = (node, compile: CompileNode) =>
  OPERATORS[node.operator](node, compile(node.left), compile(node.right));

export const negation: NodeCompiler<'negation'> = ({ operand, at }, compile) => {
  const code = compile(operand);
  return (run, cell) => negateValue(run, at, code(run, cell));
};
