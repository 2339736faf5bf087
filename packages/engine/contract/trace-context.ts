/**
 * The W3C trace context of a start, command, publication or job, so that one trace covers a whole request. The
 * interpreter only passes it on.
 */
export interface TraceContext {
  traceparent: string;
  tracestate?: string;
}
