/** The services that the host needs and the environment does not name: Postgres, a Temporal server, an issuer. */
import { withProgress } from '../progress.mjs';
import { startIssuer } from '../issuer-process.js';
import { createDatabaseIfMissing, startPostgres } from '../postgres/cluster.js';
import { Supervised } from '../processes/supervised.js';
import { findTemporalExecutable } from '../temporal/executable.js';
import { startTemporalServer } from '../temporal/server.js';
import type { Home } from './home.js';
import type { StartSettings } from './settings.js';

const databaseName = 'perdure';

/** A service, with its settings for the host and its members of the READY line. */
export interface Service {
  supervised: Supervised;
  environment: Record<string, string>;
  info: StartupInfo;
}

/** The members of the READY line. */
export interface StartupInfo {
  api?: string;
  console?: string;
  issuer?: string;
  tokenEndpoint?: string;
  temporal?: string;
  temporalUi?: string;
  postgres?: string;
}

/**
 * Starts all services in parallel.
 *
 * @returns in the order in which the host needs them
 */
export async function startServices(settings: StartSettings, home: Home): Promise<Service[]> {
  const { missing } = settings;
  const services = await Promise.all([
    missing.postgres && withProgress('Starting Postgres', () => postgres(settings, home)),
    missing.temporal && temporal(settings, home),
    missing.issuer && withProgress('Starting the development issuer', () => issuer(settings, home)),
  ]);
  return services.filter((service) => service !== false);
}

async function postgres({ fixedPorts }: StartSettings, home: Home): Promise<Service> {
  const options = {
    dataFolder: home.path('postgres'),
    folder: home.path('run'),
    port: await home.choosePort('postgres', fixedPorts.postgres),
    password: home.secrets.postgresPassword,
  };
  let url = '';
  const supervised = await Supervised.start('Postgres', async () => {
    const server = await startPostgres(options);
    url = server.databaseUrl(databaseName);
    await createDatabaseIfMissing(server, databaseName);
    return server.child;
  });
  return { supervised, environment: { DATABASE_URL: url }, info: { postgres: url } };
}

async function temporal({ fixedPorts }: StartSettings, home: Home): Promise<Service> {
  const options = {
    executable: await findTemporalExecutable(),
    port: await home.choosePort('temporal', fixedPorts.temporal),
    uiPort: await home.choosePort('temporalUi', fixedPorts.temporalUi),
    databaseFile: home.path('temporal.db'),
    folder: home.path('run'),
  };
  const start = async () => (await startTemporalServer(options)).child;
  const supervised = await withProgress('Starting the Temporal server', () =>
    Supervised.start('The Temporal server', start),
  );
  const address = `127.0.0.1:${options.port}`;
  const ui = `http://127.0.0.1:${options.uiPort}`;
  return {
    supervised,
    environment: { TEMPORAL_ADDRESS: address, TEMPORAL_UI_URL: ui },
    info: { temporal: address, temporalUi: ui },
  };
}

async function issuer({ fixedPorts, config }: StartSettings, home: Home): Promise<Service> {
  const options = {
    dataFolder: home.path('issuer'),
    folder: home.path('run'),
    port: await home.choosePort('issuer', fixedPorts.issuer),
    audience: config.access?.issuers[0]?.audiences[0] ?? 'perdure',
    administrationSecret: home.secrets.issuerAdministrationSecret,
  };
  const url = `http://127.0.0.1:${options.port}`;
  const supervised = await Supervised.start('The development issuer', async () => (await startIssuer(options)).child);
  return {
    supervised,
    environment: {
      OIDC_ISSUER: url,
      OIDC_ADMIN_URL: `${url}/administration`,
      OIDC_ADMIN_CLIENT_SECRET: options.administrationSecret,
    },
    info: { issuer: url, tokenEndpoint: `${url}/token` },
  };
}
