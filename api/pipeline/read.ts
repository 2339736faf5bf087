import type { Turns } from '@perdure/lib/fair-turns.js';
import { canonicalProjectID } from '../access/settings/project-aliases.js';
import { BYTES_OF_VALUE } from '../configuration.js';
import { notFound, type Problem } from '../contract/problem.js';
import { limitKey } from '../http/exchange.js';
import { tooMany } from '../http/refusals.js';
import {
  readBodyInThread,
  readFormBody,
  readJsonBody,
  readPathParameters,
  readQuery as checkQuery,
} from '../http/request/input.js';
import type { JsonBodyLimits } from '../http/request/read-json.js';
import type { ApiHost } from './api-host.js';
import type { Call } from './call.js';

/** 404 for a path that cannot name anything. */
export function readPath(call: Call, { context }: ApiHost) {
  const params = readPathParameters(call.operation, call.rawParameters);
  if (params === undefined) return notFound('a path parameter is not an id');
  const { projectID } = params;
  if (projectID !== undefined)
    params['projectID'] = canonicalProjectID(projectID, context.authenticator.projectAliases);
  call.params = call.exchange.params = params;
  return undefined;
}

/** 415, 413, 429 above the caller's bytes per second, 400. */
export async function readBody(call: Call) {
  const { operation } = call;
  const read = operation.isForm ? readFormBody : operation.readBody ? readBodyInThread : readJsonBody;
  const limits = new BodyLimits(call);
  const given = await read(operation, call.request, limits);
  if (given.kind === 'problem') return given;
  const body = (await operation.translateBody?.(given.value, call.params, limits)) ?? given;
  if (body.kind === 'problem') return body;
  call.body = body.value;
  return undefined;
}

/** 400 for unknown, repeated, or invalid parameters. */
export function readQuery(call: Call) {
  const query = checkQuery(call.stream ? call.stream.query : call.operation.request.query, call.search);
  if (query.kind === 'problem') return query;
  call.query = query.value;
  return undefined;
}

/** The budget of the caller, or of the address, for bodies. */
class BodyLimits implements JsonBodyLimits {
  readonly #call: Call;

  constructor(call: Call) {
    this.#call = call;
  }

  get maximumBytes(): number {
    const { operation, host } = this.#call;
    return operation.maxBodyBytes ?? host.configuration.maximumBodyBytes;
  }

  get turns(): Turns {
    return this.#call.turns;
  }

  spend(bytes: number): Problem | undefined {
    const { host, exchange } = this.#call;
    const seconds = host.limits.bodies.take(limitKey(exchange), bytes);
    return seconds === undefined ? undefined : tooMany('too many bytes per second', seconds);
  }

  spendValues(values: number): void {
    const { host, exchange } = this.#call;
    host.limits.bodies.spend(limitKey(exchange), values * BYTES_OF_VALUE);
  }

  count(place: 'loop' | 'thread', { bytes, values }: { readonly bytes: number; readonly values: number }): void {
    const { metrics } = this.#call.host.context;
    metrics.bodyBytes.inc({ place }, bytes);
    metrics.bodyValues.inc({ place }, values);
  }
}
