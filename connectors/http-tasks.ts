/**
 * Performs HTTP tasks of all projects, as a job worker does. What holds for jobs (leases, attempts, suspension, incidents,
 * priorities) therefore holds for them.
 */
import { LeasedJobs } from './leased-jobs.js';
import type { Connector } from './role.js';
import { performHttpTask } from './http/perform.js';
import { LEASE_MS, work, type SendingTasksOptions, type TaskKind } from './work.js';

/** The second is the type of Camunda's HTTP JSON connector, so that its template needs no change. */
export const HTTP_TASK_TYPES = ['perdure:http', 'io.camunda:http-json:1'];

const EVERY_MS = 500;

const httpTask: TaskKind = {
  name: 'HTTP task',
  async perform({ egress, secrets }, { projectID, job, node, traceContext }, signal) {
    const mappings = (node && 'inputs' in node && node.inputs) || [];
    return {
      variables: await performHttpTask({ projectID, job, mappings, traceContext }, { egress, secrets, signal }),
    };
  },
};

export function httpTasks(options: SendingTasksOptions): Connector {
  const { store, logger } = options;
  const jobs = new LeasedJobs({
    store,
    logger,
    types: HTTP_TASK_TYPES,
    leaseMilliseconds: LEASE_MS,
    what: 'HTTP tasks',
    work: (...leased) => work(httpTask, options, ...leased),
  });
  return {
    chore: { name: 'http_tasks', every: EVERY_MS, prompt: true, run: (turn) => jobs.takeAll(turn) },
    problem: 'HTTP tasks cannot be leased; see the log',
    finish: () => jobs.finish(),
  };
}
