/** Loading of expressions. */
import { compile, type CompiledExpression } from '@perdure/feel/evaluate.js';
import type { Code } from '@perdure/feel/compile/compiler.js';
import type { Expression } from '../model.js';
import { fail, NOWHERE } from './failures.js';

export type { Code } from '@perdure/feel/compile/compiler.js';

/** The code of an expression, charged by its size each time. One that could not be read fails on evaluation. */
export function codeOf(expression: Expression): Code {
  const { code, size } = compiled(expression);
  return (run, cell) => {
    run.charge(size, NOWHERE);
    return code(run, cell);
  };
}

/**
 * Nodes of a cell that cost as much as one step: a table evaluates thousands of cells, most of which end at their first
 * node.
 */
const NODES_PER_STEP = 8;

/** The code of a cell of a decision table. The table charges one step per cell; only a large cell is charged more. */
export function cellOf(expression: Expression): Code {
  const { code, size } = compiled(expression);
  if (size < NODES_PER_STEP) return code;
  const steps = Math.floor(size / NODES_PER_STEP);
  return (run, cell) => {
    run.charge(steps, NOWHERE);
    return code(run, cell);
  };
}

function compiled(expression: Expression): CompiledExpression {
  if ('unreadable' in expression) return { code: (run) => fail(run, 'SYNTAX', `${expression.unreadable}.`), size: 1 };
  return compile(expression);
}
