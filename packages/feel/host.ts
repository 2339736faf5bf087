/**
 * FEEL functions and their host: host functions as values, calls of function values from outside, and nested
 * evaluations, which share the budget, mode and diagnostics of the outer one.
 */
import { fitArguments } from './compile/calls.js';
import type { CompiledExpression } from './compile/compiler.js';
import type { Span } from './errors.js';
import { FeelFunction, type Parameter } from './functions.js';
import type { Run, VariableSource } from './run.js';
import type { FeelValue } from './values/values.js';

export { FeelFunction, type Parameter } from './functions.js';

/** The evaluation that called a host function. */
export interface Caller {
  /** Evaluates another expression as part of the calling one. */
  evaluate(expression: CompiledExpression, variables: VariableSource): FeelValue;
  /** Calls a function value as part of the calling evaluation, with positional arguments. */
  call(fn: FeelFunction, args: readonly FeelValue[]): FeelValue;
  /** Reports a failure at the call: ends a strict evaluation, returns null in a lenient one. */
  fail(code: 'INVALID_ARGUMENT' | 'TYPE_MISMATCH' | 'UNSUPPORTED', message: string): null;
}

/**
 * A host function as a FEEL value, for instance a business knowledge model. Arguments are checked against the number
 * and types of the parameters, in order, before `body` sees them. It counts as one level of function calls.
 */
export function hostFunction(
  name: string,
  parameters: readonly Parameter[],
  body: (args: FeelValue[], caller: Caller) => FeelValue,
): FeelFunction {
  return new FeelFunction(name, parameters, (run, args, at, names) => {
    run.charge(1, at);
    const fitted = fitArguments(run, at, parameters, args, names);
    if (fitted === null) return null;
    run.enter(at);
    const value = body(fitted, callerOf(run, at));
    run.leave();
    return value;
  });
}

function callerOf(run: Run, at: Span): Caller {
  return {
    evaluate: (expression, variables) => run.within(variables, (inner) => expression.code(inner, null)),
    call: (fn, args) => fn.invoke(run, [...args], at),
    fail: (code, message) => run.fail(at, code, message),
  };
}
