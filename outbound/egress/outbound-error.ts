export type OutboundErrorCode =
  'EGRESS_REFUSED' | 'HTTP_TIMEOUT' | 'HTTP_CONNECTION' | 'HTTP_REQUEST_INVALID' | 'HTTP_ANSWER_TOO_LARGE';

/** A request that was not sent, or whose answer was not received. The message never contains what was sent. */
export class OutboundError extends Error {
  constructor(
    readonly code: OutboundErrorCode,
    message: string,
  ) {
    super(message);
    this.name = 'OutboundError';
  }
}
