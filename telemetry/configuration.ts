/** Whether to create spans, according to OpenTelemetry's variables. The exporter reads the other variables itself. */
import { oneOf, text } from '@perdure/configuration/kinds.js';
import { describeMistake, readSection } from '@perdure/configuration/read.js';
import { variable, type Environment } from '@perdure/configuration/variable.js';

const samplers = [
  'always_on',
  'always_off',
  'traceidratio',
  'parentbased_always_on',
  'parentbased_always_off',
  'parentbased_traceidratio',
] as const;

const protocol = text('http/protobuf');

export const tracingSection = {
  title: 'Traces',
  variables: {
    OTEL_EXPORTER_OTLP_ENDPOINT: variable({
      kind: text('the URL of a collector'),
      description: 'Collector; this or the next variable turns [traces](operations/traces.md) on.',
    }),
    OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: variable({
      kind: text('the URL of a collector'),
      description: 'Collector for traces only, with the path.',
    }),
    OTEL_TRACES_EXPORTER: variable({
      kind: oneOf(['otlp', 'none']),
      defaultInWords: '`otlp` if an endpoint is set',
      description: 'Turns traces on or off.',
    }),
    OTEL_SDK_DISABLED: variable({ kind: text('true or false'), default: 'false', description: 'Turns traces off.' }),
    OTEL_EXPORTER_OTLP_PROTOCOL: variable({
      kind: protocol,
      default: 'http/protobuf',
      description: 'The only supported protocol.',
    }),
    OTEL_EXPORTER_OTLP_TRACES_PROTOCOL: variable({
      kind: protocol,
      defaultInWords: 'by `OTEL_EXPORTER_OTLP_PROTOCOL`',
      description: 'The same for traces only.',
    }),
    OTEL_TRACES_SAMPLER: variable({
      kind: oneOf(samplers),
      default: 'parentbased_always_on',
      description: 'Which traces are sent.',
    }),
    OTEL_TRACES_SAMPLER_ARG: variable({
      kind: text('a number from 0 to 1'),
      default: '1',
      description: 'Share of traces that a `traceidratio` sampler sends.',
    }),
  },
};

export interface TracingConfiguration {
  wanted: boolean;
  /** The mistakes, one sentence each; none where no spans are created. */
  problems: string[];
}

export function readTracingConfiguration(environment: Environment): TracingConfiguration {
  const { values, problems } = readSection(tracingSection, environment);
  const hasEndpoint = Boolean(values.OTEL_EXPORTER_OTLP_TRACES_ENDPOINT || values.OTEL_EXPORTER_OTLP_ENDPOINT);
  const wanted =
    (hasEndpoint || Boolean(environment['OTEL_TRACES_EXPORTER'])) &&
    values.OTEL_TRACES_EXPORTER !== 'none' &&
    values.OTEL_SDK_DISABLED?.toLowerCase() !== 'true';
  return { wanted, problems: wanted ? [...problems, ...problemsOfEffectiveValues(values)] : [] };
}

type Values = ReturnType<typeof readSection<(typeof tracingSection)['variables']>>['values'];

/** The rules of values that count only together with others. */
function problemsOfEffectiveValues(values: Values): string[] {
  const problems: string[] = [];
  const protocolName = values.OTEL_EXPORTER_OTLP_TRACES_PROTOCOL
    ? 'OTEL_EXPORTER_OTLP_TRACES_PROTOCOL'
    : 'OTEL_EXPORTER_OTLP_PROTOCOL';
  const usedProtocol = values[protocolName]!;
  const ratio = values.OTEL_TRACES_SAMPLER_ARG!;
  const { variables } = tracingSection;
  if (usedProtocol !== protocol.expected)
    problems.push(describeMistake(protocolName, variables[protocolName], usedProtocol));
  if (values.OTEL_TRACES_SAMPLER?.endsWith('traceidratio') && !(Number(ratio) >= 0 && Number(ratio) <= 1))
    problems.push(describeMistake('OTEL_TRACES_SAMPLER_ARG', variables.OTEL_TRACES_SAMPLER_ARG, ratio));
  return problems;
}
