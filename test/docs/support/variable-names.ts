/** Finds names of environment variables in documents, manifests, and sources. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { repositoryRoot } from '../../../dev/repository.js';

const NAME = '[A-Z][A-Z0-9]*(?:_[A-Z0-9]+)+';

/** Variables of programs that are not in this repository, and of shells in examples. */
export const variablesOfOtherPrograms: readonly string[] = Object.values({
  node: ['NODE_ENV', 'NODE_OPTIONS', 'NODE_EXTRA_CA_CERTS', 'LC_ALL'],
  openTelemetry: ['OTEL_SERVICE_NAME', 'OTEL_RESOURCE_ATTRIBUTES', 'OTEL_EXPORTER_OTLP_HEADERS'],
  postgres: ['POSTGRES_USER', 'POSTGRES_PASSWORD', 'POSTGRES_DB'],
  psql: ['ON_ERROR_STOP'],
  keycloak: ['KC_BOOTSTRAP_ADMIN_USERNAME', 'KC_BOOTSTRAP_ADMIN_PASSWORD', 'KEYCLOAK_ADMIN_PASSWORD'],
  // dev/keycloak/perdure-realm.json names them.
  realm: [
    ...['VIEWER', 'EXECUTOR', 'EDITOR', 'ADMIN', 'SYSTEM_ADMIN', 'OUTSIDER'].map((name) => `${name}_PASSWORD`),
    'HOST_CLIENT_SECRET',
  ],
  grafana: ['GF_SECURITY_ADMIN_PASSWORD', 'GRAFANA_ADMIN_PASSWORD'],
  temporalServer: ['POSTGRES_SEEDS', 'POSTGRES_PWD', 'DB_PORT', 'VISIBILITY_DBNAME', 'NUM_HISTORY_SHARDS'],
  temporalSettings: ['BIND_ON_IP', 'DYNAMIC_CONFIG_FILE_PATH', 'TEMPORAL_ALLOW_NO_AUTH', 'SQL_MAX_CONNS'],
  temporalSchemaTool: ['SQL_PLUGIN', 'SQL_HOST', 'SQL_PORT', 'SQL_USER', 'SQL_PASSWORD'],
  temporalUi: ['TEMPORAL_DEFAULT_NAMESPACE', 'TEMPORAL_CODEC_ENDPOINT', 'TEMPORAL_CODEC_PASS_ACCESS_TOKEN'],
  build: ['IBM_TELEMETRY_DISABLED'],
}).flat();

/** Names that a shell command or a mapping in YAML gives a value to. */
export function assignedIn(text: string, document: string): string[] {
  const pattern = /\.ya?ml$/.test(document) ? `^\\s+(${NAME}):` : `\\b(${NAME})=`;
  return [...text.matchAll(new RegExp(pattern, 'gm'))].map(([, name]) => name!);
}

/** Names whose first word is the first word of a real one. */
export function namedLike(real: readonly string[], text: string): string[] {
  const beginnings = new Set(real.filter((name) => name.includes('_')).map((name) => name.split('_')[0]!));
  return [...text.matchAll(new RegExp(`(?<![\\w.$-])${NAME}(?![\\w(])`, 'g'))]
    .map(([name]) => name)
    .filter((name) => beginnings.has(name.split('_')[0]!));
}

/** The names in the first column. */
export function namesInTables(text: string): string[] {
  return text
    .split('\n')
    .flatMap((line) => /^\| (`[^|]+`) \|/.exec(line)?.[1] ?? [])
    .flatMap((cell) => cell.split(', ').map((name) => name.slice(1, -1)));
}

/** Names that sources in these folders read, as `env['NAME']`, `env.NAME`, or the name in quotes. */
export function quotedInSources(folders: readonly string[]): string[] {
  const pattern = new RegExp(`(?:env\\.|')(${NAME})\\b`, 'g');
  return folders
    .flatMap((folder) =>
      readdirSync(join(repositoryRoot, folder), { recursive: true, encoding: 'utf8' })
        .filter((name) => /\.(ts|mjs)$/.test(name) && !name.includes('docs/'))
        .map((name) => join(repositoryRoot, folder, name)),
    )
    .flatMap((file) => [...readFileSync(file, 'utf8').matchAll(pattern)].map(([, name]) => name!));
}

/** Constants that sources in these folders declare at their top. Documents may name a limit by its constant. */
export function constantsIn(folders: readonly string[]): string[] {
  const pattern = new RegExp(`^(?:export )?const (${NAME}) = `, 'gm');
  return folders
    .flatMap((folder) =>
      readdirSync(join(repositoryRoot, folder), { recursive: true, encoding: 'utf8' })
        .filter((name) => name.endsWith('.ts'))
        .map((name) => join(repositoryRoot, folder, name)),
    )
    .flatMap((file) => [...readFileSync(file, 'utf8').matchAll(pattern)].map(([, name]) => name!));
}
