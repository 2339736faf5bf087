/**
 * `npm run realign`: after a restore, tells which instances in Postgres and workflows in Temporal are not of the same
 * moment; exits with 1 when some stay so. It reads only, unless it is told more:
 *
 * - `--apply` starts the workflows of such instances again from the rows
 * - `--apply --all` starts the workflow of every running instance again
 * - `--apply --terminate-unknown` terminates workflows that have no instance in Postgres, too
 *
 * Where Postgres and Temporal are is told as to a worker. In the image: `node dist/scripts/realign.js`.
 */
import { parseArgs } from 'node:util';
import pg from 'pg';
import { pino } from 'pino';
import { GraphCache } from '../activities/graph-cache.js';
import { ConfigurationError, readConfig, type Config } from '../host/config.js';
import { connectTemporal } from '../host/temporal.js';
import { TemporalInstances } from '../worker/temporal-instances.js';
import { describe } from './failure.js';
import { findAdrift, takeAllAsAdrift, type Adrift } from './realign/find-adrift.js';
import { startAgain, terminate } from './realign/repair.js';

const SETTLE_MS = 15_000;

const { values: wanted } = parseArgs({ options: { apply: { type: 'boolean' }, all: { type: 'boolean' }, 'terminate-unknown': { type: 'boolean' } } });

try {
  // Only what a worker is told counts here: nobody signs in.
  process.exitCode = await main(readConfig({ ...process.env, PERDURE_ROLES: 'worker' }));
} catch (error) {
  process.stderr.write(`${error instanceof ConfigurationError ? error.message : `Nothing could be compared: ${describe(error)}`}\n`);
  process.exitCode = 1;
}

async function main(config: Config): Promise<number> {
  const store = new pg.Pool({ connectionString: config.databaseUrl });
  const { client, connection, searchAttributes } = await connectTemporal(config.temporal, store, { logger: pino({ level: 'warn' }, pino.destination(2)), stopping: AbortSignal.timeout(60_000) });
  const { taskQueue } = config.temporal;
  const instances = new TemporalInstances({ client, taskQueue, graphs: new GraphCache(store), maxRotations: config.rotationLimit, searchAttributes, eagerStart: false });
  const repair = async ({ workflowID, hasRows }: Adrift): Promise<string | undefined> => {
    if (!wanted.apply) return undefined;
    if (hasRows) return startAgain(store, instances, workflowID);
    return wanted['terminate-unknown'] ? terminate(client, workflowID) : undefined;
  };
  try {
    const { checked, adrift } = await (wanted.all ? takeAllAsAdrift : findAdrift)({ store, client, taskQueue, settleMilliseconds: SETTLE_MS });
    const left = await repairAll(adrift, repair);
    process.stdout.write(`${checked} running instances compared, ${adrift.length} adrift, ${adrift.length - left} repaired\n`);
    return left === 0 ? 0 : 1;
  } finally {
    await connection.close();
    await store.end();
  }
}

/** One that cannot be repaired does not keep the others from it. @returns how many are left as they were */
async function repairAll(adrift: readonly Adrift[], repair: (one: Adrift) => Promise<string | undefined>): Promise<number> {
  let left = 0;
  for (const one of adrift) {
    const done = await repair(one).catch((error: unknown) => new Error(describe(error)));
    if (typeof done !== 'string') left += 1;
    const outcome = done instanceof Error ? `; NOT repaired: ${done.message}` : done === undefined ? '' : `; ${done}`;
    process.stdout.write(`${one.workflowID}: ${one.found}${outcome}\n`);
  }
  return left;
}
