/**
 * `npm run rebuild-statistics`: discards the statistics of all projects, so that the workers count the histories that
 * still exist again.
 */
import pg from 'pg';
import { PooledDatabase } from '../../store/connections/pooled-database.js';
import { rebuildStatistics } from '../../store/statistics/fold.js';
import { readConfig } from '../configuration/config.js';
import { runCommand, type ExitCode, type Flags } from './command.js';

const flags = { apply: 'discard the statistics; without it, nothing is changed' };

await runCommand(
  {
    name: 'rebuild-statistics',
    summary: 'Discards the statistics of all projects. Workers then count the histories that still exist again.',
    synopsis: '--apply',
    flags,
    exitCodes: { 0: 'the statistics are discarded', 1: 'nothing was changed, because --apply is missing' },
  },
  rebuild,
);

async function rebuild({ apply }: Flags<keyof typeof flags>): Promise<ExitCode> {
  if (!apply) {
    process.stdout.write('This loses the statistics of removed instances. Run it with --apply to discard them.\n');
    return 1;
  }
  const { databaseUrl } = readConfig({ ...process.env, PERDURE_ROLES: 'worker' });
  const store = new PooledDatabase(new pg.Pool({ connectionString: databaseUrl }));
  try {
    await rebuildStatistics(store);
  } finally {
    await store.end();
  }
  process.stdout.write('Statistics discarded. Workers count the existing histories again.\n');
  return 0;
}
