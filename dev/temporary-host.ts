/** The real host as a process, with all of its services, in a temporary folder. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { freePort } from './ports.js';
import { openHome } from './start/home.js';
import { startHost } from './start/host.js';
import { startServices } from './start/services.js';
import { readStartSettings } from './start/settings.js';

export interface TemporaryHost {
  api: string;
  /** The environment of the host, including the variables of the services that were started for it. */
  environment: NodeJS.ProcessEnv;
  stop(): Promise<void>;
}

/** Variables that would make it use shared services. */
const notInherited = ['DATABASE_URL', 'TEMPORAL_ADDRESS', 'OIDC_ISSUER', 'OIDC_CONFIG', 'PERDURE_ROLES'];

/** @param variables for the host; services that they name are not started */
export async function startTemporaryHost(variables: Record<string, string>): Promise<TemporaryHost> {
  const folder = mkdtempSync(join(tmpdir(), 'perdure-host-'));
  const inherited = Object.fromEntries(Object.entries(process.env).filter(([name]) => !notInherited.includes(name)));
  const given = {
    ...inherited,
    LOG_LEVEL: 'error',
    ...variables,
    PERDURE_HOME: folder,
    PORT: String(await freePort()),
  };
  const settings = readStartSettings(given);
  const home = openHome(settings.home);
  const services = await startServices(settings, home);
  const environment: NodeJS.ProcessEnv = Object.assign({ ...given }, ...services.map((service) => service.environment));
  const host = await startHost(environment, home.path('run'));
  return {
    api: host.ready.api ?? '',
    environment,
    async stop() {
      for (const part of [host.supervised, ...services.map(({ supervised }) => supervised).toReversed()])
        await part.stop();
      home.release();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
