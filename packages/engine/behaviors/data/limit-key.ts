/**
 * Limit key of jobs, evaluated once, when the job is created. Jobs of a type with the same key have the limit of the type in
 * common, which the host enforces.
 */
import type { FactOf } from '../../contract/facts.js';
import { failed, type Result } from '../../failure.js';
import { value } from '../../feel.js';
import type { Expression } from '../../model/graph.js';
import type { Compiler, SourceElement } from '../../model/source.js';
import type { Run } from '../../run.js';
import type { ElementInstance } from '../../state/state.js';

export type LimitKey = NonNullable<FactOf<'JOB_CREATED'>['limitKey']>;

/** In UTF-16 code units. */
const MAX_LENGTH = 200;
const EXPECTED = `a text of at most ${MAX_LENGTH} characters, a number, or a boolean`;

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
    compiler.problem('error', source, `The limit key of ${source.id} must be ${EXPECTED}`);
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
    message: `The limit key must be ${EXPECTED}, or null`,
  });
}

function isKey(given: unknown): given is LimitKey {
  if (typeof given === 'string') return given.length <= MAX_LENGTH;
  return typeof given === 'number' || typeof given === 'boolean';
}
