/** The work of the command `check-upgrade`. */
import { fileURLToPath } from 'node:url';
import { Client, Connection } from '@temporalio/client';
import pg from 'pg';
import { PooledDatabase } from '../../../store/connections/pooled-database.js';
import { dataConverterFor } from '../../../temporal/connection.js';
import type { Config } from '../../configuration/config.js';
import type { ExitCode } from '../command.js';
import { checkUpgrade } from './check.js';

export async function runCheck(
  { databaseUrl, temporal }: Config,
  wanted: { sample: number; since: Date },
): Promise<ExitCode> {
  const { address, namespace, apiKey, tls, payloadKeys } = temporal;
  const store = new PooledDatabase(new pg.Pool({ connectionString: databaseUrl, max: 2 }));
  const connection = await Connection.connect({
    address,
    ...(tls && { tls }),
    ...(apiKey !== undefined && { apiKey }),
  });
  try {
    const dataConverter = dataConverterFor(store, payloadKeys);
    const { lines, differences, unchecked } = await checkUpgrade({
      store,
      client: new Client({ connection, namespace, dataConverter }),
      dataConverter,
      bundlePath: fileURLToPath(new URL('../../../workflow-bundle.js', import.meta.url)),
      ...wanted,
    });
    for (const line of lines) process.stdout.write(`${line}\n`);
    if (differences > 0) return 1;
    return unchecked > 0 ? 2 : 0;
  } finally {
    await connection.close();
    await store.end();
  }
}
