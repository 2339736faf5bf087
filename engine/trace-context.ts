/** The W3C trace context that travels with a start, a command, a publication and a job, so that one trace shows the way of a request. The interpreter only passes it on. */
export interface TraceContext {
  traceparent: string;
  tracestate?: string;
}
