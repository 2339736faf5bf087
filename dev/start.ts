/**
 * `npm start`: starts the services that the environment does not name, then the host, and keeps them running until it
 * is stopped.
 */
import { rmSync } from 'node:fs';
import { ConfigurationError } from '../host/configuration/configuration-error.js';
import { errorMessage } from '@perdure/lib/error-message.js';
import { Failure } from '@perdure/lib/failure.js';
import { killAllChildren, stopAllChildren } from './processes/child.js';
import { endLeftovers } from './processes/leftovers.js';
import type { Supervised } from './processes/supervised.js';
import { developmentProfile } from './start/development-profile.js';
import { greeting, readyLine } from './start/greeting.js';
import { openHome, writePrivate, type Home } from './start/home.js';
import { startHost } from './start/host.js';
import { startServices, type StartupInfo } from './start/services.js';
import { readStartSettings } from './start/settings.js';

const parentCheckMilliseconds = 500;

/** In starting order; they are stopped in reverse order. */
const running: Supervised[] = [];
let home: Home | undefined;
let isStopping = false;

// For the files of all services too, such as the database of Temporal: they contain variables and passwords.
process.umask(0o077);

for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => void stop(0));
// A closed terminal must not crash the shutdown.
for (const stream of [process.stdout, process.stderr]) stream.on('error', () => undefined);
watchNpm();

try {
  await start();
} catch (error) {
  if (!isStopping) {
    process.stderr.write(`${sentenceOf(error)}\n`);
    await stop(1);
  }
}

async function start(): Promise<void> {
  const settings = readStartSettings(process.env);
  home = openHome(settings.home);
  // A killed predecessor left its own behind, which need not be true of this start.
  removeStartFiles(home);
  await endLeftovers(home.path('run'));
  const port = settings.config.roles.has('api')
    ? await home.choosePort('api', settings.fixedPorts.api, settings.config.host)
    : 0;
  const services = await startServices(settings, home);
  running.push(...services.map(({ supervised }) => supervised));
  const environment = Object.assign(
    { ...process.env, PORT: String(port) },
    ...services.map((service) => service.environment),
  ) as NodeJS.ProcessEnv;
  const host = await startHost(environment, home.path('run'));
  running.push(host.supervised);
  const { kind: _kind, ...places } = host.ready;
  const info: StartupInfo = Object.assign({ ...places }, ...services.map((service) => service.info));
  writeStartFiles(home, info);
  process.stdout.write(`${readyLine(info)}\n${greeting(info)}\n`);
}

/** Stops everything in order; on the second request, it exits without waiting. */
async function stop(exitCode: number): Promise<void> {
  if (isStopping) {
    killAllChildren();
    return;
  }
  isStopping = true;
  for (const part of running) part.retire();
  for (const part of running.toReversed()) await part.stop();
  await stopAllChildren();
  if (home) removeStartFiles(home);
  home?.release();
  process.exit(exitCode);
}

/** For programs that did not read the READY line. The files contain passwords of the database and of an account. */
function writeStartFiles({ path }: Home, info: StartupInfo): void {
  const profile = developmentProfile(info);
  writePrivate(path('ready.json'), `${JSON.stringify(info)}\n`);
  if (profile !== undefined) writePrivate(path('env'), profile);
}

function removeStartFiles({ path }: Home): void {
  for (const name of ['ready.json', 'env']) rmSync(path(name), { force: true });
}

/** npm forwards neither every signal nor its own death, so its end must be detected here. */
function watchNpm(): void {
  if (process.env['npm_lifecycle_event'] === undefined) return;
  const parent = process.ppid;
  setInterval(() => process.ppid !== parent && void stop(0), parentCheckMilliseconds).unref();
}

function sentenceOf(error: unknown): string {
  const isExpected = error instanceof Failure || error instanceof ConfigurationError;
  return isExpected ? error.message : `Perdure cannot start: ${errorMessage(error)}`;
}
