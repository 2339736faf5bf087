/**
 * `npm run verify`: compares every instance in Postgres with the facts it was folded from and with Temporal, names
 * what differs, and exits with 1 if anything does. It reads only. Where both are is told as to the host itself, by
 * DATABASE_URL and TEMPORAL_ADDRESS; the READY line of `npm start` names them.
 */
import { Client, Connection } from '@temporalio/client';
import pg from 'pg';
import { ConfigurationError, readConfig } from '../host/config.js';
import { dataConverterFor } from '../host/temporal.js';
import { describe } from './failure.js';
import { findDiscrepancies } from './verify/find-discrepancies.js';

try {
  await main();
} catch (error) {
  process.stderr.write(`${error instanceof ConfigurationError ? error.message : `The comparison could not be made: ${describe(error)}`}\n`);
  process.exitCode = 1;
}

async function main(): Promise<void> {
  // Only what a worker is told counts here: nobody signs in.
  const { databaseUrl, temporal } = readConfig({ ...process.env, PERDURE_ROLES: 'worker' });
  const { address, namespace, apiKey, tls, payloadKeys } = temporal;
  const store = new pg.Pool({ connectionString: databaseUrl });
  const connection = await Connection.connect({ address, ...(tls && { tls }), ...(apiKey !== undefined && { apiKey }) });
  try {
    const { instances, discrepancies } = await findDiscrepancies(store, new Client({ connection, namespace, dataConverter: dataConverterFor(payloadKeys) }));
    for (const { invariant, workflowID, found } of discrepancies) process.stdout.write(`${invariant} ${workflowID}: ${found}\n`);
    process.stdout.write(`${instances} instances compared, ${discrepancies.length} discrepancies\n`);
    process.exitCode = discrepancies.length === 0 ? 0 : 1;
  } finally {
    await connection.close();
    await store.end();
  }
}
