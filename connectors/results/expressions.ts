/** The task headers `resultVariable`, `resultExpression`, `errorExpression`, and `retryBackoff`. */
import { MAX_VARIABLES_BYTES } from '@perdure/engine/behaviors/lifecycle/size.js';
import type { Json, Variables } from '@perdure/engine/contract/json.js';
import {
  compile,
  evaluate,
  FeelFunction,
  toJson,
  type CompiledExpression,
  type FeelContext,
} from '@perdure/feel/evaluate.js';
import { parseFeel } from '@perdure/feel/parse.js';
import { parseDuration } from '@perdure/lib/duration.js';
import { readStorableJson } from '@perdure/lib/storable-json.js';
import { TaskError } from './task-error.js';

/** The beginning of the error codes. */
export type TaskFamily = 'HTTP' | 'TEMPORAL' | 'AGENT';

export interface Expressions {
  readonly family: TaskFamily;
  readonly resultVariable: string | undefined;
  readonly result: CompiledExpression | undefined;
  readonly error: CompiledExpression | undefined;
}

const DEFAULT_BACKOFF_MS = 5_000;
export const MAX_BACKOFF_MS = 24 * 3_600_000;
const MAX_CODE_LENGTH = 255;

/**
 * Parsed before the service is called, so that a mistake is reported before it acts.
 * @throws TaskError `HTTP_TASK_INVALID` or `TEMPORAL_TASK_INVALID`, naming the header
 */
export function readExpressions(headers: Headers, family: TaskFamily): Expressions {
  return {
    family,
    resultVariable: header(headers, 'resultVariable'),
    result: expression(family, 'resultExpression', header(headers, 'resultExpression')),
    error: expression(family, 'errorExpression', header(headers, 'errorExpression')),
  };
}

export type Headers = Readonly<Record<string, string>> | null;

export function header(headers: Headers, name: string): string | undefined {
  return (headers && Object.hasOwn(headers, name) && headers[name]) || undefined;
}

function expression(family: TaskFamily, name: string, text: string | undefined): CompiledExpression | undefined {
  if (text === undefined) return undefined;
  const parsed = parseFeel(text.replace(/^\s*=/, ''), { names: ['response', 'error', 'bpmnError'] });
  if (parsed.ok) return compile(parsed.tree);
  const [{ message, line, column }] = parsed.errors as [(typeof parsed.errors)[number]];
  throw new TaskError(
    `${family}_TASK_INVALID`,
    `The task header ${name} is not FEEL (line ${line}, column ${column}): ${message}`,
  );
}

/** The delay before the next attempt of a failed job. @throws TaskError `HTTP_TASK_INVALID` or `AGENT_TASK_INVALID` */
export function readBackoff(headers: Headers, family: TaskFamily = 'HTTP'): number {
  const text = header(headers, 'retryBackoff');
  if (text === undefined) return DEFAULT_BACKOFF_MS;
  const milliseconds = parseDuration(text);
  if (milliseconds !== undefined && milliseconds <= MAX_BACKOFF_MS) return milliseconds;
  throw new TaskError(
    `${family}_TASK_INVALID`,
    'The task header retryBackoff must be a duration of up to 24 hours, such as PT10S',
  );
}

/** Names that the expressions see in addition to the variables of the job. */
export interface Seen {
  readonly response: Json;
  /** Null if the work succeeded. */
  readonly error: { code: string; message: string; details?: Json } | null;
}

/** Camunda's function, for its templates. */
const bpmnError = new FeelFunction(
  'bpmnError',
  undefined,
  (_run, [code, message, variables]) =>
    ({ code: code ?? null, message: message ?? null, variables: variables ?? null }) as FeelContext,
);

/** @throws TaskError: the BPMN error that the expression returns, or its failure */
export function throwModeledError({ error, family }: Expressions, variables: Variables, seen: Seen): void {
  if (error === undefined) return;
  const found = run(family, 'errorExpression', error, variables, seen);
  if (found === null) return;
  const { code, message, variables: set } = contextOf(family, 'errorExpression', found);
  if (typeof code !== 'string' || code === '' || code.length > MAX_CODE_LENGTH)
    throw failed(family, 'errorExpression', `must return a code of 1 to ${MAX_CODE_LENGTH} characters`);
  throw new TaskError(code, typeof message === 'string' ? message : `errorExpression returned ${code}`, {
    variables: set === null || set === undefined ? undefined : contextOf(family, 'errorExpression', set),
  });
}

/** The variables that the task sets. @throws TaskError */
export function resultOf({ family, resultVariable, result }: Expressions, variables: Variables, seen: Seen): Variables {
  const mapped = result && run(family, 'resultExpression', result, variables, seen);
  return {
    ...(resultVariable !== undefined && { [resultVariable]: seen.response }),
    ...(mapped !== undefined && mapped !== null && contextOf(family, 'resultExpression', mapped)),
  };
}

function run(family: TaskFamily, name: string, compiled: CompiledExpression, variables: Variables, seen: Seen): Json {
  const scope = { ...variables, ...seen, bpmnError };
  const outcome = evaluate(compiled, scope, { now: Date.now(), mode: 'strict' });
  if (outcome.ok) return toJson(outcome.value) as Json;
  throw failed(family, name, `cannot be evaluated: ${outcome.error.message}`);
}

function contextOf(family: TaskFamily, name: string, json: Json): Variables {
  if (json !== null && typeof json === 'object' && !Array.isArray(json)) return json;
  throw failed(family, name, 'must return a context or null');
}

function failed(family: TaskFamily, name: string, reason: string): TaskError {
  return new TaskError(`${family}_EXPRESSION_FAILED`, `The task header ${name} ${reason}`);
}

/**
 * The variables, if the database can store them.
 * @throws TaskError with this code
 */
export function storableVariables(variables: Variables, code: string): Variables {
  const bytes = Buffer.from(JSON.stringify(variables));
  if (bytes.length > MAX_VARIABLES_BYTES)
    throw new TaskError(
      code,
      `The result takes ${bytes.length} bytes, but the limit of an instance is ${MAX_VARIABLES_BYTES}. Keep less of the answer with resultExpression.`,
    );
  const read = readStorableJson(bytes);
  if (read.ok) return read.value as Variables;
  throw new TaskError(code, `The result cannot be stored: ${read.message}`);
}
