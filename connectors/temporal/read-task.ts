/** From a job to the work that runs on Temporal. */
import type { Json, Variables } from '@perdure/engine/contract/json.js';
import type { Mapping } from '@perdure/engine/model/graph.js';
import { compile, Evaluation, toJson } from '@perdure/feel/evaluate.js';
import { parseFeel } from '@perdure/feel/parse.js';
import { parseDuration } from '@perdure/lib/duration.js';
import {
  headerProblem,
  isTemporalTaskType,
  temporalTaskHeaders,
  type TemporalTaskType,
} from '@perdure/lib/model-files/temporal-tasks.js';
import type { Job } from '../../store/work/jobs.js';
import { header, readExpressions, type Headers } from '../results/expressions.js';
import { TaskError } from '../results/task-error.js';
import type { TemporalTasksAllowed } from './configuration.js';
import type { Work } from './runner/messages.js';

const DEFAULT_START_TO_CLOSE_MS = 10 * 60_000;
/** Far below 2 MiB, at which Temporal refuses a payload. */
const MAX_INPUT_BYTES = 512 * 1024;

export interface TaskOnTemporal {
  readonly work: Work;
  readonly input: Json;
}

type JobToRead = Pick<Job, 'taskType' | 'headers' | 'variables' | 'retries' | 'executionKey'>;

/**
 * @param mappings the input mappings of its node
 * @throws TaskError `TEMPORAL_TASK_INVALID`, `TEMPORAL_REFUSED`, `TEMPORAL_PAYLOAD_TOO_LARGE`
 */
export function readTask(
  job: JobToRead,
  mappings: readonly Mapping[],
  allowed: TemporalTasksAllowed[string] | undefined,
): TaskOnTemporal {
  const type = job.taskType;
  if (!isTemporalTaskType(type)) throw invalid(`The job type ${type} is not known`);
  readExpressions(job.headers, 'TEMPORAL');
  const work = workOf(type, valuesOf(type, job.headers, job.variables), job);
  checkAllowed(work, allowed);
  return { work, input: inputOf(mappings, job.variables) };
}

type Values = ReadonlyMap<string, string>;

/** The headers of the type as text, evaluated. */
function valuesOf(type: TemporalTaskType, headers: Headers, variables: Variables): Values {
  const found = new Map<string, string>();
  // The connectors evaluate on their event loop, so all headers share one budget.
  const evaluation = new Evaluation({ now: Date.now(), mode: 'strict' });
  for (const [name, { kind, isRequired }] of Object.entries(temporalTaskHeaders[type])) {
    const given = header(headers, name);
    const value = given?.startsWith('=') ? evaluated(name, given, variables, evaluation) : given;
    if (value === undefined) {
      if (isRequired) throw invalid(`The task header ${name} is missing or null`);
      continue;
    }
    const why = headerProblem(kind, value);
    if (why !== undefined) throw invalid(`The task header ${name} ${why}`);
    found.set(name, value);
  }
  return found;
}

/** Null is a header that is not given. */
function evaluated(name: string, text: string, variables: Variables, evaluation: Evaluation): string | undefined {
  const parsed = parseFeel(text.slice(1));
  if (!parsed.ok) throw invalid(`The task header ${name} is not FEEL: ${parsed.errors[0]?.message}`);
  const outcome = evaluation.evaluate(compile(parsed.tree), variables);
  if (!outcome.ok) throw invalid(`The task header ${name} cannot be evaluated: ${outcome.error.message}`);
  const value = toJson(outcome.value) as Json;
  if (value === null) return undefined;
  if (typeof value === 'string') return value;
  if (typeof value === 'number') return String(value);
  if (Array.isArray(value) && value.every((one) => typeof one === 'string')) return value.join(',');
  throw invalid(`The task header ${name} must be a text, a number, or a list of texts`);
}

function workOf(type: TemporalTaskType, values: Values, { retries, executionKey }: JobToRead): Work {
  const text = (name: string) => values.get(name) ?? '';
  switch (type) {
    case 'temporal:activity':
      return {
        kind: 'activity',
        activity: text('activity'),
        taskQueue: text('taskQueue'),
        startToCloseMilliseconds: durationOf(values, 'startToCloseTimeout') ?? DEFAULT_START_TO_CLOSE_MS,
        ...given('scheduleToCloseMilliseconds', durationOf(values, 'scheduleToCloseTimeout')),
        ...given('heartbeatMilliseconds', durationOf(values, 'heartbeatTimeout')),
        maximumAttempts: Number(values.get('maximumAttempts') ?? retries),
        nonRetryableErrorTypes: namesOf(values, 'nonRetryableErrorTypes'),
      };
    case 'temporal:workflow':
      return {
        kind: 'workflow',
        workflow: text('workflow'),
        taskQueue: text('taskQueue'),
        workflowID: text('workflowIdPrefix') + executionKey,
        ...given('executionMilliseconds', durationOf(values, 'workflowExecutionTimeout')),
      };
    case 'temporal:nexus':
      return {
        kind: 'nexus',
        endpoint: text('endpoint'),
        service: text('service'),
        operation: text('operation'),
        ...given('scheduleToCloseMilliseconds', durationOf(values, 'scheduleToCloseTimeout')),
      };
  }
}

function durationOf(values: Values, name: string): number | undefined {
  const value = values.get(name);
  return value === undefined ? undefined : parseDuration(value);
}

function namesOf(values: Values, name: string): string[] {
  return (
    values
      .get(name)
      ?.split(',')
      .map((one) => one.trim()) ?? []
  );
}

function given<Name extends string>(name: Name, value: number | undefined): { [N in Name]?: number } {
  return (value === undefined ? {} : { [name]: value }) as { [N in Name]?: number };
}

function checkAllowed(work: Work, allowed: TemporalTasksAllowed[string] | undefined): void {
  const [what, name, names] =
    work.kind === 'nexus'
      ? ['Nexus endpoint', work.endpoint, allowed?.endpoints]
      : ['task queue', work.taskQueue, allowed?.taskQueues];
  if (names?.includes(name)) return;
  throw new TaskError(
    'TEMPORAL_REFUSED',
    `Nothing was started: the project may not use the ${what} ${name}. An operator can add it to TEMPORAL_TASKS_ALLOW.`,
  );
}

/** @throws TaskError `TEMPORAL_PAYLOAD_TOO_LARGE` */
function inputOf(mappings: readonly Mapping[], variables: Variables): Json {
  const names = [...new Set(mappings.map(({ target }) => target[0]!))];
  const mapped = (name: string) => (Object.hasOwn(variables, name) ? variables[name]! : null);
  const input: Json = names.includes('input')
    ? mapped('input')
    : Object.fromEntries(names.map((name) => [name, mapped(name)]));
  const bytes = Buffer.byteLength(JSON.stringify(input));
  if (bytes <= MAX_INPUT_BYTES) return input;
  throw new TaskError(
    'TEMPORAL_PAYLOAD_TOO_LARGE',
    `The input takes ${bytes} bytes, but at most ${MAX_INPUT_BYTES} are sent. Map less, or a reference to the data.`,
  );
}

function invalid(message: string): TaskError {
  return new TaskError('TEMPORAL_TASK_INVALID', message);
}
