/** Converts an HTTP response to variables or to a failure. */
import { readStorableJson } from '@perdure/lib/storable-json.js';
import type { Json } from '@perdure/engine/contract/json.js';
import type { OutboundAnswer } from '../../outbound/egress/send.js';
import { maskJson, type Mask } from '../../outbound/secrets/mask.js';
import { TaskError } from '../results/task-error.js';

const RETRYABLE = new Set([408, 425, 429]);

/** The variable `response`, without secrets. @throws TaskError `HTTP_ANSWER_INVALID` */
export function readAnswer({ status, headers, body }: OutboundAnswer, mask: Mask): { [name: string]: Json } {
  const storableHeaders = Object.entries(headers).map(([name, value]) => [name, storable(value)]);
  return {
    status,
    headers: maskJson(Object.fromEntries(storableHeaders) as Json, mask),
    body: readBody(headers['content-type'] ?? '', body, mask),
  };
}

function readBody(type: string, body: Buffer, mask: Mask): Json {
  if (body.length === 0) return null;
  if (!/[/+]json\b/i.test(type)) return mask(storable(body.toString('utf8')));
  const read = readStorableJson(body);
  if (read.ok) return maskJson(read.value as Json, mask);
  throw new TaskError('HTTP_ANSWER_INVALID', `The body of the answer cannot be stored as JSON: ${mask(read.message)}`);
}

/** Postgres cannot store U+0000. */
function storable(text: string): string {
  return text.replaceAll('\u0000', '\uFFFD');
}

/** The error of a status, or undefined for 2xx. */
export function failureOf({ status, headers }: OutboundAnswer, host: string): TaskError | undefined {
  if (status >= 200 && status < 300) return undefined;
  const retryable = RETRYABLE.has(status) || status >= 500;
  return new TaskError(`HTTP_${status}`, `${host} answered with status ${status}.`, {
    retryable,
    retryAfterMilliseconds: retryable ? retryAfter(headers['retry-after'], Date.now()) : undefined,
  });
}

/** RFC 9110 section 10.2.3: seconds, or a date. */
export function retryAfter(given: string | undefined, now: number): number | undefined {
  if (given === undefined) return undefined;
  if (/^\d{1,9}$/.test(given)) return Number(given) * 1000;
  const date = Date.parse(given);
  return Number.isNaN(date) ? undefined : Math.max(0, date - now);
}
