/**
 * `npm run check-upgrade`: runs what a running installation has recorded through the engine of this build, which is a
 * candidate for an upgrade, and reports where it would have done something else. Reads only.
 */
import { parseDuration } from '@perdure/lib/duration.js';
import { Failure } from '@perdure/lib/failure.js';
import { readWorkerConfig, runCommand, type ExitCode } from './command.js';

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
  const config = await readWorkerConfig();
  const { runCheck } = await import('./check-upgrade/run.js');
  return runCheck(config, { sample: most, since: new Date(Date.now() - milliseconds) });
}
