import type { Schemas } from './schema.js';

/** 408: the request did not arrive completely in time, as on a stalled connection. 429: too many requests. */
export const NOT_LOOKED_AT: ReadonlySet<number> = new Set([408, 429]);

/** The host refused a call. */
export class ApiError extends Error {
  override name = 'ApiError';
  readonly status: number;
  /** The error code of the host: `LEASE_LOST`, `NOT_FOUND`. */
  readonly code: string | undefined;
  /** Identifies the call in the log of the host. */
  readonly requestID: string | undefined;
  /** Details of the code, for example the problems of a refused model. */
  readonly details: unknown;

  constructor(status: number, problem: Partial<Schemas['Problem']> = {}) {
    const { code, detail, requestID, details } = problem;
    super(`The host returned ${status}${code ? ` ${code}` : ''}${detail ? `: ${detail}` : ''}`);
    this.status = status;
    this.code = code;
    this.requestID = requestID;
    this.details = details;
  }

  /**
   * Whether the host was unavailable, busy, or did not receive the complete call in time (RFC 9110): the same call may
   * succeed later.
   */
  get isTemporary(): boolean {
    return this.status >= 500 || NOT_LOOKED_AT.has(this.status);
  }
}
