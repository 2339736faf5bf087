/**
 * `npm run verify`: compares every instance in Postgres with its facts and with Temporal. It reports differences that
 * persist for several seconds, because instances can run during the comparison, and exits with 1 if there are any. It
 * only reads. DATABASE_URL and TEMPORAL_ADDRESS are set as for the host; the READY line of `npm start` contains them.
 */
import { setTimeout as delay } from 'node:timers/promises';
import { Client, Connection } from '@temporalio/client';
import pg from 'pg';
import { ConfigurationError, readConfig } from '../config.js';
import { dataConverterFor } from '../../temporal/connection.js';
import { errorMessage } from '../../packages/lib/error-message.js';
import { findLastingDiscrepancies, sentence } from './verify/find-lasting-discrepancies.js';

/** Longer than the rows of a healthy instance can be ahead of its history. */
const PAUSE_MS = 5_000;

try {
  await main();
} catch (error) {
  process.stderr.write(
    `${error instanceof ConfigurationError ? error.message : `Comparison failed: ${errorMessage(error)}`}\n`,
  );
  process.exitCode = 1;
}

async function main(): Promise<void> {
  // Uses only the settings of a workflow worker: no user signs in here.
  const { databaseUrl, temporal } = readConfig({ ...process.env, PERDURE_ROLES: 'worker' });
  const { address, namespace, apiKey, tls, payloadKeys } = temporal;
  const store = new pg.Pool({ connectionString: databaseUrl });
  const connection = await Connection.connect({
    address,
    ...(tls && { tls }),
    ...(apiKey !== undefined && { apiKey }),
  });
  try {
    const client = new Client({ connection, namespace, dataConverter: dataConverterFor(store, payloadKeys) });
    const { instances, discrepancies } = await findLastingDiscrepancies(store, client, () => delay(PAUSE_MS));
    for (const discrepancy of discrepancies) process.stdout.write(`${sentence(discrepancy)}\n`);
    process.stdout.write(`${instances} instances compared, ${discrepancies.length} discrepancies\n`);
    process.exitCode = discrepancies.length === 0 ? 0 : 1;
  } finally {
    await connection.close();
    await store.end();
  }
}
