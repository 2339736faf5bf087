/** Sends spans to a collector if the environment names one. Otherwise, OpenTelemetry is not even loaded. */
import type { OpenedTracer } from '../telemetry/open-telemetry.js';
import { noTracer } from '../telemetry/tracer.js';
import { readBuildInformation } from './build-information.js';

export async function openTracing(environment: NodeJS.ProcessEnv, isTraced: boolean): Promise<OpenedTracer> {
  if (!isTraced) return { tracer: noTracer, close: async () => undefined };
  const { openTracer } = await import('../telemetry/open-telemetry.js');
  return openTracer(environment, readBuildInformation().version);
}
