/**
 * `npm run realign`: after a restore, lists the instances in Postgres and the workflows in Temporal that have diverged.
 * Exits with 1 when some remain so. By default it only reads:
 *
 *
 * - `--apply` restarts the workflows of such instances from the rows
 * - `--apply --all` restarts the workflow of every running instance
 * - `--apply --terminate-unknown` also terminates workflows that have no instance in Postgres
 *
 * Postgres and Temporal are configured as for a workflow worker. In the image: `node dist/host/admin/resync.js`.
 */
import { parseArgs } from 'node:util';
import pg from 'pg';
import { pino } from 'pino';
import { GraphCache } from '../../store/definitions/graph-cache.js';
import { ConfigurationError, readConfig, type Config } from '../config.js';
import { connectTemporal } from '../../temporal/connection.js';
import { TemporalInstances } from '../../temporal/instances.js';
import { errorMessage } from '../../packages/lib/error-message.js';
import { findDiverged, takeAllAsDiverged, type DivergedInstance } from './resync/find-diverged.js';
import { startAgain, terminate } from './resync/repair.js';

const SETTLE_MS = 15_000;

const { values: wanted } = parseArgs({
  options: { apply: { type: 'boolean' }, all: { type: 'boolean' }, 'terminate-unknown': { type: 'boolean' } },
});

try {
  // Uses only the settings of a workflow worker: no user signs in here.
  process.exitCode = await main(readConfig({ ...process.env, PERDURE_ROLES: 'worker' }));
} catch (error) {
  process.stderr.write(
    `${error instanceof ConfigurationError ? error.message : `Comparison failed: ${errorMessage(error)}`}\n`,
  );
  process.exitCode = 1;
}

async function main(config: Config): Promise<number> {
  const store = new pg.Pool({ connectionString: config.databaseUrl });
  const { client, connection, searchAttributes } = await connectTemporal(config.temporal, store, {
    logger: pino({ level: 'warn' }, pino.destination(2)),
    stopping: AbortSignal.timeout(60_000),
  });
  const { taskQueue } = config.temporal;
  const instances = new TemporalInstances({
    client,
    taskQueue,
    graphs: new GraphCache(store),
    maxRotations: config.rotationLimit,
    searchAttributes,
    eagerStart: false,
  });
  const repair = async ({ workflowID, hasRows }: DivergedInstance): Promise<string | undefined> => {
    if (!wanted.apply) return undefined;
    if (hasRows) return startAgain(store, instances, workflowID);
    return wanted['terminate-unknown'] ? terminate(client, workflowID) : undefined;
  };
  try {
    const { checked, diverged } = await (wanted.all ? takeAllAsDiverged : findDiverged)({
      store,
      client,
      taskQueue,
      settleMilliseconds: SETTLE_MS,
    });
    const left = await repairAll(diverged, repair);
    process.stdout.write(
      `${checked} running instances compared, ${diverged.length} diverged, ${diverged.length - left} repaired\n`,
    );
    return left === 0 ? 0 : 1;
  } finally {
    await connection.close();
    await store.end();
  }
}

/**
 * One failing repair does not prevent the others.
 * @returns the number of instances left unchanged
 */
async function repairAll(
  diverged: readonly DivergedInstance[],
  repair: (one: DivergedInstance) => Promise<string | undefined>,
): Promise<number> {
  let left = 0;
  for (const one of diverged) {
    const done = await repair(one).catch((error: unknown) => new Error(errorMessage(error)));
    if (typeof done !== 'string') left += 1;
    const outcome = done instanceof Error ? `; NOT repaired: ${done.message}` : done === undefined ? '' : `; ${done}`;
    process.stdout.write(`${one.workflowID}: ${one.found}${outcome}\n`);
  }
  return left;
}
