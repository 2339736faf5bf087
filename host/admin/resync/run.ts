/** The work of the command `resync`. */
import pg from 'pg';
import { pino } from 'pino';
import { errorMessage } from '@perdure/lib/error-message.js';
import { PooledDatabase } from '../../../store/connections/pooled-database.js';
import { GraphCache } from '../../../store/definitions/graph-cache.js';
import { connectTemporal } from '../../../temporal/connection.js';
import { TemporalInstances } from '../../../temporal/instances.js';
import type { Config } from '../../configuration/config.js';
import type { ExitCode, Flags } from '../command.js';
import { findDiverged, takeAllAsDiverged, type DivergedInstance } from './find-diverged.js';
import { startAgain, terminate } from './repair.js';

const SETTLE_MS = 15_000;

type Wanted = 'apply' | 'all' | 'terminate-unknown';

export async function resync(config: Config, wanted: Flags<Wanted>): Promise<ExitCode> {
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
