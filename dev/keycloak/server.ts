import { copyFileSync, mkdirSync, rmSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { startProgram, type Child } from '../processes/child.js';
import { endLeftover } from '../processes/leftovers.js';
import { repositoryRoot } from '../repository.js';
import { untilReady } from '../waiting.js';
import { keycloakCommand } from './distribution.js';

const realmFile = join(repositoryRoot, 'dev', 'keycloak', 'perdure-realm.json');
/** The passwords of its people and service accounts, and the secret of a host that manages members, by variable. */
const realmPasswords = {
  VIEWER_PASSWORD: 'dev-viewer',
  EXECUTOR_PASSWORD: 'dev-executor',
  EDITOR_PASSWORD: 'dev-editor',
  ADMIN_PASSWORD: 'dev-admin',
  SYSTEM_ADMIN_PASSWORD: 'dev-system-admin',
  OUTSIDER_PASSWORD: 'dev-outsider',
  HOST_CLIENT_SECRET: 'dev-perdure-host',
};
/** The parts of the distribution that a server only reads; it writes everything next to them. */
const sharedParts = ['bin', 'conf', 'lib', 'providers', 'themes', 'version.txt'];

export interface KeycloakOptions {
  /** The distribution, from `prepareKeycloak`. */
  distribution: string;
  port: number;
  /** For all of its files; must not contain those of another running server. */
  folder: string;
  /** The secret of the client `operator` in the realm `master`, which has every right. */
  operatorSecret: string;
}

export interface KeycloakServer {
  issuer: string;
  tokenEndpoint: string;
  /** The realm in the admin REST API. */
  administrationUrl: string;
  child: Child;
}

/** Starts Keycloak on loopback with in-memory data and the realm of this repository, and waits until it serves. */
export async function startKeycloak({
  distribution,
  port,
  folder,
  operatorSecret,
}: KeycloakOptions): Promise<KeycloakServer> {
  const home = join(folder, 'keycloak');
  // Left by an earlier server, whose data was in memory.
  rmSync(home, { recursive: true, force: true });
  const [pidFile, logFile] = [join(folder, 'keycloak.pid'), join(folder, 'keycloak.log')];
  await endLeftover(pidFile);
  mkdirSync(join(home, 'data', 'import'), { recursive: true });
  for (const part of sharedParts) symlinkSync(join(distribution, part), join(home, part));
  copyFileSync(realmFile, join(home, 'data', 'import', 'perdure-realm.json'));
  const base = `http://127.0.0.1:${port}`;
  const child = startProgram(
    {
      command: 'java',
      arguments: keycloakCommand(home, startCommand(base, port)),
      pidFile,
      stopSignal: 'SIGTERM',
      stopWithinMilliseconds: 8_000,
    },
    {
      logFile,
      environment: {
        ...process.env,
        // Keycloak puts them into the realm when it imports it.
        ...realmPasswords,
        KC_BOOTSTRAP_ADMIN_CLIENT_ID: 'operator',
        KC_BOOTSTRAP_ADMIN_CLIENT_SECRET: operatorSecret,
      },
    },
  );
  const issuer = `${base}/realms/perdure`;
  await untilReady({ name: 'Keycloak', child, logFile, probe: () => probe(issuer), withinMilliseconds: 120_000 });
  return {
    issuer,
    tokenEndpoint: `${issuer}/protocol/openid-connect/token`,
    administrationUrl: `${base}/admin/realms/perdure`,
    child,
  };
}

function startCommand(base: string, port: number): string[] {
  return [
    'start',
    '--optimized',
    '--import-realm',
    '--cache=local',
    '--http-enabled=true',
    '--http-host=127.0.0.1',
    `--http-port=${port}`,
    `--hostname=${base}`,
    '--log-level=warn',
  ];
}

async function probe(issuer: string): Promise<void> {
  const response = await fetch(`${issuer}/.well-known/openid-configuration`);
  if (!response.ok) throw new Error(`it returned ${response.status}`);
}
