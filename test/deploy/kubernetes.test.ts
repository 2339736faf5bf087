/** The Kubernetes manifests name what exists: files, variables, ports, labels. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { parseAllDocuments } from 'yaml';
import { readConfig } from '../../host/configuration/config.js';
import { repositoryRoot } from '../../dev/repository.js';

const folder = join(repositoryRoot, 'deploy', 'kubernetes');
const documents = readdirSync(folder).flatMap((file) =>
  parseAllDocuments(readFileSync(join(folder, file), 'utf8')).map((document) => document.toJS()),
);

function find(kind: string, name: string) {
  return (
    documents.find((document) => document.kind === kind && document.metadata?.name === name) ??
    expect.fail(`There is no ${kind} ${name}`)
  );
}

it('every file is part of the kustomization', () => {
  const { resources } = documents.find(({ kind }) => kind === 'Kustomization');
  expect([...resources, 'kustomization.yaml'].toSorted()).toEqual(readdirSync(folder).toSorted());
});

it.each(['api', 'worker', 'connectors'])('the host accepts the variables of the %s', (role) => {
  const [container] = find('Deployment', `perdure-${role}`).spec.template.spec.containers;
  const own = Object.fromEntries(
    container.env.map(({ name, value }: { name: string; value: string }) => [name, value]),
  );
  const environment = {
    ...find('ConfigMap', 'perdure').data,
    ...own,
    DATABASE_URL: 'postgres://perdure:secret@postgres/perdure',
  };

  expect([...readConfig(environment).roles]).toEqual([role]);
});

it.each(['api', 'worker', 'connectors'])(
  'the %s runs without a right it does not need, and is asked at ports it has',
  (role) => {
    const { spec } = find('Deployment', `perdure-${role}`).spec.template;
    const [container] = spec.containers;
    const ports = container.ports.map(({ name }: { name: string }) => name);

    expect(spec.securityContext).toMatchObject({ runAsNonRoot: true });
    expect(container.securityContext).toEqual({
      allowPrivilegeEscalation: false,
      readOnlyRootFilesystem: true,
      capabilities: { drop: ['ALL'] },
    });
    for (const probe of ['startupProbe', 'livenessProbe', 'readinessProbe'])
      expect(ports, probe).toContain(container[probe].httpGet.port);
  },
);

it('connectors have to be asked for, and know the secrets that are mounted', () => {
  const { spec } = find('Deployment', 'perdure-connectors');
  const [container] = spec.template.spec.containers;
  const folder = container.env.find(({ name }: { name: string }) => name === 'SECRETS_PATH').value;

  expect(spec.replicas).toBe(0);
  expect(container.volumeMounts.at(-1)).toMatchObject({ mountPath: `${folder}/orders`, readOnly: true });
});

it('workers are scaled by the backlog of the task queue they poll', () => {
  const { scaleTargetRef, triggers } = find('ScaledObject', 'perdure-worker').spec;
  const {
    TEMPORAL_ADDRESS: endpoint,
    TEMPORAL_NAMESPACE: namespace,
    TEMPORAL_TASK_QUEUE: taskQueue,
  } = find('ConfigMap', 'perdure').data;

  expect(find('Deployment', scaleTargetRef.name).spec.replicas).toBeUndefined();
  expect(triggers).toMatchObject([{ type: 'temporal', metadata: { endpoint, namespace, taskQueue } }]);
});
