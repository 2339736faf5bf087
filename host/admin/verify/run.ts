/** The work of the command `verify`. */
import { setTimeout as delay } from 'node:timers/promises';
import { Client, Connection } from '@temporalio/client';
import pg from 'pg';
import { PooledDatabase } from '../../../store/connections/pooled-database.js';
import { dataConverterFor } from '../../../temporal/connection.js';
import type { Config } from '../../configuration/config.js';
import type { ExitCode } from '../command.js';
import { findLastingDiscrepancies, sentence } from './find-lasting-discrepancies.js';

/** Longer than the rows of a healthy instance can be ahead of its history. */
const PAUSE_MS = 5_000;

export async function verify({ databaseUrl, temporal }: Config): Promise<ExitCode> {
  const { address, namespace, apiKey, tls, payloadKeys } = temporal;
  const store = new PooledDatabase(new pg.Pool({ connectionString: databaseUrl }));
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
    return discrepancies.length === 0 ? 0 : 1;
  } finally {
    await connection.close();
    await store.end();
  }
}
