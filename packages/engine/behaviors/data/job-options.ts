/**
 * The priority of a task's jobs, and their limit key: jobs of a type with the same key have the limit of the type in common,
 * which the host enforces. Both are evaluated once, when the job is created. BPMN has neither: the extension element of the
 * priority is that of Camunda 8.
 */
import type { FactOf } from '../../contract/facts.js';
import { failed, type Result } from '../../failure.js';
import { value } from '../../feel.js';
import type { Expression } from '../../model/graph.js';
import type { Compiler, SourceElement } from '../../model/source.js';
import type { Run } from '../../run.js';
import type { ElementInstance } from '../../state/state.js';

export const DEFAULT_JOB_PRIORITY = 0;

const LOWEST = -(2 ** 31);
const HIGHEST = 2 ** 31 - 1;
const EXPECTED_PRIORITY = `a whole number from ${LOWEST} to ${HIGHEST}`;

/** Reads `jobPriorityDefinition` of the task, or else of the process; undefined if neither has one. */
export function compileJobPriority(source: SourceElement, compiler: Compiler): Expression | undefined {
  const given = source.inheritedExtension('jobPriorityDefinition')?.attribute('priority');
  if (!given) return undefined;
  const expression = compiler.expression(source, given, 'job priority');
  if ('literal' in expression && expression.literal !== null && readPriority(expression.literal) === undefined)
    compiler.problem(
      'error',
      source,
      `The job priority of ${source.id} must be ${EXPECTED_PRIORITY}, but is ${JSON.stringify(given)}`,
    );
  return expression;
}

/** A value that is neither valid nor null is a failure. */
export function evaluateJobPriority(
  run: Run,
  element: ElementInstance,
  priority: Expression | undefined,
): Result<number> {
  if (!priority) return { ok: true, value: DEFAULT_JOB_PRIORITY };
  const found = value(run, element, priority, 'job priority');
  if (!found.ok) return found;
  const number = found.value === null ? DEFAULT_JOB_PRIORITY : readPriority(found.value);
  if (number !== undefined) return { ok: true, value: number };
  return failed({
    errorType: 'FeelError',
    errorCode: 'TYPE_MISMATCH',
    message: `The job priority must be ${EXPECTED_PRIORITY}`,
  });
}

/** An attribute is text; an expression can also return a number. */
function readPriority(given: unknown): number | undefined {
  const number = typeof given === 'string' && /^-?\d{1,10}$/.test(given) ? Number(given) : given;
  const isValid = typeof number === 'number' && Number.isInteger(number) && number >= LOWEST && number <= HIGHEST;
  // Zero has no sign as JSON.
  return isValid ? number + 0 : undefined;
}

export type LimitKey = NonNullable<FactOf<'JOB_CREATED'>['limitKey']>;

/** In UTF-16 code units. */
const MAX_KEY_LENGTH = 200;
const EXPECTED_KEY = `a text of at most ${MAX_KEY_LENGTH} characters, a number, or a boolean`;

/** Reads `perdure:limit`; undefined without one. */
export function compileLimitKey(source: SourceElement, compiler: Compiler): Expression | undefined {
  const limit = source.perdureExtension('limit');
  if (!limit) return undefined;
  const given = limit.attribute('key') ?? '';
  if (given.trim() === '') {
    compiler.problem('error', source, `The limit of ${source.id} needs a key, such as "=customer.id"`);
    return undefined;
  }
  const expression = compiler.expression(source, given, 'limit key');
  if ('literal' in expression && !isKey(expression.literal))
    compiler.problem('error', source, `The limit key of ${source.id} must be ${EXPECTED_KEY}`);
  return expression;
}

/** Undefined: no key. A value that is not a key is a failure. */
export function evaluateLimitKey(
  run: Run,
  element: ElementInstance,
  key: Expression | undefined,
): Result<LimitKey | undefined> {
  if (!key) return { ok: true, value: undefined };
  const found = value(run, element, key, 'limit key');
  if (!found.ok) return found;
  if (found.value === null) return { ok: true, value: undefined };
  if (isKey(found.value)) return { ok: true, value: found.value };
  return failed({
    errorType: 'FeelError',
    errorCode: 'TYPE_MISMATCH',
    message: `The limit key must be ${EXPECTED_KEY}, or null`,
  });
}

function isKey(given: unknown): given is LimitKey {
  if (typeof given === 'string') return given.length <= MAX_KEY_LENGTH;
  return typeof given === 'number' || typeof given === 'boolean';
}
