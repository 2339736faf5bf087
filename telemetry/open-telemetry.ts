/**
 * OpenTelemetry spans, sent by OTLP over HTTP. Imported only when tracing is enabled, because loading it takes time and
 * memory.
 */
import { setTimeout as delay } from 'node:timers/promises';
import {
  defaultTextMapGetter,
  defaultTextMapSetter,
  ROOT_CONTEXT,
  SpanKind,
  SpanStatusCode,
  trace as traces,
  type Context,
  type Span,
  type TextMapPropagator,
} from '@opentelemetry/api';
import { W3CTraceContextPropagator } from '@opentelemetry/core';
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-proto';
import { defaultResource, detectResources, envDetector, resourceFromAttributes } from '@opentelemetry/resources';
import {
  AlwaysOffSampler,
  AlwaysOnSampler,
  BatchSpanProcessor,
  ParentBasedSampler,
  TraceIdRatioBasedSampler,
  TracerProvider,
  type Sampler,
} from '@opentelemetry/sdk-trace';
import type { TraceContext } from '@perdure/engine/contract/trace-context.js';
import { errorMessage } from '@perdure/lib/error-message.js';
import type { SpanDescription, Tracer } from './tracer.js';

export interface OpenedTracer {
  tracer: Tracer;
  /** Sends the remaining spans. */
  close(): Promise<void>;
}

const MAX_CLOSE_MS = 3_000;
const propagator: TextMapPropagator = new W3CTraceContextPropagator();
const kinds = { server: SpanKind.SERVER, internal: SpanKind.INTERNAL } as const;

/** @param version of the host */
export function openTracer(environment: NodeJS.ProcessEnv, version: string): OpenedTracer {
  const provider = new TracerProvider({
    resource: defaultResource()
      .merge(resourceFromAttributes({ 'service.name': 'perdure', 'service.version': version }))
      .merge(detectResources({ detectors: [envDetector] })),
    sampler: samplerOf(environment),
    spanProcessors: [new BatchSpanProcessor({ exporter: new OTLPTraceExporter(), ...batchingOf(environment) })],
  });
  const tracer = provider.getTracer('perdure', version);

  async function trace<Result>(
    description: SpanDescription<Result>,
    work: (context: TraceContext | undefined) => Promise<Result>,
  ): Promise<Result> {
    const { name, kind, parent, attributes = {} } = description;
    const around = parent ? propagator.extract(ROOT_CONTEXT, parent, defaultTextMapGetter) : ROOT_CONTEXT;
    const span = tracer.startSpan(name, { kind: kinds[kind], attributes }, around);
    try {
      const result = await work(contextOf(traces.setSpan(around, span)));
      conclude(span, description, result);
      return result;
    } catch (error) {
      span.setStatus({ code: SpanStatusCode.ERROR, message: errorMessage(error) });
      throw error;
    } finally {
      span.end();
    }
  }

  // An unavailable collector must not delay the shutdown of the host.
  const close = () =>
    Promise.race([provider.shutdown().catch(() => undefined), delay(MAX_CLOSE_MS, undefined, { ref: false })]);
  return { tracer: { trace }, close };
}

function conclude<Result>(span: Span, description: SpanDescription<Result>, result: Result): void {
  const { name, attributes, isError } = description.conclude?.(result) ?? {};
  if (name !== undefined) span.updateName(name);
  if (attributes) span.setAttributes(attributes);
  if (isError) span.setStatus({ code: SpanStatusCode.ERROR });
}

function contextOf(context: Context): TraceContext | undefined {
  const carrier: Partial<TraceContext> = {};
  propagator.inject(context, carrier, defaultTextMapSetter);
  return carrier.traceparent === undefined ? undefined : { ...carrier, traceparent: carrier.traceparent };
}

const batchVariables = {
  scheduledDelayMillis: 'OTEL_BSP_SCHEDULE_DELAY',
  exportTimeoutMillis: 'OTEL_BSP_EXPORT_TIMEOUT',
  maxQueueSize: 'OTEL_BSP_MAX_QUEUE_SIZE',
  maxExportBatchSize: 'OTEL_BSP_MAX_EXPORT_BATCH_SIZE',
} as const;

/** The SDK (seen in 2.12) does not read these variables itself. Values that are not numbers are ignored. */
function batchingOf(environment: NodeJS.ProcessEnv): { [option in keyof typeof batchVariables]?: number } {
  const given = Object.entries(batchVariables).map(([option, name]) => [option, Number(environment[name] || NaN)]);
  return Object.fromEntries(given.filter(([, value]) => Number(value) > 0));
}

function samplerOf({ OTEL_TRACES_SAMPLER, OTEL_TRACES_SAMPLER_ARG }: NodeJS.ProcessEnv): Sampler {
  const [, parentBased, name] = /^(parentbased_)?(.+)$/.exec(OTEL_TRACES_SAMPLER || 'parentbased_always_on')!;
  const root = {
    always_on: () => new AlwaysOnSampler(),
    always_off: () => new AlwaysOffSampler(),
    traceidratio: () => new TraceIdRatioBasedSampler(Number(OTEL_TRACES_SAMPLER_ARG || 1)),
  }[name as 'always_on']();
  return parentBased ? new ParentBasedSampler({ root }) : root;
}
