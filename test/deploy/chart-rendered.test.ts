/**
 * The Helm chart rendered by Helm. `npm run helm-proof` builds Helm with Go and renders every case; without it, only the cases'
 * values are compared with the schema.
 */
import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { parseAllDocuments, stringify } from 'yaml';
import { findHelm } from '../../dev/helm/executable.js';
import { readConfig } from '../../host/configuration/config.js';
import { chart, declared, defaults, refusedValues, secrets, withValues, type Values } from './support/chart.js';

vi.setConfig({ testTimeout: 120_000, hookTimeout: 1_800_000 });

const isRendered = process.env['HELM_PROOF'] === 'rendered';
const run = promisify(execFile);
const database = { DATABASE_URL: 'postgres://perdure:secret@postgres/perdure?sslmode=verify-full' };
/** The oldest that the chart accepts. A Helm that `go build` has made takes 1.20 for granted. */
const cluster = ['--kube-version', '1.27.0'];

const connections = {
  TEMPORAL_ADDRESS: 'temporal-frontend.temporal.svc.cluster.local:7233',
  TEMPORAL_NAMESPACE: 'perdure',
  OIDC_ISSUER: 'https://login.example.com/realms/perdure',
  OIDC_PRESET: 'keycloak',
};
const ingress = { enabled: true, className: 'nginx', host: 'perdure.example.com', tlsSecret: 'perdure-tls' };

/** By name, values files as operators write them, and what each adds to the kinds of the first. */
const cases: Readonly<Record<string, { values: Values; adds: readonly string[]; release?: string }>> = {
  'the smallest': { values: { config: connections }, adds: [] },
  'a fleet with everything': {
    values: {
      config: { ...connections, TRUSTED_PROXIES: '10.244.0.0/16', EGRESS_ALLOW: '*.example.com' },
      image: { repository: 'registry.example.com/perdure', digest: `sha256:${'0'.repeat(64)}` },
      imagePullSecrets: [{ name: 'registry' }],
      api: { config: { CODEC_ORIGINS: 'https://temporal.example.com' }, autoscaling: { enabled: true } },
      worker: { autoscaling: { kind: 'hpa' }, existingSecret: 'perdure-worker' },
      connectors: { enabled: true },
      hooks: { enabled: true },
      camunda7: { enabled: true },
      codec: { enabled: true },
      ingress: { ...ingress, annotations: { 'nginx.ingress.kubernetes.io/proxy-body-size': '20m' } },
      hooksIngress: { ...ingress, host: 'hooks.example.com' },
      serviceMonitor: { enabled: true, labels: { release: 'prometheus' } },
      networkPolicy: {
        enabled: true,
        clients: [{ namespaceSelector: { matchLabels: { name: 'ingress' } } }],
        egress: [{ to: [{ ipBlock: { cidr: '10.0.0.0/8' } }] }],
        connectorsEgress: [{ to: [{ ipBlock: { cidr: '0.0.0.0/0' } }] }],
      },
      projectSecrets: { demo: 'secrets-of-demo', 'a-b': 'secrets-of-ab' },
      extraEnv: [{ name: 'NODE_EXTRA_CA_CERTS', value: '/certificates/ca.pem' }],
      extraVolumes: [{ name: 'certificates', configMap: { name: 'ca' } }],
      extraVolumeMounts: [{ name: 'certificates', mountPath: '/certificates' }],
      podAnnotations: { 'example.com/team': 'orders' },
      nodeSelector: { 'kubernetes.io/os': 'linux' },
      tolerations: [{ key: 'perdure', operator: 'Exists' }],
      priorityClassName: 'high',
      serviceAccount: { name: 'perdure' },
      migration: { existingSecret: 'perdure-owner' },
    },
    adds: [
      'Deployment connectors',
      'PodDisruptionBudget connectors',
      'HorizontalPodAutoscaler api',
      'HorizontalPodAutoscaler worker',
      'Service hooks',
      'Service metrics',
      'ServiceMonitor ',
      'Ingress api',
      'Ingress hooks',
      'NetworkPolicy api',
      'NetworkPolicy worker',
      'NetworkPolicy connectors',
    ],
  },
  'workers that KEDA scales, without a migration': {
    values: {
      config: connections,
      migration: { enabled: false },
      worker: { autoscaling: { kind: 'keda', keda: { authenticationRef: 'temporal' } } },
    },
    adds: ['ScaledObject worker'],
    release: 'orders',
  },
};

const basic = [
  'ConfigMap ',
  'Deployment api',
  'Deployment worker',
  'PodDisruptionBudget api',
  'PodDisruptionBudget worker',
  'Service api',
];

describe.each(Object.entries(cases))('%s', (_name, { values, adds, release = 'perdure' }) => {
  const all = withValues(defaults(), values);
  const hasMigration = (all['migration'] as { enabled: boolean }).enabled;

  it('has values that the schema accepts', () => {
    expect(refusedValues(all)).toEqual([]);
  });

  describe.runIf(isRendered)('rendered by Helm', () => {
    let folder: string;
    let helm: string;
    let documents: Rendered[];

    beforeAll(async () => {
      folder = mkdtempSync(join(tmpdir(), 'perdure-chart-'));
      writeFileSync(join(folder, 'values.yaml'), stringify(values));
      helm = await findHelm();
      const { stdout } = await run(helm, [
        'template',
        release,
        chart,
        ...cluster,
        '--values',
        join(folder, 'values.yaml'),
      ]);
      documents = parseAllDocuments(stdout)
        .map((document) => {
          expect(document.errors).toEqual([]);
          return document.toJS() as Rendered | null;
        })
        .filter((document) => document !== null);
    });
    afterAll(() => rmSync(folder, { recursive: true, force: true }));

    it('passes helm lint', async () => {
      const { stdout } = await run(helm, [
        'lint',
        '--strict',
        chart,
        ...cluster,
        '--values',
        join(folder, 'values.yaml'),
      ]);
      expect(stdout).toContain('0 chart(s) failed');
    });

    it('has the objects that the values ask for', () => {
      const base = release.includes('perdure') ? release : `${release}-perdure`;
      const found = documents.map(
        ({ kind, metadata }) => `${kind} ${metadata.name.slice(base.length).replace(/^-/, '')}`,
      );
      expect(found.toSorted()).toEqual([...basic, ...adds, ...(hasMigration ? ['Job migration'] : [])].toSorted());
    });

    it('gives every role variables that the host declares and accepts, and no secret among them', () => {
      const configMap = documents.find(({ kind }) => kind === 'ConfigMap')!.data!;
      for (const { metadata, spec } of documents.filter(({ kind }) => kind === 'Deployment')) {
        const [container] = spec!.template.spec.containers as [Container];
        const own = Object.fromEntries(container.env.map(({ name, value }) => [name, value]));
        const given = { ...configMap, ...own };
        const { NODE_EXTRA_CA_CERTS: _ofNode, ...ofHost } = given;
        expect(
          Object.keys(ofHost).filter((name) => !declared.includes(name)),
          metadata.name,
        ).toEqual([]);
        expect(
          Object.keys(ofHost).filter((name) => secrets.includes(name)),
          metadata.name,
        ).toEqual([]);
        for (const value of Object.values(given)) expect(value).toEqual(expect.any(String));
        const { roles } = readConfig({
          ...ofHost,
          SECRETS_PATH: undefined,
          ...database,
          TEMPORAL_PAYLOAD_KEYS: ofHost['CODEC_PORT'] && `key=${Buffer.alloc(32, 1).toString('base64')}`,
        });
        expect([...roles]).toEqual([container.name]);
      }
    });

    it('gives the migration and the autoscaler what the hosts have', () => {
      const configMap = documents.find(({ kind }) => kind === 'ConfigMap')!.data!;
      const { temporal } = readConfig({ ...configMap, ...database, PERDURE_ROLES: 'worker' });
      for (const { spec } of documents.filter(({ kind }) => kind === 'Job')) {
        const [{ env, command }] = spec!.template.spec.containers as [Container];
        const { NODE_EXTRA_CA_CERTS: _ofNode, ...given } = Object.fromEntries(
          env.map(({ name, value }) => [name, value]),
        );
        expect(given).toEqual(configMap);
        expect(command!.at(-1)).toBe('dist/host/admin/migrate.js');
      }
      for (const { spec } of documents.filter(({ kind }) => kind === 'ScaledObject'))
        expect(spec!.triggers![0]!.metadata).toMatchObject({
          endpoint: configMap['TEMPORAL_ADDRESS'],
          namespace: temporal.namespace,
          taskQueue: temporal.taskQueue,
        });
    });

    it('selects its pods, names its ports, and mounts what it has', () => {
      const deployments = documents.filter(({ kind }) => kind === 'Deployment');
      for (const { spec } of deployments) {
        expect(spec!.template.metadata.labels).toMatchObject(spec!.selector.matchLabels!);
        const { containers, volumes } = spec!.template.spec;
        for (const { volumeMounts } of containers)
          for (const { name } of volumeMounts) expect(volumes.map((volume) => volume.name)).toContain(name);
      }
      for (const { metadata, spec } of documents.filter(({ kind }) => kind === 'Service')) {
        const pods = deployments.filter(({ spec: { template } = {} as Spec }) =>
          Object.entries(spec!.selector as Record<string, string>).every(
            ([label, value]) => template.metadata.labels[label] === value,
          ),
        );
        expect(pods, metadata.name).not.toEqual([]);
        for (const pod of pods) {
          const ports = pod.spec!.template.spec.containers.flatMap((container) =>
            container.ports.map(({ name }) => name),
          );
          for (const { targetPort } of spec!.ports!) expect(ports, metadata.name).toContain(targetPort);
        }
      }
    });
  });
});

describe.runIf(isRendered)('helm template', () => {
  it.each<[string, string]>([
    ['an unknown variable', 'config.TEMPORAL_ADRESS=x'],
    ['a secret in config', 'config.DATABASE_URL=postgres://u:p@host/db'],
    ['an unknown value', 'ingres.enabled=true'],
  ])('refuses %s', async (_what, setting) => {
    const rendering = run(await findHelm(), ['template', 'perdure', chart, ...cluster, '--set-string', setting]);
    await expect(rendering).rejects.toThrow(/schema/);
  });
});

describe.runIf(isRendered)('the check of an upgrade', () => {
  const checked = ['--set', 'migration.checkUpgrade.enabled=true', '--set', 'migration.checkUpgrade.sample=1000000'];

  async function initContainers(...more: string[]): Promise<Container[] | undefined> {
    const config = Object.entries(connections).flatMap(([name, value]) => ['--set-string', `config.${name}=${value}`]);
    const { stdout } = await run(await findHelm(), ['template', 'perdure', chart, ...cluster, ...config, ...more]);
    const documents = parseAllDocuments(stdout).map((document) => document.toJS() as Rendered | null);
    return documents.find((document) => document?.kind === 'Job')!.spec!.template.spec.initContainers;
  }

  it('runs before the migration of an upgrade, with what a worker has', async () => {
    const [container, ...others] = (await initContainers('--is-upgrade', ...checked)) ?? [];
    expect(others).toEqual([]);
    expect(container!.command!.at(-1)).toBe('dist/host/admin/check-upgrade.js');
    expect(container!.args).toEqual(['--sample', '1000000', '--since', 'P7D']);
    expect(Object.fromEntries(container!.env.map(({ name, value }) => [name, value]))).toMatchObject(connections);
  });

  it('runs neither at the first installation nor unless it is enabled', async () => {
    expect(await initContainers(...checked)).toBeUndefined();
    expect(await initContainers('--is-upgrade')).toBeUndefined();
  });
});

interface Container {
  name: string;
  command?: string[];
  args?: string[];
  env: { name: string; value: string }[];
  ports: { name: string }[];
  volumeMounts: { name: string }[];
}

interface Spec {
  selector: { matchLabels?: Record<string, string> } & Record<string, unknown>;
  ports?: { targetPort: string }[];
  triggers?: { metadata: Record<string, string> }[];
  template: {
    metadata: { labels: Record<string, string> };
    spec: { initContainers?: Container[]; containers: Container[]; volumes: { name: string }[] };
  };
}

interface Rendered {
  kind: string;
  metadata: { name: string };
  data?: Record<string, string>;
  spec?: Spec;
}
