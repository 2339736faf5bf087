/** Reads the trace context of a request (W3C Trace Context, level 1). */
import type { TraceContext } from '@perdure/engine/contract/trace-context.js';

const TRACEPARENT = /^(?!ff)[0-9a-f]{2}-(?!0{32})[0-9a-f]{32}-(?!0{16})[0-9a-f]{16}-[0-9a-f]{2}$/;
/** The specification requires propagating at least this many characters; longer values can be dropped. */
const MAX_TRACESTATE_LENGTH = 512;

/** Undefined when the headers contain no valid context: a new trace then starts here. */
export function readTraceContext(headers: Headers): TraceContext | undefined {
  const traceparent = headers.get('traceparent');
  if (traceparent === null || !TRACEPARENT.test(traceparent)) return undefined;
  const tracestate = headers.get('tracestate');
  const isKept = tracestate !== null && tracestate.length <= MAX_TRACESTATE_LENGTH && /^[\x20-\x7e]+$/.test(tracestate);
  return { traceparent, ...(isKept && { tracestate }) };
}
