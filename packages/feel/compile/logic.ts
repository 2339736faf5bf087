/**
 * Logic: `and`, `or`, `if`. Both sides of `and` and `or` are always evaluated, so an error next to `true or` is still
 * an error.
 */
import type { Run } from '../run.js';
import type { Span } from '../errors.js';
import { describeType, type FeelValue } from '../values/values.js';
import type { NodeCompiler } from './compiler.js';

/** A boolean, or null after the failure was recorded. */
function truth(run: Run, at: Span, value: FeelValue, where: string): boolean | null {
  if (typeof value === 'boolean') return value;
  return run.fail(at, 'TYPE_MISMATCH', `${where} must be a boolean, but is ${describeType(value)}.`);
}

export const and: NodeCompiler<'and'> = (node, compile) => {
  const left = compile(node.left);
  const right = compile(node.right);
  return (run, cell) => {
    const a = left(run, cell);
    const b = right(run, cell);
    if (typeof a === 'boolean' && typeof b === 'boolean') return a && b;
    const first = truth(run, node.left.at, a, '"and"');
    const second = truth(run, node.right.at, b, '"and"');
    return first === false || second === false ? false : null;
  };
};

export const or: NodeCompiler<'or'> = (node, compile) => {
  const left = compile(node.left);
  const right = compile(node.right);
  return (run, cell) => {
    const a = left(run, cell);
    const b = right(run, cell);
    if (typeof a === 'boolean' && typeof b === 'boolean') return a || b;
    const first = truth(run, node.left.at, a, '"or"');
    const second = truth(run, node.right.at, b, '"or"');
    return first === true || second === true ? true : null;
  };
};

export const ifThenElse: NodeCompiler<'if'> = (node, compile) => {
  const condition = compile(node.condition);
  const then = compile(node.then);
  const otherwise = compile(node.else);
  return (run, cell) => {
    const value = condition(run, cell);
    if (value === true) return then(run, cell);
    if (value !== false) truth(run, node.condition.at, value, 'The condition of "if"');
    return otherwise(run, cell);
  };
};
