/**
 * Performs HTTP tasks of all projects, as a job worker does. What holds for jobs (leases, attempts, suspension, incidents,
 * priorities) therefore holds for them.
 */
import type { Connector } from './role.js';
import { HTTP_TASK_TYPES } from '../store/work/connectors/task-types.js';
import { performHttpTask } from './http/perform.js';
import { sendingTasks } from './sending-tasks.js';
import type { SendingTasksOptions, TaskKind } from './work.js';

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
