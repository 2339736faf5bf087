import type { Schemas } from './schema.js';

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
}
