/**
 * The production topology as data: its parts and their settings. `npm run topology` starts it as processes,
 * `docker-compose.yml` as containers, and a test compares the two.
 */

/** The number of processes of each of Perdure's parts. */
export const replicas = { api: 2, worker: 3 } as const;

export const databases = { host: 'perdure', temporal: 'temporal', visibility: 'temporal_visibility' } as const;
export const temporalNamespace = 'perdure';
/** Fixed for the lifetime of a Temporal cluster. Four would be enough for one machine, but a fleet grows. */
const historyShards = 128;

/** The address of a part. */
export interface Place {
  host: string;
  port: number;
}

export interface DatabaseAccount {
  user: string;
  password: string;
}

/** The environment of the Temporal server; its embedded template turns it into its configuration. */
export function temporalServerEnvironment(
  postgres: Place,
  { user, password }: DatabaseAccount,
): Record<string, string> {
  return {
    DB: 'postgres12_pgx',
    POSTGRES_SEEDS: postgres.host,
    DB_PORT: String(postgres.port),
    POSTGRES_USER: user,
    POSTGRES_PWD: password,
    DBNAME: databases.temporal,
    VISIBILITY_DBNAME: databases.visibility,
    NUM_HISTORY_SHARDS: String(historyShards),
    LOG_LEVEL: 'warn',
  };
}

/** The environment of the schema tool, in addition to its arguments. */
export function schemaToolEnvironment(postgres: Place, { user, password }: DatabaseAccount): Record<string, string> {
  return {
    SQL_PLUGIN: 'postgres12_pgx',
    SQL_HOST: postgres.host,
    SQL_PORT: String(postgres.port),
    SQL_USER: user,
    SQL_PASSWORD: password,
  };
}

/** The runs of the schema tool, in this order; each can be repeated. */
export const schemaRuns: readonly (readonly string[])[] = (
  [
    [databases.temporal, 'postgresql/v12/temporal'],
    [databases.visibility, 'postgresql/v12/visibility'],
  ] as const
).flatMap(([database, schema]) => [
  ['--database', database, 'create-database'],
  ['--database', database, 'setup-schema', '--version', '0.0'],
  ['--database', database, 'update-schema', '--schema-name', schema],
]);

export interface HostPlaces {
  postgres: Place;
  temporal: Place;
  /** The URL of the issuer as in tokens. */
  issuer: string;
}

/** The environment of each of Perdure's parts, whatever its role. */
export function hostEnvironment(places: HostPlaces, { user, password }: DatabaseAccount): Record<string, string> {
  const { postgres, temporal } = places;
  return {
    DATABASE_URL: `postgres://${user}:${password}@${postgres.host}:${postgres.port}/${databases.host}`,
    TEMPORAL_ADDRESS: `${temporal.host}:${temporal.port}`,
    TEMPORAL_NAMESPACE: temporalNamespace,
  };
}

/** The additional environment of the API. */
export function apiEnvironment({ issuer }: Pick<HostPlaces, 'issuer'>): Record<string, string> {
  return { PERDURE_ROLES: 'api', OIDC_ISSUER: issuer, OIDC_PRESET: 'keycloak' };
}

export const workerEnvironment: Readonly<Record<string, string>> = { PERDURE_ROLES: 'worker' };
