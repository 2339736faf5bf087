/**
 * Priority of jobs, evaluated once, when the job is created. The extension element is that of Camunda 8; BPMN itself has
 * none.
 */
import { failed, type Result } from '../../failure.js';
import { value } from '../../feel.js';
import type { Expression } from '../../model/graph.js';
import type { Compiler, SourceElement } from '../../model/source.js';
import type { Run } from '../../run.js';
import type { ElementInstance } from '../../state/state.js';

export const DEFAULT_JOB_PRIORITY = 0;

const LOWEST = -(2 ** 31);
const HIGHEST = 2 ** 31 - 1;
const EXPECTED = `a whole number from ${LOWEST} to ${HIGHEST}`;

/** Reads `jobPriorityDefinition` of the task, or else of the process; undefined if neither has one. */
export function compileJobPriority(source: SourceElement, compiler: Compiler): Expression | undefined {
  const given = source.inheritedExtension('jobPriorityDefinition')?.attribute('priority');
  if (!given) return undefined;
  const expression = compiler.expression(source, given, 'job priority');
  if ('literal' in expression && expression.literal !== null && read(expression.literal) === undefined)
    compiler.problem(
      'error',
      source,
      `The job priority of ${source.id} must be ${EXPECTED}, but is ${JSON.stringify(given)}`,
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
  const number = found.value === null ? DEFAULT_JOB_PRIORITY : read(found.value);
  if (number !== undefined) return { ok: true, value: number };
  return failed({
    errorType: 'FeelError',
    errorCode: 'TYPE_MISMATCH',
    message: `The job priority must be ${EXPECTED}`,
  });
}

/** An attribute is text; an expression can also return a number. */
function read(given: unknown): number | undefined {
  const number = typeof given === 'string' && /^-?\d{1,10}$/.test(given) ? Number(given) : given;
  const isValid = typeof number === 'number' && Number.isInteger(number) && number >= LOWEST && number <= HIGHEST;
  // Zero has no sign as JSON.
  return isValid ? number + 0 : undefined;
}
