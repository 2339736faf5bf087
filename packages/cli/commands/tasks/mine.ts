import { lists, unwrap, type Schemas } from '@perdure/client';
import { exitCodes, type Command } from '../../command.js';
import { filterOptions, filterQuery } from '../../lists/filters.js';
import { pageOptions, pageQuery } from '../../lists/paging.js';
import { showTasks } from './shared.js';

const tasks = lists.ListBpmnUserTasksForCaller;

export const listMyTasks: Command = {
  name: 'tasks mine',
  role: 'viewer',
  operands: '',
  summary: 'List the open user tasks that name this account',
  details: 'As assignee, as candidate user, or through a group.',
  examples: ['perdure tasks mine', 'perdure tasks mine --unassigned'],
  minOperands: 0,
  maxOperands: 0,
  options: { ...filterOptions(tasks), ...pageOptions },
  async run(invocation) {
    const query = { ...filterQuery(tasks, invocation), ...pageQuery(invocation) };
    const { client, projectID } = await invocation.host();
    const answer = await unwrap<Schemas['BpmnUserTaskPaginatedResponse']>(
      client.GET('/projects/{projectID}/bpmn/user-tasks/me', { params: { path: { projectID }, query } }),
    );
    showTasks(invocation.terminal, answer);
    return exitCodes.done;
  },
};
