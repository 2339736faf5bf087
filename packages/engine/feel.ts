/**
 * Evaluates the expressions of a graph: strict, in UTC, at the step's own time. A failing expression is a modeled
 * failure.
 */
import { evaluate, toJson } from '@perdure/feel/evaluate.js';
import { UNIT_WORK } from './budget.js';
import { failed, type Failure, type Result } from './failure.js';
import type { Expression } from './model/graph.js';
import type { Json, Variables } from './contract/json.js';
import type { Run } from './run.js';
import { variableScope } from './state/scopes.js';
import type { ElementInstance, ErrorType } from './state/state.js';

const SPENT_TOGETHER = `The expressions of this element together exceed the evaluation limit of ${UNIT_WORK} steps. Simplify them, give them less data, or spread them over several elements.`;

/** Cost of looking up a compiled expression, creating the scope, and reading the result. */
const WORK_PER_EVALUATION = 4;

/**
 * The value of `expression` as JSON (dates, times and durations as ISO strings).
 * @param what the place in the model, for the message: `condition of sequence flow f1`
 * @param extra names that take precedence over every scope
 */
export function value(
  run: Run,
  element: ElementInstance,
  expression: Expression,
  what: string,
  extra?: Variables,
): Result<Json> {
  const resolved = run.model.resolve(expression);
  if ('literal' in resolved) return { ok: true, value: resolved.literal };
  const { budget } = run;
  const outcome = evaluate(resolved.compiled, variableScope(run.state, element, extra), {
    now: run.now,
    mode: 'strict',
    steps: Math.max(0, budget.unit),
  });
  budget.chargeOperations(outcome.operations + WORK_PER_EVALUATION);
  if (outcome.ok) return { ok: true, value: toJson(outcome.value) as Json };
  const reason = outcome.error.code === 'BUDGET' && budget.unit <= 0 ? SPENT_TOGETHER : outcome.error.message;
  return failed({
    errorType: 'FeelError',
    errorCode: outcome.error.code,
    message: `The ${what} cannot be evaluated: ${reason}`,
  });
}

/** The value of `expression` if it is a string; any other value is a failure. */
export function text(
  run: Run,
  element: ElementInstance,
  expression: Expression,
  what: string,
  errorType: ErrorType = 'FeelError',
): Result<string> {
  return typed(
    value(run, element, expression, what),
    what,
    'a string',
    errorType,
    (found) => typeof found === 'string',
  );
}

/** The value of `expression` if it is true or false; any other value is a failure. */
export function truth(
  run: Run,
  element: ElementInstance,
  expression: Expression,
  what: string,
  extra?: Variables,
): Result<boolean> {
  return typed(
    value(run, element, expression, what, extra),
    what,
    'true or false',
    'FeelError',
    (found) => typeof found === 'boolean',
  );
}

/** The value of `expression` if it is an integer of at least `least`; any other value is a failure. */
export function integer(
  run: Run,
  element: ElementInstance,
  expression: Expression,
  what: string,
  least: number,
): Result<number> {
  const found = value(run, element, expression, what);
  // Camunda Modeler writes retries as text: retries="3".
  const number =
    found.ok && typeof found.value === 'string' && /^[0-9]{1,9}$/.test(found.value)
      ? { ok: true as const, value: Number(found.value) }
      : found;
  return typed(
    number,
    what,
    `a whole number of at least ${least}`,
    'FeelError',
    (given) => typeof given === 'number' && Number.isInteger(given) && given >= least,
  );
}

/** The value of `expression` if it is a list of strings (or one string); any other value is a failure. */
export function texts(run: Run, element: ElementInstance, expression: Expression, what: string): Result<string[]> {
  const found = value(run, element, expression, what);
  if (found.ok && typeof found.value === 'string') {
    return {
      ok: true,
      value: found.value
        .split(',')
        .map((part) => part.trim())
        .filter((part) => part !== ''),
    };
  }
  return typed(
    found,
    what,
    'a list of strings',
    'FeelError',
    (given) => Array.isArray(given) && given.every((item) => typeof item === 'string'),
  );
}

function typed<T>(
  result: Result<Json>,
  what: string,
  expected: string,
  errorType: ErrorType,
  fits: (found: Json) => boolean,
): Result<T> {
  if (!result.ok) return errorType === 'FeelError' ? result : failed({ ...result.failure, errorType });
  if (fits(result.value)) return { ok: true, value: result.value as T };
  const failure: Failure = {
    errorType,
    errorCode: 'TYPE_MISMATCH',
    message: `The ${what} must be ${expected}, but is ${describe(result.value)}`,
  };
  return failed(failure);
}

/** The FEEL name of a value's type; never the value, which may be confidential. */
function describe(found: Json): string {
  if (found === null) return 'null';
  if (Array.isArray(found)) return 'a list';
  return typeof found === 'object' ? 'a context' : `a ${typeof found}`;
}
