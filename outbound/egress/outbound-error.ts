export type OutboundErrorCode =
  'EGRESS_REFUSED' | 'HTTP_TIMEOUT' | 'HTTP_CONNECTION' | 'HTTP_REQUEST_INVALID' | 'HTTP_ANSWER_TOO_LARGE';

/** A request that was not sent, or got no response. The message never contains contents of the request. */
export class OutboundError extends Error {
  constructor(
    readonly code: OutboundErrorCode,
    message: string,
  ) {
    super(message);
    this.name = 'OutboundError';
  }
}
