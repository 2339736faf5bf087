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
  /**
   * Ends reads, waits for a token, and pauses between attempts of all calls. A change that was sent is ended only by the
   * `signal` of its call, because its outcome would be unknown.
   */
  signal?: AbortSignal;
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

export function createClient({ api, accessToken, signal }: ClientOptions): PerdureClient {
  const authorized = async (request: Request, ends: Ends) => {
    const token = await unlessAborted(() => accessToken().catch(notSent), ends.waits);
    request.headers.set('Authorization', `Bearer ${token}`);
    // A redirect would repeat token or variables at another address.
    return fetch(request, { signal: ends.sent, redirect: 'manual' });
  };
  return createOpenApiClient<paths>({
    baseUrl: api,
    fetch: (request) => callUntilAnswered(request, endsOf(request, signal), authorized),
  });
}

/** The signals that end a call while it waits, and once it has been sent. */
interface Ends {
  waits: AbortSignal;
  sent: AbortSignal;
}

function endsOf({ signal: own, method }: Request, ofClient: AbortSignal | undefined): Ends {
  const waits = ofClient === undefined ? own : AbortSignal.any([own, ofClient]);
  return { waits, sent: method === 'GET' ? waits : own };
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
  ends: Ends,
  send: (request: Request, ends: Ends) => Promise<Response>,
): Promise<Response> {
  for (let attempt = 1; ; attempt += 1) {
    // Node 20 forgets at a garbage collection that a clone follows the signal of its original.
    const outcome = await send(request.clone(), ends).catch((error: Error) => error);
    const isLast = attempt === ATTEMPTS || ends.waits.aborted || !canBeSentAgain(request, outcome);
    if (isLast && outcome instanceof Error) throw outcome;
    if (isLast) return outcome as Response;
    if (outcome instanceof Response) await outcome.body?.cancel();
    await pause(waitAskedFor(outcome) ?? pauseAfter(attempt), ends.waits);
  }
}

/** Rejects with the reason of `signal` as soon as it is aborted. What was begun continues for its other callers. */
async function unlessAborted<Value>(begin: () => Promise<Value>, signal: AbortSignal): Promise<Value> {
  signal.throwIfAborted();
  let abort = () => {};
  const aborted = new Promise<never>((_resolve, reject) => {
    abort = () => reject(signal.reason as Error);
    signal.addEventListener('abort', abort);
  });
  try {
    return await Promise.race([begin(), aborted]);
  } finally {
    signal.removeEventListener('abort', abort);
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
