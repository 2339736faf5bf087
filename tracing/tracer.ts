/** Spans, for the parts that make them. Without a collector there are none, and what a caller sent is passed on as it came. */
import type { TraceContext } from '../engine/trace-context.js';

export type Attributes = { [name: string]: string | number | boolean };

export interface SpanDescription<Result> {
  /** Few different ones: ids belong into attributes. */
  name: string;
  kind: 'server' | 'internal';
  parent: TraceContext | undefined;
  attributes?: Attributes;
  /** What is known only when the work is done. */
  conclude?(result: Result): { name?: string; attributes?: Attributes; isError?: boolean };
}

export interface Tracer {
  /** Does the work within a span; it gets the context for what it causes. What it throws marks the span as failed. */
  trace<Result>(span: SpanDescription<Result>, work: (context: TraceContext | undefined) => Promise<Result>): Promise<Result>;
}

export const noTracer: Tracer = { trace: ({ parent }, work) => work(parent) };
