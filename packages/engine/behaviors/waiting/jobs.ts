/** External jobs, which job workers fetch from the queue. */
import type { Json, Variables } from '../../contract/json.js';
import type { Result } from '../../failure.js';
import { integer } from '../../feel.js';
import type { Expression } from '../../model/graph.js';
import type { FactOf, JobListener } from '../../contract/facts.js';
import { nextID, record, type Run } from '../../run.js';
import type { Compiler, SourceElement, SourceExtension } from '../../model/source.js';
import type { ElementInstance } from '../../state/state.js';
import { compileShortText, shortText } from '../data/short-text.js';
import {
  compileJobPriority,
  compileLimitKey,
  DEFAULT_JOB_PRIORITY,
  evaluateJobPriority,
  evaluateLimitKey,
} from '../data/job-options.js';
import { localVariables } from '../../state/scopes.js';

export interface JobDefinition {
  type: Expression;
  /** Total number of attempts. */
  retries: Expression;
  priority?: Expression;
  limitKey?: Expression;
  headers?: { [name: string]: string };
}

export const DEFAULT_RETRIES = '3';

/** Reads `taskDefinition`, `jobPriorityDefinition`, `perdure:limit`, and `taskHeaders`. */
export function compileJob(source: SourceElement, compiler: Compiler): JobDefinition {
  const definition = source.extension('taskDefinition');
  const type = definition?.attribute('type') ?? '';
  if (type === '')
    compiler.problem('error', source, 'A task that job workers perform needs a taskDefinition with a type');
  const priority = compileJobPriority(source, compiler);
  const limitKey = compileLimitKey(source, compiler);
  const headers = compileHeaders(source, source.extension('taskHeaders'), compiler);
  return {
    type: compileShortText(source, type, 'job type', compiler),
    retries: compileRetries(source, definition?.attribute('retries') ?? DEFAULT_RETRIES, 'job retries', compiler),
    ...(priority && { priority }),
    ...(limitKey && { limitKey }),
    ...(headers && { headers }),
  };
}

/** @param what the place in the model, for messages: `job retries` */
export function compileRetries(source: SourceElement, given: string, what: string, compiler: Compiler): Expression {
  const retries = compiler.expression(source, given, what);
  if ('literal' in retries && !isCount(retries.literal))
    compiler.problem(
      'error',
      source,
      `The ${what} must be a whole number from 1 to 999999999, but are ${JSON.stringify(given)}`,
    );
  return retries;
}

/** Whether it is what `integer` accepts at run time. An attribute is text. */
function isCount(literal: Json): boolean {
  return /^[0-9]{1,9}$/.test(String(literal)) && Number(literal) >= 1;
}

/** The headers in `taskHeaders` of `source`; undefined if none exist. */
export function compileHeaders(
  source: SourceElement,
  taskHeaders: SourceExtension | undefined,
  compiler: Compiler,
): { [name: string]: string } | undefined {
  const headers = taskHeaders?.children('header') ?? [];
  const entries = headers.flatMap((header) => {
    const key = header.attribute('key');
    return key ? [[key, header.attribute('value') ?? ''] as const] : [];
  });
  if (entries.length === 0) return undefined;
  // JSON readers drop a member of this name or treat it as the prototype.
  if (entries.some(([key]) => key === '__proto__'))
    compiler.problem('error', source, 'A task header cannot be named __proto__');
  return Object.fromEntries(entries);
}

interface JobExtras {
  /** Variables that only the job has. */
  also?: Variables;
  listener?: JobListener;
  task?: FactOf<'JOB_CREATED'>['task'];
}

/** Creates a job for `element`. */
export function createJob(
  run: Run,
  element: ElementInstance,
  job: JobDefinition,
  { also, listener, task }: JobExtras = {},
): Result<void> {
  const type = shortText(run, element, job.type, 'job type');
  if (!type.ok) return type;
  const retries = integer(run, element, job.retries, 'job retries', 1);
  if (!retries.ok) return retries;
  const priority = evaluateJobPriority(run, element, job.priority);
  if (!priority.ok) return priority;
  const limitKey = evaluateLimitKey(run, element, job.limitKey);
  if (!limitKey.ok) return limitKey;
  const visible = localVariables(run.state, element);
  const local = also ? { ...visible, ...also } : visible;
  record(run, {
    kind: 'JOB_CREATED',
    job: nextID(run),
    element: element.id,
    node: element.node,
    taskType: type.value,
    retries: retries.value,
    ...(priority.value !== DEFAULT_JOB_PRIORITY && { priority: priority.value }),
    ...(limitKey.value !== undefined && { limitKey: limitKey.value }),
    ...(listener && { listener }),
    ...(job.headers && { headers: job.headers }),
    ...(task && { task }),
    ...(local && { localVariables: local }),
  });
  return { ok: true, value: undefined };
}
