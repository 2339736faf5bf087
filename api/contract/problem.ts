/**
 * Error responses: RFC 9457 `application/problem+json`.
 *
 * A problem is a value. An operation returns it; nothing throws it. Its `message` and `details` are for the caller; its
 * `reason` is the actual cause, which is logged and never sent.
 */
export const problemCodes = {
  BAD_REQUEST: { status: 400, title: 'The request is not valid' },
  INVALID_MODEL: { status: 400, title: 'The model cannot be deployed' },
  UNAUTHORIZED: { status: 401, title: 'A valid access token is required' },
  NOT_FOUND: { status: 404, title: 'Not found' },
  METHOD_NOT_ALLOWED: { status: 405, title: 'The method is not supported' },
  CONFLICT: { status: 409, title: 'The request conflicts with the current state' },
  DEFINITION_SUSPENDED: { status: 409, title: 'The definition is suspended' },
  BUSINESS_ID_TAKEN: { status: 409, title: 'Another instance has the business id' },
  LIMIT_REACHED: { status: 409, title: 'A limit is reached' },
  SUSPENDED: { status: 409, title: 'The instance is suspended' },
  INSTANCE_ENDED: { status: 409, title: 'The instance has ended' },
  LEASE_LOST: { status: 409, title: 'The lease on the job has been lost' },
  POSITION_EXPIRED: { status: 409, title: 'Events after this position have been removed' },
  IDEMPOTENCY_KEY_REUSED: { status: 409, title: 'The idempotency key was used for another request' },
  MEMBERSHIP_MANAGED_BY_PROVIDER: { status: 409, title: 'The identity provider manages memberships' },
  PRECONDITION_FAILED: { status: 412, title: 'The object has changed since it was read' },
  PAYLOAD_TOO_LARGE: { status: 413, title: 'The request is too large' },
  UNSUPPORTED_MEDIA_TYPE: { status: 415, title: 'The media type is not supported' },
  TOO_MANY_REQUESTS: { status: 429, title: 'Too many requests' },
  INTERNAL_ERROR: { status: 500, title: 'Internal error' },
  UNAVAILABLE: { status: 503, title: 'Temporarily unavailable' },
} as const satisfies Record<string, { status: number; title: string }>;

export type ProblemCode = keyof typeof problemCodes;

export interface Problem<Code extends ProblemCode = ProblemCode> {
  readonly kind: 'problem';
  readonly code: Code;
  readonly message: string;
  readonly details?: Readonly<Record<string, unknown>> | undefined;
  readonly headers?: Readonly<Record<string, string>> | undefined;
  /** The actual cause, only for the log. */
  readonly reason?: string | undefined;
}

export interface ProblemExtras {
  readonly details?: Readonly<Record<string, unknown>>;
  readonly headers?: Readonly<Record<string, string>>;
  readonly reason?: string;
}

export function problem<const Code extends ProblemCode>(
  code: Code,
  message: string,
  extras: ProblemExtras = {},
): Problem<Code> {
  return { kind: 'problem', code, message, ...extras };
}

/**
 * The only not-found response. "Does not exist", "not in this project", and "no right to see it" must be the same bytes,
 * so that no response reveals what exists. So this function takes a reason for the log and nothing for the caller.
 */
export function notFound(reason: string): Problem<'NOT_FOUND'> {
  return problem('NOT_FOUND', 'Not found, or not visible with this token', { reason });
}

/** 503 with Retry-After: a dependency of the host does not respond. */
export function unavailable(reason: string, retryAfterSeconds: number): Problem<'UNAVAILABLE'> {
  return problem(
    'UNAVAILABLE',
    'A required service is unavailable. Retry after the number of seconds in Retry-After.',
    {
      headers: { 'Retry-After': String(retryAfterSeconds) },
      reason,
    },
  );
}

export function isProblem(value: unknown): value is Problem {
  return typeof value === 'object' && value !== null && 'kind' in value && value.kind === 'problem';
}

/** The wire format of a problem. `instance` names the request, never its path, which could be reflected input. */
export function problemDocument(found: Problem, requestID: string): Record<string, unknown> {
  const { status, title } = problemCodes[found.code];
  return {
    type: `urn:perdure:problem:${found.code}`,
    title,
    status,
    detail: found.message,
    instance: `urn:perdure:request:${requestID}`,
    code: found.code,
    message: found.message,
    details: found.details ?? {},
    requestID,
  };
}
