/**
 * FEEL at run time: compiles a stored tree and evaluates it. Deterministic and without the parser, so that workflow code may import it.
 */
import { compileTree } from './compile/index.js';
import type { Code, CompiledExpression } from './compile/compiler.js';
import { Failure, type FeelError } from './errors.js';
import type { FeelFunction } from './functions.js';
import { chargeResult } from './result-size.js';
import { Run, type Environment, type VariableSource } from './run.js';
import type { StoredTree } from './tree.js';
import { upgradeTree } from './upgrade.js';
import type { FeelValue } from './values/values.js';

export type { CompiledExpression } from './compile/compiler.js';
export { DEFAULT_BUDGET, type Budget } from './budget.js';
export type { FeelError, FeelErrorCode } from './errors.js';
export { fromJson, toJson, type Json } from './json.js';
export type { Environment, VariableLookup, VariableRecord, VariableSource } from './run.js';
export { FeelFunction, hostFunction, type Caller, type Parameter } from './host.js';
export type { FeelTree } from './tree.js';
export type { FeelType } from './values/feel-type.js';
export { coerce, conforms, simpleType } from './values/types.js';
export { typeOf, type FeelContext, type FeelValue, type TypeName } from './values/values.js';

export interface Evaluated {
  ok: true;
  value: FeelValue;
  /** Failures of a lenient evaluation; absent if none occurred. */
  diagnostics?: FeelError[];
  /** Steps that the evaluation used, including the cost of serializing its result as JSON. */
  operations: number;
}

export interface NotEvaluated {
  ok: false;
  error: FeelError;
  /** Steps used up to the failure. */
  operations: number;
}

/** Compiles a tree produced by `parseFeel` of this or an earlier version. */
export function compile(tree: StoredTree): CompiledExpression {
  return compileTree(upgradeTree(tree).root);
}

/**
 * Evaluates an expression; unary tests read their input from the variable `?`. Never throws: every error is in the
 * result.
 */
export function evaluate(
  expression: CompiledExpression,
  variables: VariableSource,
  environment: Environment,
): Evaluated | NotEvaluated {
  return conclude(new Run(variables, environment), expression.code, expression.size);
}

/** Several evaluations that share one budget, for instance the cells of a decision table. */
export class Evaluation {
  private readonly run: Run;

  constructor(environment: Environment) {
    this.run = new Run({}, environment);
  }

  /** Like `evaluate`; diagnostics are those since the last call of this method or of `takeDiagnostics`. */
  evaluate(expression: CompiledExpression, variables: VariableSource): Evaluated | NotEvaluated {
    this.run.use(variables);
    const result = conclude(this.run, expression.code, expression.size);
    this.run.diagnostics = undefined;
    return result;
  }

  /**
   * Whether an input passes unary tests; null if they give no answer. A result object is created only if the evaluation
   * fails.
   */
  test(tests: CompiledExpression, input: FeelValue, variables: VariableSource): boolean | null | NotEvaluated {
    this.run.use(variables);
    const before = this.run.operations;
    try {
      this.run.charge(tests.size, [0, 0]);
      return tests.code(this.run, { value: input, up: null }) as boolean | null;
    } catch (thrown) {
      return { ok: false, error: failureOf(thrown).toError(), operations: this.run.operations - before };
    }
  }

  /** Failures of lenient tests since the last call. */
  takeDiagnostics(): FeelError[] {
    const { diagnostics } = this.run;
    this.run.diagnostics = undefined;
    return diagnostics ?? [];
  }
}

/** Calls a function value with positional arguments. Never throws. */
export function callFunction(
  fn: FeelFunction,
  args: readonly FeelValue[],
  environment: Environment,
): Evaluated | NotEvaluated {
  return conclude(new Run({}, environment), (run) => fn.invoke(run, [...args], [0, 0]), 1);
}

function conclude(run: Run, code: Code, size: number): Evaluated | NotEvaluated {
  const before = run.operations;
  try {
    run.charge(size, [0, 0]);
    const value = code(run, null);
    if (isWrittenOut(value)) chargeResult(run, value);
    const operations = run.operations - before;
    return run.diagnostics === undefined
      ? { ok: true, value, operations }
      : { ok: true, value, diagnostics: run.diagnostics, operations };
  } catch (thrown) {
    return { ok: false, error: failureOf(thrown).toError(), operations: run.operations - before };
  }
}

/** Whether serializing the value counts as work. */
function isWrittenOut(value: FeelValue): boolean {
  return typeof value === 'string' ? value.length >= 64 : typeof value === 'object' && value !== null;
}

/**
 * Converts a thrown value to a failure. Any other value is a stack overflow or a bug in this code or in a host
 * function.
 */
function failureOf(thrown: unknown): Failure {
  if (thrown instanceof Failure) return thrown;
  const name = thrown instanceof Error ? thrown.name : typeof thrown;
  if (name === 'RangeError') return new Failure('BUDGET', 'The expression or its data is nested too deeply.', [0, 0]);
  return new Failure('INTERNAL', `The evaluation failed unexpectedly (${name}).`, [0, 0]);
}
