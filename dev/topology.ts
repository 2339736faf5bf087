/** `npm run topology`: runs the production topology as processes on loopback, until Ctrl-C. */
import { randomBytes } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { errorMessage } from '@perdure/lib/error-message.js';
import { Failure } from '@perdure/lib/failure.js';
import { tryLock } from './lock.mjs';
import { prepareKeycloak } from './keycloak/distribution.js';
import { killAllChildren, stopAllChildren } from './processes/child.js';
import { endLeftovers } from './processes/leftovers.js';
import { withProgress } from './progress.mjs';
import { repositoryRoot } from './repository.js';
import { buildTemporalCluster } from './topology/temporal-cluster.js';
import { startTopology, type Topology } from './topology/start.js';

const folder = resolve(process.env['PERDURE_TOPOLOGY_FOLDER'] || join(repositoryRoot, '.perdure', 'topology'));
let topology: Topology | undefined;
let isStopping = false;

for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => void stop(0));

try {
  const release = takeFolder();
  process.on('exit', release);
  await endLeftovers(folder);
  await buildTemporalCluster();
  await prepareKeycloak();
  topology = await withProgress('Starting the topology', () =>
    startTopology({ folder, postgresPassword: password(), provider: 'keycloak' }),
  );
  process.stdout.write(summary(topology));
} catch (error) {
  if (!isStopping) {
    process.stderr.write(
      `${error instanceof Failure ? error.message : `The topology cannot start: ${errorMessage(error)}`}\n`,
    );
    await stop(1);
  }
}

function takeFolder(): () => void {
  mkdirSync(folder, { recursive: true });
  const { holder, release } = tryLock(join(folder, 'topology.lock'));
  if (release) return release;
  throw new Failure(
    `Another topology (process ${holder}) uses ${folder}. Stop it, or set PERDURE_TOPOLOGY_FOLDER to another folder.`,
  );
}

/** The data in the folder was created with this password, so it is stored next to it. */
function password(): string {
  const file = join(folder, 'postgres-password');
  if (!existsSync(file)) writeFileSync(file, randomBytes(24).toString('base64url'), { mode: 0o600 });
  return readFileSync(file, 'utf8');
}

function summary({ apis, workers, postgres, temporal, issuer }: Topology): string {
  const lines = [
    ...apis.map(({ url, metrics, part }) => [part.name, url, metrics]),
    ...workers.map(({ metrics, part }) => [part.name, '', metrics]),
    [issuer.part.name, issuer.url, ''],
    ['temporal', `${temporal.address} (namespace ${temporal.namespace})`, ''],
    ['postgres', postgres.url.replace(/:[^:@]+@/, ':***@'), ''],
  ];
  const table = lines.map(([name = '', where = '', metrics = '']) =>
    `${name.padEnd(10)} ${where.padEnd(48)} ${metrics}`.trimEnd(),
  );
  return `${table.join('\n')}\nLogs: ${folder}. Press Ctrl-C to stop everything.\n`;
}

async function stop(exitCode: number): Promise<void> {
  if (isStopping) return killAllChildren();
  isStopping = true;
  await topology?.stop();
  await stopAllChildren();
  process.exit(exitCode);
}
