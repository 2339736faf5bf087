/** Creates spans. Without a collector there are none, and the trace context of a caller is passed on unchanged. */
import type { TraceContext } from '@perdure/engine/contract/trace-context.js';

export type Attributes = { [name: string]: string | number | boolean };

export interface SpanDescription<Result> {
  /** Low cardinality: ids belong in attributes. */
  name: string;
  kind: 'server' | 'internal';
  parent: TraceContext | undefined;
  attributes?: Attributes;
  /** Values that are known only after the work. */
  conclude?(result: Result): { name?: string; attributes?: Attributes; isError?: boolean };
}

export interface Tracer {
  /**
   * Runs the work in a span and passes it the context for everything that it causes. An exception marks the span as
   * failed.
   */
  trace<Result>(
    span: SpanDescription<Result>,
    work: (context: TraceContext | undefined) => Promise<Result>,
  ): Promise<Result>;
}

export const noTracer: Tracer = { trace: ({ parent }, work) => work(parent) };
