/**
 * The REST API, typed by its OpenAPI document: `unwrap(api.GET('/projects', { signal }))`. Everything that is refused
 * or cannot be reached comes back as one kind of error, `ApiProblem`.
 */
import createClient from 'openapi-fetch';
import type { components, paths } from '@perdure/client';
import { currentSession, expireSession } from '../access/session.js';

export type Schemas = components['schemas'];

export const api = createClient<paths>({ baseUrl: window.location.origin, fetch: send });

/** An issue of the request, with a JSON pointer to its place: `/variables/amount`. */
export interface IssueWithPath {
  path: string;
  message: string;
}

export class ApiProblem extends Error {
  override name = 'ApiProblem';

  constructor(
    /** The code of the API's problem document; `UNREACHABLE` without a response. */
    readonly code: string,
    /** 0 without a response. */
    readonly status: number,
    message: string,
    readonly details: Readonly<Record<string, unknown>> = {},
    /** Identifies the request in the host's log. */
    readonly requestID?: string,
  ) {
    super(message);
  }

  /** All issues, if the API found more than one. */
  get issues(): string[] {
    return this.#issues.map((issue) => (typeof issue === 'string' ? issue : `${issue.path || '/'}: ${issue.message}`));
  }

  /** The issues with a place in the request. */
  get issuesWithPath(): IssueWithPath[] {
    return this.#issues.filter((issue) => typeof issue === 'object');
  }

  get #issues(): (string | IssueWithPath)[] {
    const { issues } = this.details;
    return Array.isArray(issues) ? issues : [];
  }
}

interface Call<Body> {
  data?: Body;
  error?: unknown;
  response: Response;
}

/**
 * The body of a successful response.
 *
 * @throws ApiProblem
 */
export async function unwrap<Body>(call: Promise<Call<Body>>): Promise<NonNullable<Body>> {
  const { data, error, response } = await call;
  if (!response.ok) throw problemOf(error, response);
  return data as NonNullable<Body>;
}

export async function send(request: Request): Promise<Response> {
  const session = currentSession();
  if (session.kind !== 'signed-in') throw new ApiProblem('UNAUTHORIZED', 401, 'Your session has expired.');
  request.headers.set('Authorization', `Bearer ${session.accessToken}`);
  let response: Response;
  try {
    response = await fetch(request);
  } catch (error) {
    if (request.signal.aborted) throw error;
    throw new ApiProblem('UNREACHABLE', 0, 'The host does not respond. It may be restarting, or the network is down.');
  }
  if (response.status === 401) expireSession();
  return response;
}

export function problemOf(document: unknown, response: Response): ApiProblem {
  const { code, detail, title, details } = (
    typeof document === 'object' && document !== null ? document : {}
  ) as Record<string, unknown>;
  return new ApiProblem(
    typeof code === 'string' ? code : 'INTERNAL_ERROR',
    response.status,
    [detail, title].find((words): words is string => typeof words === 'string') ??
      `The host returned ${response.status}.`,
    (typeof details === 'object' ? details : {}) as Record<string, unknown>,
    response.headers.get('x-request-id') ?? undefined,
  );
}
