import type { Schemas } from './schema.js';

/** 408 is for a request that did not come whole in time, as over a connection that stood still; 429 for too many of them. */
export const NOT_LOOKED_AT: ReadonlySet<number> = new Set([408, 429]);

/** The host refused a call. */
export class RefusedCall extends Error {
  override name = 'RefusedCall';
  readonly status: number;
  /** The host's own error code: `LEASE_LOST`, `NOT_FOUND`. */
  readonly code: string | undefined;
  /** Finds the call in the log of the host. */
  readonly requestID: string | undefined;
  /** What belongs to the code: the problems of a model that was refused, for example. */
  readonly details: unknown;

  constructor(status: number, problem: Partial<Schemas['Problem']> = {}) {
    const { code, detail, requestID, details } = problem;
    super(`The host answered ${status}${code ? ` ${code}` : ''}${detail ? `: ${detail}` : ''}`);
    this.status = status;
    this.code = code;
    this.requestID = requestID;
    this.details = details;
  }

  /** The host was away, busy, or did not get the whole call in time (RFC 9110): the same call may be accepted later. */
  get isTemporary(): boolean {
    return this.status >= 500 || NOT_LOOKED_AT.has(this.status);
  }
}
