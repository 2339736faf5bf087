/** Builds the request of an HTTP task from its inputs, which are named as in Camunda's REST connector. */
import type { Json, Variables } from '@perdure/engine/contract/json.js';
import { TaskError } from '../results/task-error.js';

export interface Call {
  readonly url: string;
  readonly method: string;
  readonly headers: Readonly<Record<string, string>>;
  /** `user:password`, base64-encoded after its secrets are resolved. */
  readonly basic: string | undefined;
  readonly body: Json | undefined;
}

export interface Timeouts {
  readonly connectionMilliseconds: number;
  readonly readMilliseconds: number;
}

const METHODS = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'HEAD', 'OPTIONS'];

/** @throws TaskError `HTTP_REQUEST_INVALID`, naming the input */
export function readCall(inputs: Variables): Call {
  const method = text(inputs, 'method', 'GET').toUpperCase();
  if (!METHODS.includes(method)) throw invalid(`method must be one of ${METHODS.join(', ')}`);
  const { headers, query, basic } = authentication(record(inputs, 'authentication'));
  const body = member(inputs, 'body');
  return {
    url: withQuery(text(inputs, 'url'), { ...strings(inputs, 'queryParameters'), ...query }),
    method,
    headers: { ...strings(inputs, 'headers'), ...headers },
    basic,
    body: body === null ? undefined : body,
  };
}

/** @throws TaskError `HTTP_REQUEST_INVALID`, naming the input */
export function readTimeouts(inputs: Variables): Timeouts {
  return {
    connectionMilliseconds: seconds(inputs, 'connectionTimeoutInSeconds', 60) * 1000,
    readMilliseconds: seconds(inputs, 'readTimeoutInSeconds', 300) * 1000,
  };
}

function seconds(inputs: Variables, name: string, most: number): number {
  const given = member(inputs, name) ?? 20;
  // Camunda's template writes numbers as text.
  const value = typeof given === 'string' && /^\d{1,9}$/.test(given) ? Number(given) : given;
  if (typeof value !== 'number' || !(value > 0) || value > most)
    throw invalid(`${name} must be a number of seconds, at most ${most}`);
  return value;
}

interface Authentication {
  headers?: Record<string, string>;
  query?: Record<string, string>;
  basic?: string;
}

/** The choices of Camunda's template, without OAuth. */
function authentication(given: Variables): Authentication {
  const type = text(given, 'type', 'noAuth', 'authentication.type');
  const read = (name: string) => text(given, name, undefined, `authentication.${name}`);
  switch (type) {
    case 'noAuth':
      return {};
    case 'bearer':
      return { headers: { Authorization: `Bearer ${read('token')}` } };
    case 'basic':
      return { basic: `${read('username')}:${read('password')}` };
    case 'apiKey': {
      const key = { [read('name')]: read('value') };
      return text(given, 'apiKeyLocation', 'headers') === 'query' ? { query: key } : { headers: key };
    }
    default:
      throw invalid('authentication.type must be noAuth, basic, bearer, or apiKey');
  }
}

function withQuery(url: string, parameters: Record<string, string>): string {
  const names = Object.keys(parameters);
  if (names.length === 0 || !URL.canParse(url)) return url;
  const extended = new URL(url);
  for (const name of names) extended.searchParams.append(name, parameters[name]!);
  return extended.href;
}

function member(inputs: Variables, name: string): Json | undefined {
  return Object.hasOwn(inputs, name) ? inputs[name] : undefined;
}

function text(inputs: Variables, name: string, otherwise?: string, shown = name): string {
  const value = member(inputs, name) ?? otherwise;
  // A constant of digits, such as a user name, is a number.
  const given = typeof value === 'number' || typeof value === 'boolean' ? String(value) : value;
  if (typeof given !== 'string' || given === '') throw invalid(`${shown} must be a string`);
  return given;
}

function record(inputs: Variables, name: string): Variables {
  const given = member(inputs, name) ?? {};
  if (typeof given !== 'object' || given === null || Array.isArray(given)) throw invalid(`${name} must be a context`);
  return given;
}

/** Members without a value are omitted. */
function strings(inputs: Variables, name: string): Record<string, string> {
  const entries = Object.entries(record(inputs, name)).filter(([, value]) => value !== null);
  for (const [key, value] of entries)
    if (typeof value === 'object')
      throw invalid(`${name} must have strings, numbers, and booleans only, but not ${key}`);
  return Object.fromEntries(entries.map(([key, value]) => [key, String(value)]));
}

function invalid(reason: string): TaskError {
  return new TaskError('HTTP_REQUEST_INVALID', `The HTTP request cannot be sent: ${reason}.`);
}
