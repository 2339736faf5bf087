/**
 * `npm run check-upgrade`: runs what a running installation has recorded through the engine of this build, which is a
 * candidate for an upgrade, and reports where it would have done something else. Reads only.
 */
import { fileURLToPath } from 'node:url';
import { Client, Connection } from '@temporalio/client';
import pg from 'pg';
import { parseDuration } from '@perdure/lib/duration.js';
import { Failure } from '@perdure/lib/failure.js';
import { PooledDatabase } from '../../store/connections/pooled-database.js';
import { dataConverterFor } from '../../temporal/connection.js';
import { readConfig } from '../configuration/config.js';
import { checkUpgrade } from './check-upgrade/check.js';
import { runCommand, type ExitCode } from './command.js';

const MAX_SAMPLE = 1_000_000;

await runCommand(
  {
    name: 'check-upgrade',
    summary: 'Runs what a running installation has recorded through the engine of this build. Reads only.',
    synopsis: '[--sample N] [--since DURATION]',
    flags: {},
    options: {
      sample: { standard: '1000', effect: 'instances at most, of all versions in equal shares (default: 1000)' },
      since: { standard: 'P7D', effect: 'those that run, or ended within this time (default: P7D)' },
    },
    exitCodes: { 0: 'this build does the same', 1: 'differences, one per line' },
  },
  check,
);

async function check(_flags: unknown, { sample, since }: { sample: string; since: string }): Promise<ExitCode> {
  const most = /^[1-9]\d{0,6}$/.test(sample) ? Number(sample) : MAX_SAMPLE + 1;
  if (most > MAX_SAMPLE) throw new Failure(`--sample must be 1 to ${MAX_SAMPLE}, but is ${sample}.`);
  const milliseconds = parseDuration(since);
  if (milliseconds === undefined) throw new Failure(`--since must be a duration such as P7D, but is ${since}.`);
  // Uses only the settings of a workflow worker: no user signs in here.
  const { databaseUrl, temporal } = readConfig({ ...process.env, PERDURE_ROLES: 'worker' });
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
      bundlePath: fileURLToPath(new URL('../../workflow-bundle.js', import.meta.url)),
      sample: most,
      since: new Date(Date.now() - milliseconds),
    });
    for (const line of lines) process.stdout.write(`${line}\n`);
    if (differences > 0) return 1;
    return unchecked > 0 ? 2 : 0;
  } finally {
    await connection.close();
    await store.end();
  }
}
