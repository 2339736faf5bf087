/** Calls of the host's REST API in one project. */
import { setTimeout as pause } from 'node:timers/promises';

export interface RestClientOptions {
  /** `http://127.0.0.1:8080` */
  api: string;
  project: string;
  accessToken(): Promise<string>;
}

/** The host refused a call. */
export class RefusedCall extends Error {
  readonly status: number;
  /** The host's own error code: `LEASE_LOST`, `NOT_FOUND`. */
  readonly code: string | undefined;

  constructor(call: string, status: number, code: string | undefined, detail: string | undefined) {
    super(`${call} was answered ${status}${code ? ` ${code}` : ''}${detail ? `: ${detail}` : ''}`);
    this.status = status;
    this.code = code;
  }
}

export interface PostOptions {
  signal?: AbortSignal;
  /** A call of the same key and body has the effect of one. */
  idempotencyKey?: string;
}

type Attempt<T> = { value: T } | { error: unknown; again: boolean; afterMs?: number };

/** How often a call is tried when the host cannot be reached or asks to come again later. */
const ATTEMPTS = 8;
const LONGEST_PAUSE_MS = 10_000;

export class RestClient {
  readonly #options: RestClientOptions;

  constructor(options: RestClientOptions) {
    this.#options = options;
  }

  get<T>(path: string): Promise<T> {
    return this.#call('GET', path, {});
  }

  /** Undefined when the answer has no content. */
  post<T>(path: string, body?: unknown, options: PostOptions = {}): Promise<T> {
    return this.#call('POST', path, { ...options, body });
  }

  /**
   * A call whose answer got lost is sent again. The host takes that well: it answers a repeated completion as the first
   * one, and a start by its idempotency key.
   */
  async #call<T>(method: string, path: string, request: PostOptions & { body?: unknown }): Promise<T> {
    const { signal } = request;
    for (let attempt = 1; ; attempt += 1) {
      const outcome = await this.#attempt<T>(method, path, request);
      if ('value' in outcome) return outcome.value;
      if (attempt === ATTEMPTS || !outcome.again || signal?.aborted) throw outcome.error;
      await pause(outcome.afterMs ?? Math.min(250 * 2 ** attempt, LONGEST_PAUSE_MS), undefined, { signal });
    }
  }

  async #attempt<T>(method: string, path: string, { body, signal, idempotencyKey }: PostOptions & { body?: unknown }): Promise<Attempt<T>> {
    let answer: Response;
    try {
      answer = await fetch(`${this.#options.api}/projects/${this.#options.project}${path}`, {
        method,
        headers: {
          authorization: `Bearer ${await this.#options.accessToken()}`,
          ...(body !== undefined && { 'content-type': 'application/json' }),
          ...(idempotencyKey !== undefined && { 'idempotency-key': idempotencyKey }),
        },
        ...(body !== undefined && { body: JSON.stringify(body) }),
        ...(signal && { signal }),
      });
    } catch (error) {
      return { error, again: true };
    }
    if (answer.ok) return { value: (await contentOf(answer)) as T };
    const problem = (await contentOf(answer)) as { code?: string; detail?: string } | undefined;
    const retryAfter = Number(answer.headers.get('retry-after') ?? Number.NaN);
    return {
      error: new RefusedCall(`${method} ${path}`, answer.status, problem?.code, problem?.detail),
      again: answer.status === 429 || answer.status === 503,
      ...(Number.isFinite(retryAfter) && { afterMs: retryAfter * 1000 }),
    };
  }
}

async function contentOf(answer: Response): Promise<unknown> {
  const text = await answer.text();
  if (text === '') return undefined;
  return /json/.test(answer.headers.get('content-type') ?? '') ? JSON.parse(text) : undefined;
}
