/** Evaluates the expressions of a hook to the message of a delivery. */
import { MAX_VARIABLES_BYTES } from '@perdure/engine/behaviors/lifecycle/size.js';
import type { Json, Variables } from '@perdure/engine/contract/json.js';
import { Evaluation, toJson } from '@perdure/feel/evaluate.js';
import { readStorableJson } from '@perdure/lib/storable-json.js';
import type { ExpressionMember, Expressions } from './expressions.js';

/** The values of the variables of the expressions. */
export type DeliveredInput = Readonly<Record<'body' | 'headers' | 'query', Json>>;

export interface HookMessage {
  readonly kind: 'message';
  readonly name: string;
  readonly correlation: Json | undefined;
  readonly variables: Variables;
  readonly idempotencyKey: string | undefined;
}

/** `problem` never contains a value. */
export type EvaluatedHook =
  HookMessage | { readonly kind: 'ignored' } | { readonly kind: 'failed'; readonly problem: string };

const MAX_LENGTHS = { messageName: 255, idempotencyKey: 255, correlationKeys: 1000 } as const;

/** The expressions share one budget. @param now the result of `now()`, in epoch milliseconds */
export function evaluateMessage(expressions: Expressions, input: DeliveredInput, now: number): EvaluatedHook {
  const evaluation = new Evaluation({ now, mode: 'strict' });
  const read = <Value>(member: ExpressionMember, toValue: (value: Json) => Value | undefined, expected: string) => {
    const expression = expressions[member];
    if (expression === undefined) return toValue(null) as Value;
    const result = evaluation.evaluate(expression, input);
    if (!result.ok) throw new Failed(`The expression ${member} failed: ${result.error.message}`);
    const value = toValue(storable(member, toJson(result.value)));
    if (value === undefined) throw new Failed(`The expression ${member} must result in ${expected}`);
    return value;
  };
  try {
    const name = read('messageName', toName, 'a text of 1 to 255 characters, or null');
    if (name === null) return { kind: 'ignored' };
    const key = read('idempotencyKey', toKey, 'a text of 1 to 255 characters, a number, or null');
    const { keys } = read(
      'correlationKeys',
      toCorrelation,
      'a text of at most 1000 characters, a number, a boolean, a context, or null',
    );
    const variables = read(
      'variables',
      toVariables,
      `a context of at most ${MAX_VARIABLES_BYTES} bytes as JSON, or null`,
    );
    return { kind: 'message', name, correlation: keys, variables, idempotencyKey: key ?? undefined };
  } catch (error) {
    if (error instanceof Failed) return { kind: 'failed', problem: error.message };
    // Recursion into a value that an expression has nested thousands of levels deep.
    if (error instanceof RangeError)
      return { kind: 'failed', problem: 'The result of an expression is nested too deeply' };
    throw error;
  }
}

/** Never leaves this file. */
class Failed extends Error {}

/** Expressions can produce texts and numbers that requests cannot contain. */
function storable(member: ExpressionMember, value: Json): Json {
  const read = readStorableJson(Buffer.from(JSON.stringify(value)));
  if (read.ok) return read.value as Json;
  throw new Failed(`The result of ${member} cannot be stored: ${read.message}`);
}

function toName(value: Json): string | null | undefined {
  return value === null || isText(value, MAX_LENGTHS.messageName) ? value : undefined;
}

function toKey(value: Json): string | null | undefined {
  if (typeof value === 'number') return String(value);
  return value === null || isText(value, MAX_LENGTHS.idempotencyKey) ? value : undefined;
}

/** As in a request to publish a message: an empty text or context counts as none. */
function toCorrelation(value: Json): { keys: Json | undefined } | undefined {
  if (value === null || value === '') return { keys: undefined };
  if (Array.isArray(value)) return undefined;
  if (typeof value === 'string' && value.length > MAX_LENGTHS.correlationKeys) return undefined;
  return { keys: isRecord(value) && Object.keys(value).length === 0 ? undefined : value };
}

function toVariables(value: Json): Variables | undefined {
  if (value === null) return {};
  if (!isRecord(value) || Buffer.byteLength(JSON.stringify(value)) > MAX_VARIABLES_BYTES) return undefined;
  return value;
}

function isText(value: Json, most: number): value is string {
  return typeof value === 'string' && value.length > 0 && value.length <= most;
}

function isRecord(value: Json): value is { [name: string]: Json } {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
