/**
 * `npm run resync`: after a restore, lists the instances in Postgres and the workflows in Temporal that have diverged,
 * and restarts the workflows from the rows if asked to. Postgres and Temporal are configured as for a workflow worker.
 */
import pg from 'pg';
import { PooledDatabase } from '../../store/connections/pooled-database.js';
import { pino } from 'pino';
import { GraphCache } from '../../store/definitions/graph-cache.js';
import { readConfig } from '../configuration/config.js';
import { connectTemporal } from '../../temporal/connection.js';
import { TemporalInstances } from '../../temporal/instances.js';
import { errorMessage } from '@perdure/lib/error-message.js';
import { runCommand, type ExitCode, type Flags } from './command.js';
import { findDiverged, takeAllAsDiverged, type DivergedInstance } from './resync/find-diverged.js';
import { startAgain, terminate } from './resync/repair.js';

const SETTLE_MS = 15_000;

const flags = {
  apply: 'restart the workflows of diverged instances from their rows',
  all: 'take every running instance for diverged',
  'terminate-unknown': 'with --apply: terminate workflows that have no instance in Postgres',
};

await runCommand(
  {
    name: 'resync',
    summary: 'Lists the instances in Postgres and the workflows in Temporal that have diverged after a restore.',
    synopsis: '[--all] [--apply [--terminate-unknown]]',
    flags,
    exitCodes: { 0: 'nothing has diverged, or all of it is repaired', 1: 'some instances or workflows are diverged' },
  },
  resync,
);

async function resync(wanted: Flags<keyof typeof flags>): Promise<ExitCode> {
  // Uses only the settings of a workflow worker: no user signs in here.
  const config = readConfig({ ...process.env, PERDURE_ROLES: 'worker' });
  const store = new PooledDatabase(new pg.Pool({ connectionString: config.databaseUrl }));
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
