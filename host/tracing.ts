/** Spans to a collector, where the environment names one. Else nothing of OpenTelemetry is even loaded. */
import type { OpenedTracer } from '../tracing/open-telemetry.js';
import { noTracer } from '../tracing/tracer.js';
import { readBuildInformation } from './build-information.js';

export async function openTracing(environment: NodeJS.ProcessEnv, isTraced: boolean): Promise<OpenedTracer> {
  if (!isTraced) return { tracer: noTracer, close: async () => undefined };
  const { openTracer } = await import('../tracing/open-telemetry.js');
  return openTracer(environment, readBuildInformation().version);
}
