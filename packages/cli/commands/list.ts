import { unwrap, type Schemas } from '@perdure/client';
import { exitCodes, oneOf, statuses, wholeNumber, type Command } from '../command.js';
import { counted, show, table } from '../terminal.js';

export const list: Command = {
  name: 'list',
  operands: '',
  summary: 'List instances, newest first',
  examples: ['perdure list --process order --status running', 'perdure list --incident'],
  least: 0,
  most: 0,
  options: {
    process: { type: 'string', value: 'ID', help: 'only instances of this process' },
    status: {
      type: 'string',
      value: 'STATUS',
      help: 'only instances with this status: RUNNING, COMPLETED, FAILED, or CANCELED',
    },
    incident: { type: 'boolean', help: 'only instances with an open incident' },
    'business-id': { type: 'string', value: 'ID', help: 'only instances with this business id' },
    page: { type: 'string', value: 'NUMBER', help: 'page number, from 1' },
    'page-size': { type: 'string', value: 'NUMBER', help: 'instances per page, 1 to 100 (default 20)' },
  },
  async run(invocation) {
    const { terminal, option, flag } = invocation;
    const query = {
      processId: option('process'),
      status: oneOf(invocation, 'status', statuses),
      hasIncident: flag('incident') || undefined,
      businessId: option('business-id'),
      page: wholeNumber(invocation, 'page', 1, 999_999_999),
      pageSize: wholeNumber(invocation, 'page-size', 1, 100),
    };
    const { client, projectID } = await invocation.host();
    const answer = await unwrap<Schemas['BpmnInstancePaginatedResponse']>(
      client.GET('/projects/{projectID}/bpmn/instances', { params: { path: { projectID }, query } }),
    );
    const { page, totalPages, total } = answer.pagination;
    show(terminal, answer, () => [
      ...table(
        ['WORKFLOW ID', 'PROCESS', 'VERSION', 'STATUS', 'CREATED', 'BUSINESS ID'],
        answer.data.map((one) => [
          one.workflowID,
          one.processId,
          one.processVersion,
          stateOf(one),
          one.createdAt,
          one.businessId,
        ]),
      ),
      `${counted(total, 'instance')}, page ${page} of ${Math.max(totalPages, 1)}`,
    ]);
    return exitCodes.done;
  },
};

function stateOf({ status, hasIncident, suspendedAt, definitionSuspended }: Schemas['BpmnInstance']): string {
  const marks = [hasIncident && 'incident', (suspendedAt || definitionSuspended) && 'paused'].filter(Boolean);
  return marks.length === 0 ? status : `${status} (${marks.join(', ')})`;
}
