/**
 * `npm run verify`: compares every instance in Postgres with its facts and with Temporal, and only reads. It reports
 * differences that persist for several seconds, because instances can run during the comparison.
 */
import { readWorkerConfig, runCommand } from './command.js';

await runCommand(
  {
    name: 'verify',
    summary: 'Compares every instance in Postgres with its facts and with Temporal. Reads only.',
    synopsis: '',
    flags: {},
    exitCodes: { 0: 'no discrepancies', 1: 'discrepancies, one per line' },
  },
  async () => {
    const config = await readWorkerConfig();
    const { verify } = await import('./verify/run.js');
    return verify(config);
  },
);
