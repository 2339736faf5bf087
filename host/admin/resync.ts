/**
 * `npm run resync`: after a restore, lists the instances in Postgres and the workflows in Temporal that have diverged,
 * and restarts the workflows from the rows if asked to. Postgres and Temporal are configured as for a workflow worker.
 */
import { readWorkerConfig, runCommand } from './command.js';

await runCommand(
  {
    name: 'resync',
    summary: 'Lists the instances in Postgres and the workflows in Temporal that have diverged after a restore.',
    synopsis: '[--all] [--apply [--terminate-unknown]]',
    flags: {
      apply: 'restart the workflows of diverged instances from their rows',
      all: 'take every running instance for diverged',
      'terminate-unknown': 'with --apply: terminate workflows that have no instance in Postgres',
    },
    exitCodes: { 0: 'nothing has diverged, or all of it is repaired', 1: 'some instances or workflows are diverged' },
  },
  async (wanted) => {
    const config = await readWorkerConfig();
    const { resync } = await import('./resync/run.js');
    return resync(config, wanted);
  },
);
