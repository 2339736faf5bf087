import { lists, unwrap, type Schemas } from '@perdure/client';
import { exitCodes, type Command } from '../command.js';
import { filterOptions, filterQuery } from '../lists/filters.js';
import { orderQuery, orders } from '../lists/orders.js';
import { pageOptions, pageQuery, showPage } from '../lists/paging.js';

const instances = lists.ListBpmnInstances;
type Instance = Schemas['BpmnInstance'];

export const list: Command = {
  name: 'list',
  role: 'viewer',
  operands: '',
  summary: 'List instances, newest first',
  examples: [
    'perdure list --process order --status running',
    'perdure list --status failed,canceled --failure-contains timeout',
  ],
  minOperands: 0,
  maxOperands: 0,
  options: {
    ...filterOptions(instances),
    sort: {
      type: 'string',
      value: 'MEMBER',
      words: instances.sorts,
      help: 'createdAt (default), completedAt, or businessId',
    },
    order: { type: 'string', value: 'ORDER', words: orders, help: 'asc or desc (default desc)' },
    ...pageOptions,
  },
  async run(invocation) {
    const { terminal } = invocation;
    const filter = filterQuery(instances, invocation);
    const query = { ...filter, ...orderQuery(instances, invocation, filter), ...pageQuery(invocation) };
    const { client, projectID } = await invocation.host();
    const answer = await unwrap<Schemas['BpmnInstancePaginatedResponse']>(
      client.GET('/projects/{projectID}/bpmn/instances', { params: { path: { projectID }, query } }),
    );
    showPage<Instance>(terminal, answer, 'instance', {
      'WORKFLOW ID': (one) => one.workflowID,
      PROCESS: (one) => one.processId,
      VERSION: (one) => one.processVersion,
      STATUS: stateOf,
      CREATED: (one) => one.createdAt,
      'BUSINESS ID': (one) => one.businessId,
    });
    return exitCodes.done;
  },
};

function stateOf({ status, queued, hasIncident, suspendedAt, definitionSuspended, overTarget }: Instance): string {
  const isPaused = suspendedAt || definitionSuspended;
  const marks = [
    queued && 'queued',
    hasIncident && 'incident',
    isPaused && 'paused',
    overTarget && 'over target',
  ].filter(Boolean);
  return marks.length === 0 ? status : `${status} (${marks.join(', ')})`;
}
