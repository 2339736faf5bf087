/** Whether to create spans, according to OpenTelemetry's variables. The exporter reads the other variables itself. */

type Environment = { readonly [name: string]: string | undefined };

export interface TracingConfiguration {
  wanted: boolean;
  /** The mistakes, one sentence each. */
  problems: string[];
}

export function readTracingConfiguration(environment: Environment): TracingConfiguration {
  const { OTEL_SDK_DISABLED, OTEL_TRACES_EXPORTER, OTEL_EXPORTER_OTLP_ENDPOINT, OTEL_EXPORTER_OTLP_TRACES_ENDPOINT } =
    environment;
  const hasEndpoint = Boolean(OTEL_EXPORTER_OTLP_TRACES_ENDPOINT || OTEL_EXPORTER_OTLP_ENDPOINT);
  const exporter = OTEL_TRACES_EXPORTER || (hasEndpoint ? 'otlp' : 'none');
  const wanted = exporter !== 'none' && OTEL_SDK_DISABLED?.toLowerCase() !== 'true';
  return { wanted, problems: wanted ? problemsOf(environment, exporter) : [] };
}

const samplers = [
  'always_on',
  'always_off',
  'traceidratio',
  'parentbased_always_on',
  'parentbased_always_off',
  'parentbased_traceidratio',
];

function problemsOf(environment: Environment, exporter: string): string[] {
  const problems: string[] = [];
  const protocol =
    environment['OTEL_EXPORTER_OTLP_TRACES_PROTOCOL'] || environment['OTEL_EXPORTER_OTLP_PROTOCOL'] || 'http/protobuf';
  const sampler = environment['OTEL_TRACES_SAMPLER'] || 'parentbased_always_on';
  const ratio = environment['OTEL_TRACES_SAMPLER_ARG'] || '1';
  if (exporter !== 'otlp')
    problems.push(`OTEL_TRACES_EXPORTER must be otlp or none, but is ${JSON.stringify(exporter)}`);
  if (protocol !== 'http/protobuf')
    problems.push(`OTEL_EXPORTER_OTLP_PROTOCOL must be http/protobuf, but is ${JSON.stringify(protocol)}`);
  if (!samplers.includes(sampler))
    problems.push(`OTEL_TRACES_SAMPLER must be one of ${samplers.join(', ')}, but is ${JSON.stringify(sampler)}`);
  if (sampler.endsWith('traceidratio') && !(Number(ratio) >= 0 && Number(ratio) <= 1))
    problems.push(`OTEL_TRACES_SAMPLER_ARG must be a number from 0 to 1, but is ${JSON.stringify(ratio)}`);
  return problems;
}
