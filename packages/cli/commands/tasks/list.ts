import { lists, unwrap, type Schemas } from '@perdure/client';
import { exitCodes, type Command } from '../../command.js';
import { filterOptions, filterQuery } from '../../lists/filters.js';
import { pageOptions, pageQuery } from '../../lists/paging.js';
import { showTasks } from './shared.js';

const tasks = lists.ListBpmnUserTasks;
const defaults = { status: 'CREATED' };

export const listTasks: Command = {
  name: 'tasks list',
  role: 'executor',
  operands: '',
  summary: 'List the user tasks of the project, newest first',
  examples: ['perdure tasks list --unassigned', 'perdure tasks list --process order --assignee mia'],
  minOperands: 0,
  maxOperands: 0,
  options: { ...filterOptions(tasks, defaults), ...pageOptions },
  async run(invocation) {
    const query = { ...filterQuery(tasks, invocation, defaults), ...pageQuery(invocation) };
    const { client, projectID } = await invocation.host();
    const answer = await unwrap<Schemas['BpmnUserTaskPaginatedResponse']>(
      client.GET('/projects/{projectID}/bpmn/user-tasks', { params: { path: { projectID }, query } }),
    );
    showTasks(invocation.terminal, answer);
    return exitCodes.done;
  },
};
