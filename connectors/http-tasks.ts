/**
 * Performs HTTP tasks of all projects, as a job worker does. What holds for jobs (leases, attempts, suspension, incidents,
 * priorities) therefore holds for them.
 */
import { LeasedJobs } from './leased-jobs.js';
import type { Connector } from './role.js';
import { LEASE_MS, work, type HttpTasksOptions } from './work.js';

/** The second is the type of Camunda's HTTP JSON connector, so that its template needs no change. */
export const HTTP_TASK_TYPES = ['perdure:http', 'io.camunda:http-json:1'];

const EVERY_MS = 500;

export function httpTasks(options: HttpTasksOptions): Connector {
  const { store, logger } = options;
  const jobs = new LeasedJobs({
    store,
    logger,
    types: HTTP_TASK_TYPES,
    leaseMilliseconds: LEASE_MS,
    what: 'HTTP tasks',
    work: (...leased) => work(options, ...leased),
  });
  return {
    chore: { name: 'http_tasks', every: EVERY_MS, prompt: true, run: (turn) => jobs.takeAll(turn) },
    problem: 'HTTP tasks cannot be leased; see the log',
    finish: () => jobs.finish(),
  };
}
