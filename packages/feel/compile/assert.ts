/** `assert(value, condition, "cause")`: a literal cause becomes the message of the failure. */
import { Failure } from '../errors.js';
import type { CallNode } from '../tree.js';
import type { Code } from './compiler.js';

export function assertCall(node: CallNode, call: Code): Code {
  const cause = node.arguments[node.names?.indexOf('cause') ?? 2];
  if (cause?.kind !== 'literal' || typeof cause.value !== 'string') return call;
  const message = cause.value;
  return (run, cell) => {
    try {
      return run.strictly(() => call(run, cell));
    } catch (failure) {
      if (!(failure instanceof Failure) || failure.code === 'BUDGET') throw failure;
      return run.fail(
        failure.span,
        failure.code,
        failure.code === 'ASSERTION_FAILED' && failure.span === node.at ? message : failure.message,
      );
    }
  };
}
