/** Drives agents of all projects: leases the jobs of their ad-hoc sub-processes, as a job worker does, and asks the models. */
import { AGENT_TASK_TYPE } from '@perdure/lib/model-files/agents.js';
import { agentTurn } from './agent/perform.js';
import type { Connector } from './role.js';
import { sendingTasks } from './sending-tasks.js';
import type { SendingTasksOptions } from './work.js';

export function agentTasks(options: SendingTasksOptions): Connector {
  return sendingTasks(options, {
    kind: agentTurn,
    chore: 'agent_tasks',
    types: [AGENT_TASK_TYPE],
    what: 'Jobs of agents',
  });
}
