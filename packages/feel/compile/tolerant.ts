/** `is defined(x)` and `get or else(x, default)`: how strict expressions handle names that may be missing. */
import { Failure, type FeelErrorCode } from '../errors.js';
import type { Cell, Run } from '../run.js';
import type { CallNode } from '../tree.js';
import type { FeelValue } from '../values/values.js';
import type { Code } from './compiler.js';

const MISSING: ReadonlySet<FeelErrorCode> = new Set<FeelErrorCode>([
  'UNRESOLVED_VARIABLE',
  'UNRESOLVED_ENTRY',
  'INDEX_OUT_OF_RANGE',
]);

/** Cost of throwing and catching. */
const CAUGHT_STEPS = 4;

/**
 * Evaluates a part; `undefined` if a name, entry or item in it is missing. Other failures are handled by the current
 * mode.
 */
function tolerate(run: Run, cell: Cell | null, code: Code): FeelValue | undefined {
  try {
    return run.strictly(() => code(run, cell));
  } catch (failure) {
    if (!(failure instanceof Failure) || failure.code === 'BUDGET') throw failure;
    run.charge(CAUGHT_STEPS, failure.span);
    if (MISSING.has(failure.code)) return undefined;
    return run.fail(failure.span, failure.code, failure.message);
  }
}

export function tolerantCall(node: CallNode, name: string, args: readonly Code[]): Code {
  const { at } = node;
  const [value, fallback] = order(node, name, args);
  if (name === 'is defined') {
    if (args.length !== 1 || value === undefined)
      return (run) => run.fail(at, 'INVALID_ARGUMENT', '"is defined" takes one argument, "value".');
    return (run, cell) => tolerate(run, cell, value) !== undefined;
  }
  if (args.length !== 2 || value === undefined || fallback === undefined) {
    return (run) => run.fail(at, 'INVALID_ARGUMENT', '"get or else" takes two arguments, "value" and "default".');
  }
  return (run, cell) => tolerate(run, cell, value) ?? fallback(run, cell);
}

function order(node: CallNode, name: string, args: readonly Code[]): readonly (Code | undefined)[] {
  const { names } = node;
  if (names === undefined) return args;
  const parameters = name === 'is defined' ? ['value'] : ['value', 'default'];
  return parameters.map((parameter) => args[names.indexOf(parameter)]);
}
