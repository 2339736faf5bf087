/** Typed calls of the REST API, with access tokens, and with retries where they are safe. */
import createOpenApiClient, { type Client } from 'openapi-fetch';
import { pause, pauseAfter } from './backoff.js';
import { NOT_LOOKED_AT, ApiError } from './api-error.js';
import type { paths, Schemas } from './schema.js';

export interface ClientOptions {
  /** `http://127.0.0.1:8080` */
  api: string;
  /** Provides the token of a call: `accessTokens` for a service account. */
  accessToken(): Promise<string>;
}

/**
 * `client.GET('/projects/{projectID}', { params: { path: { projectID } } })`; paths, parameters, and responses are
 * typed.
 */
export type PerdureClient = Client<paths>;

/** How often a call is sent while the host is unavailable or asks to retry later: about half a minute. */
const ATTEMPTS = 10;
/** The host is unavailable, or too busy to have processed the call. */
const AWAY = new Set([502, 503, 504]);

export function createClient({ api, accessToken }: ClientOptions): PerdureClient {
  const authorized = async (request: Request, signal: AbortSignal) => {
    request.headers.set('Authorization', `Bearer ${await accessToken().catch(notSent)}`);
    // A redirect would repeat token or variables at another address.
    return fetch(request, { signal, redirect: 'manual' });
  };
  return createOpenApiClient<paths>({ baseUrl: api, fetch: (request) => callUntilAnswered(request, authorized) });
}

/**
 * The body of a successful response: `await unwrap(client.POST(...))`.
 * @throws ApiError for any other response
 */
export async function unwrap<Answer>(
  call: Promise<{ data?: Answer; error?: Partial<Schemas['Problem']>; response: Response }>,
): Promise<Answer> {
  const { data, error, response } = await call;
  if (!response.ok) throw new ApiError(response.status, typeof error === 'object' ? error : {});
  return data as Answer;
}

/** Retries the request while the host is unavailable, provided that repeating it has the effect of one call. */
async function callUntilAnswered(
  request: Request,
  send: (request: Request, signal: AbortSignal) => Promise<Response>,
): Promise<Response> {
  for (let attempt = 1; ; attempt += 1) {
    // Node 20 forgets at a garbage collection that a clone follows the signal of its original.
    const outcome = await send(request.clone(), request.signal).catch((error: Error) => error);
    const isLast = attempt === ATTEMPTS || request.signal.aborted || !canBeSentAgain(request, outcome);
    if (isLast && outcome instanceof Error) throw outcome;
    if (isLast) return outcome as Response;
    if (outcome instanceof Response) await outcome.body?.cancel();
    await pause(waitAskedFor(outcome) ?? pauseAfter(attempt), request.signal);
  }
}

/**
 * Without a response, it is unknown whether the call had an effect. The host deduplicates job ends, and any call by its
 * idempotency key; repeating another POST could start an instance twice.
 */
function canBeSentAgain(request: Request, outcome: Response | Error): boolean {
  if (outcome instanceof ApiError) return false;
  if (outcome instanceof NotSent) return true;
  if (outcome instanceof Response && NOT_LOOKED_AT.has(outcome.status)) return true;
  if (outcome instanceof Response && !AWAY.has(outcome.status)) return false;
  return (
    request.method !== 'POST' ||
    request.headers.has('Idempotency-Key') ||
    /\/external-jobs\//.test(new URL(request.url).pathname)
  );
}

/** There was no token for the call, so the host has not received it. */
class NotSent extends Error {
  override name = 'NotSent';
}

function notSent(error: Error): never {
  throw error instanceof ApiError
    ? error
    : new NotSent(`No access token available: ${error.message}`, { cause: error });
}

/** Milliseconds; undefined when the host did not specify a wait. */
function waitAskedFor(outcome: Response | Error): number | undefined {
  const seconds = outcome instanceof Response ? Number(outcome.headers.get('Retry-After') ?? Number.NaN) : Number.NaN;
  return Number.isFinite(seconds) ? seconds * 1000 : undefined;
}
