/** `instance of`. */
import { conforms, resolveTypeNode } from '../values/types.js';
import type { NodeCompiler } from './compiler.js';

export const instanceOf: NodeCompiler<'instance of'> = ({ value, type, at }, compile) => {
  const code = compile(value);
  return (run, cell) => {
    const tested = code(run, cell);
    const resolved = resolveTypeNode(type, run.environment.resolveType);
    if (resolved === undefined) return run.fail(at, 'INVALID_ARGUMENT', 'There is no type with this name.');
    return conforms(tested, resolved, () => run.charge(1, at));
  };
};
