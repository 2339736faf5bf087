import { unwrap, type Schemas } from '@perdure/client';
import { exitCodes, type Command } from '../../command.js';
import { oneOf } from '../../values.js';
import { showTasks, taskFilterOptions, taskQuery } from './shared.js';

const statuses = ['CREATED', 'COMPLETED', 'CANCELED', 'FAILED'] as const;

export const listTasks: Command = {
  name: 'tasks list',
  role: 'executor',
  operands: '',
  summary: 'List the user tasks of the project, newest first',
  examples: ['perdure tasks list --unassigned', 'perdure tasks list --process order --assignee mia'],
  minOperands: 0,
  maxOperands: 0,
  options: {
    status: {
      type: 'string',
      value: 'STATUS',
      words: statuses,
      help: 'CREATED (default), COMPLETED, CANCELED, or FAILED',
    },
    assignee: { type: 'string', value: 'ACCOUNT', help: 'only tasks of this person' },
    ...taskFilterOptions,
  },
  async run(invocation) {
    const query = {
      status: oneOf(invocation, 'status', statuses) ?? 'CREATED',
      assignee: invocation.option('assignee'),
      ...taskQuery(invocation),
    };
    const { client, projectID } = await invocation.host();
    const answer = await unwrap<Schemas['BpmnUserTaskPaginatedResponse']>(
      client.GET('/projects/{projectID}/bpmn/user-tasks', { params: { path: { projectID }, query } }),
    );
    showTasks(invocation.terminal, answer);
    return exitCodes.done;
  },
};
