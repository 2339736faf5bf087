import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { startNode, type Child } from './processes/child.js';
import { endLeftover } from './processes/leftovers.js';
import { untilReady } from './waiting.js';

export interface IssuerOptions {
  port: number;
  /** The folder for its accounts and its key. */
  dataFolder: string;
  /** For its log and its process file. */
  folder: string;
  audience: string;
  /** Enables the endpoint that changes memberships. */
  administrationSecret: string;
}

export interface Issuer {
  issuer: string;
  tokenEndpoint: string;
  child: Child;
}

/** Starts the development issuer and waits until it serves. */
export async function startIssuer(options: IssuerOptions): Promise<Issuer> {
  const pidFile = join(options.folder, 'issuer.pid');
  const logFile = join(options.folder, 'issuer.log');
  mkdirSync(options.folder, { recursive: true });
  await endLeftover(pidFile);
  const child = startNode({ script: 'dev/issuer/main.js', environment: environmentOf(options), pidFile, logFile });
  const issuer = `http://127.0.0.1:${options.port}`;
  await untilReady({
    name: 'The development issuer',
    child,
    logFile,
    probe: () => probe(issuer),
    withinMilliseconds: 30_000,
  });
  return { issuer, tokenEndpoint: `${issuer}/token`, child };
}

function environmentOf(options: IssuerOptions): NodeJS.ProcessEnv {
  return {
    ...process.env,
    ISSUER_PORT: String(options.port),
    ISSUER_FOLDER: options.dataFolder,
    ISSUER_ADMINISTRATION_SECRET: options.administrationSecret,
    OIDC_AUDIENCE: options.audience,
  };
}

async function probe(issuer: string): Promise<void> {
  const response = await fetch(`${issuer}/.well-known/openid-configuration`);
  if (!response.ok) throw new Error(`it returned ${response.status}`);
}
