/** The configuration page lists every variable that the code reads, and none that it does not. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { readApiConfiguration } from '../../api/configuration.js';
import { readConfig } from '../../host/config.js';
import { repositoryRoot } from '../../dev/repository.js';
import { readStartSettings } from '../../dev/start/settings.js';

const page = 'docs/configuration.md';
const documented = new Set(
  readFileSync(join(repositoryRoot, page), 'utf8')
    .split('\n')
    .flatMap((line) => /^\| (`[^|]+`) \|/.exec(line)?.[1] ?? [])
    .flatMap((cell) => cell.split(', ').map((name) => name.slice(1, -1))),
);

const enough = {
  DATABASE_URL: 'postgres://localhost/perdure',
  TEMPORAL_ADDRESS: 'localhost:7233',
  OIDC_ISSUER: 'https://issuer.example',
  OTEL_EXPORTER_OTLP_ENDPOINT: 'http://127.0.0.1:4318',
};

/** The names of all variables that `read` asks its environment for. */
function readBy(read: (environment: NodeJS.ProcessEnv) => unknown): string[] {
  const names = new Set<string>();
  const environment = new Proxy<NodeJS.ProcessEnv>(enough, {
    get(target, name: string) {
      names.add(name);
      return target[name];
    },
  });
  read(environment);
  return [...names];
}

const readFromCode = new Set([
  ...readBy(readConfig),
  ...readBy(readApiConfiguration),
  ...readBy(readStartSettings),
  'TEMPORAL_CLI',
]);

it('lists every variable that the host and npm start read', () => {
  expect(
    [...readFromCode].filter((name) => !documented.has(name)),
    `read by the code, missing in ${page}`,
  ).toEqual([]);
});

it('lists no variable that is not read', () => {
  expect(
    [...documented].filter((name) => !readFromCode.has(name)),
    `listed in ${page}, read by nothing`,
  ).toEqual([]);
});
