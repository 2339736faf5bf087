import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { expect, it } from 'vitest';
import { compiledScript } from '../../dev/repository.js';
import { readTracingConfiguration } from '../../telemetry/configuration.js';
import { readTraceContext } from '../../telemetry/trace-context.js';

it.each([
  [{}, false],
  [{ OTEL_EXPORTER_OTLP_ENDPOINT: 'http://collector:4318' }, true],
  [{ OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: 'http://collector:4318/v1/traces' }, true],
  [{ OTEL_TRACES_EXPORTER: 'otlp' }, true],
  [{ OTEL_TRACES_EXPORTER: 'none', OTEL_EXPORTER_OTLP_ENDPOINT: 'http://collector:4318' }, false],
  [{ OTEL_SDK_DISABLED: 'true', OTEL_EXPORTER_OTLP_ENDPOINT: 'http://collector:4318' }, false],
])('%j: spans are sent: %j', (environment, wanted) => {
  expect(readTracingConfiguration(environment)).toEqual({ wanted, problems: [] });
});

it('names what it cannot do, all at once', () => {
  const { problems } = readTracingConfiguration({
    OTEL_TRACES_EXPORTER: 'zipkin',
    OTEL_EXPORTER_OTLP_PROTOCOL: 'grpc',
    OTEL_TRACES_SAMPLER: 'parentbased_traceidratio',
    OTEL_TRACES_SAMPLER_ARG: '2',
  });
  expect(problems).toEqual([
    'OTEL_TRACES_EXPORTER must be otlp or none, but is "zipkin"',
    'OTEL_EXPORTER_OTLP_PROTOCOL must be http/protobuf, but is "grpc"',
    'OTEL_TRACES_SAMPLER_ARG must be a number from 0 to 1, but is "2"',
  ]);
});

const good = '00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01';

it('the configuration reads a trace context, and drops a state that is too long or no text', () => {
  expect(readTraceContext(new Headers({ traceparent: good, tracestate: 'a=1' }))).toEqual({
    traceparent: good,
    tracestate: 'a=1',
  });
  expect(readTraceContext(new Headers({ traceparent: good, tracestate: `a=${'1'.repeat(600)}` }))).toEqual({
    traceparent: good,
  });
});

it.each([
  `ff${good.slice(2)}`,
  good.toUpperCase(),
  good.replace(/4bf.*4736/, '0'.repeat(32)),
  good.replace('00f067aa0ba902b7', '0'.repeat(16)),
  `${good}-x`,
  'x',
])('%s is not a trace context', (traceparent) => {
  expect(readTraceContext(new Headers({ traceparent }))).toBeUndefined();
});

it('a host that sends no spans does not load OpenTelemetry for them', async () => {
  const host = [
    'host/run.js',
    'host/roles/api.js',
    'host/roles/connectors.js',
    'host/roles/nexus.js',
    'host/roles/worker.js',
  ];
  const program = `for (const file of ${JSON.stringify(host.map(compiledScript))}) await import(file); const { openTracing } = await import(${JSON.stringify(compiledScript('host/tracing.js'))}); await openTracing({}, false);
    const { createRequire } = await import('node:module'); const loaded = Object.keys(createRequire(import.meta.url).cache).filter((file) => /opentelemetry.(sdk-trace|exporter)/.test(file)); console.log(JSON.stringify(loaded));`;
  const { stdout } = await promisify(execFile)(process.execPath, ['--input-type=module', '--eval', program]);
  expect(JSON.parse(stdout)).toEqual([]);
});
