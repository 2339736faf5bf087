/** Drives agents of all projects: leases the jobs of their ad-hoc sub-processes, as a job worker does, and asks the models. */
import { AGENT_TASK_TYPE } from '@perdure/lib/model-files/agents.js';
import { agentTurn } from './agent/perform.js';
import { LeasedJobs } from './leased-jobs.js';
import type { Connector } from './role.js';
import { LEASE_MS, work, type SendingTasksOptions } from './work.js';

const EVERY_MS = 500;

export function agentTasks(options: SendingTasksOptions): Connector {
  const { store, logger } = options;
  const jobs = new LeasedJobs({
    store,
    logger,
    types: [AGENT_TASK_TYPE],
    leaseMilliseconds: LEASE_MS,
    what: 'Jobs of agents',
    work: (...leased) => work(agentTurn, options, ...leased),
  });
  return {
    chore: { name: 'agent_tasks', every: EVERY_MS, prompt: true, run: (turn) => jobs.takeAll(turn) },
    problem: 'Jobs of agents cannot be leased; see the log',
    finish: () => jobs.finish(),
  };
}
