/** The Helm chart without Helm: its values, their schema, and the variables that its templates set. */
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { repositoryRoot } from '../../dev/repository.js';
import { readConfig } from '../../host/configuration/config.js';
import {
  chart,
  configSchema,
  declared,
  defaults,
  readChart,
  refusedValues,
  secrets,
  setByTemplates,
  withValues,
  type Values,
} from './support/chart.js';

const templates = readdirSync(join(chart, 'templates'))
  .map((file) => readChart(`templates/${file}`))
  .join('\n');
const [, documented = ''] =
  /```yaml\n([^]*?)```/.exec(readFileSync(join(repositoryRoot, 'docs/operations/kubernetes.md'), 'utf8')) ?? [];
const example = withValues(defaults(), parse(documented) as Values);

it('the chart has the version of the host', () => {
  const { version } = JSON.parse(readFileSync(join(repositoryRoot, 'package.json'), 'utf8'));
  expect(parse(readChart('Chart.yaml'))).toMatchObject({ version, appVersion: version });
});

it('config accepts the variables of the host, except secrets and what templates set', () => {
  const schema = JSON.parse(readChart('values.schema.json'));
  const expected = { ...schema, definitions: { config: configSchema() } };
  if (process.env['ACCEPT_GOLDEN'] === '1')
    writeFileSync(join(chart, 'values.schema.json'), `${JSON.stringify(expected, null, 2)}\n`);
  expect(schema, 'ACCEPT_GOLDEN=1 npx vitest run test/deploy/chart.test.ts').toEqual(expected);
});

it('templates set the variables that config refuses, and no others', () => {
  const set = [...templates.matchAll(/\{ name: ([A-Z][A-Z\d_]+), value:/g)].map(([, name]) => name);
  expect([...new Set(set)].toSorted()).toEqual(setByTemplates);
  expect(setByTemplates.filter((name) => !declared.includes(name))).toEqual([]);
  for (const name of secrets) expect(readChart('values.yaml')).toContain(name);
});

it('templates read only values that exist', () => {
  const read = [...templates.matchAll(/\.Values((?:\.[A-Za-z\d]+)+)/g)].map(([, path]) => path!.slice(1).split('.'));
  const isVariable = (path: string[]) => path[0] === 'config' && path.length === 2;
  const missing = read.filter((path) => !isVariable(path) && valueAt(defaults(), path) === undefined);
  expect(missing).toEqual([]);
});

it.each(['api', 'worker', 'connectors'])('the host accepts the variables of the role %s', (role) => {
  const of = (name: string) => (example[name] as Values)['config'] as Record<string, string>;
  const environment = {
    DATABASE_URL: 'postgres://perdure:secret@postgres/perdure?sslmode=verify-full',
    ...(example['config'] as Record<string, string>),
    PERDURE_ROLES: role,
    HOST: '0.0.0.0',
    METRICS_PORT: '9464',
    ...of(role),
  };
  expect([...readConfig(environment).roles]).toEqual([role]);
});

describe('the schema', () => {
  it('accepts the defaults and the example of the documentation', () => {
    expect(refusedValues(defaults())).toEqual([]);
    expect(refusedValues(example)).toEqual([]);
  });

  it.each<[string, Values]>([
    ['a variable that does not exist', { config: { TEMPORAL_ADRESS: 'temporal:7233' } }],
    ['a secret among the variables', { config: { DATABASE_URL: 'postgres://u:p@host/db' } }],
    ['a number that is not in quotes', { config: { DATABASE_CONNECTIONS: 32 } }],
    ['a variable that templates set', { api: { config: { PERDURE_ROLES: 'worker' } } }],
    ['an unknown value', { ingres: { enabled: true } }],
    ['an unknown autoscaler', { worker: { autoscaling: { kind: 'vpa' } } }],
    ['a grace period shorter than the host needs', { worker: { terminationGracePeriodSeconds: 30 } }],
    ['a release without a secret', { existingSecret: '' }],
  ])('refuses %s', (_, changes) => {
    expect(refusedValues(withValues(example, changes))).not.toEqual([]);
  });
});

it('a pod has longer to end than the host takes, and its root file system is read-only', () => {
  const { terminationGracePeriodSeconds, config } = example['api'] as {
    terminationGracePeriodSeconds: number;
    config: Record<string, string>;
  };
  expect(terminationGracePeriodSeconds).toBeGreaterThanOrEqual(35 + Number.parseInt(config['SHUTDOWN_DELAY']!));
  expect(templates).toContain('readOnlyRootFilesystem: true');
  expect(example['podSecurityContext']).toEqual({
    runAsNonRoot: true,
    seccompProfile: { type: 'RuntimeDefault' },
  });
});

function valueAt(values: unknown, path: readonly string[]): unknown {
  return path.reduce<unknown>((value, name) => (value as Values | undefined)?.[name], values);
}
