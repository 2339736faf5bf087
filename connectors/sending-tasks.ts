/** Leases jobs of one kind, and performs each by requests. Each kind has its places: agents take none from HTTP tasks. */
import { LeasedJobs, LOOK_MS } from './leased-jobs.js';
import type { Connector } from './role.js';
import { LEASE_MS, work, type SendingTasksOptions, type TaskKind } from './work.js';

export interface SendingTasks {
  readonly kind: TaskKind;
  /** Its name. */
  readonly chore: string;
  readonly types: readonly string[];
  /** In plural, for the log. */
  readonly what: string;
}

export function sendingTasks(options: SendingTasksOptions, { kind, chore, types, what }: SendingTasks): Connector {
  const { store, hearTasks, logger } = options;
  const jobs = new LeasedJobs({
    store,
    hearTasks,
    logger,
    types,
    leaseMilliseconds: LEASE_MS,
    what,
    work: (...leased) => work(kind, options, ...leased),
  });
  return {
    chore: {
      name: chore,
      every: LOOK_MS,
      prompt: true,
      wait: (...until) => jobs.wait(...until),
      run: (turn) => jobs.takeAll(turn),
      finish: () => jobs.finish(),
    },
    problem: `${what} cannot be leased; see the log`,
  };
}
