/**
 * Performs HTTP tasks of all projects, as a job worker does. What holds for jobs (leases, attempts, suspension, incidents,
 * priorities) therefore holds for them.
 */
import type { Connector } from './role.js';
import { performHttpTask } from './http/perform.js';
import { sendingTasks } from './sending-tasks.js';
import type { SendingTasksOptions, TaskKind } from './work.js';

/** The second is the type of Camunda's HTTP JSON connector, so that its template needs no change. */
export const HTTP_TASK_TYPES = ['perdure:http', 'io.camunda:http-json:1'];

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
  return sendingTasks(options, {
    kind: httpTask,
    chore: 'http_tasks',
    types: HTTP_TASK_TYPES,
    what: 'HTTP tasks',
  });
}
