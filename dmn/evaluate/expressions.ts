/** Loading of expressions. */
import { compile } from '../../feel/evaluate.js';
import type { Code } from '../../feel/compile/compiler.js';
import type { Expression } from '../model.js';
import { fail } from './failures.js';

export type { Code } from '../../feel/compile/compiler.js';

/** The code of an expression; one that could not be read fails when it is evaluated. */
export function codeOf(expression: Expression): Code {
  if ('unreadable' in expression) return (run) => fail(run, 'SYNTAX', `${expression.unreadable}.`);
  return compile(expression).code;
}
