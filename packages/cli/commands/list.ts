import { unwrap, type Schemas } from '@perdure/client';
import { exitCodes, type Command } from '../command.js';
import { oneOf, someOf, statuses, wholeNumber } from '../values.js';
import { counted, show, table } from '../terminal.js';

const sorts = ['createdAt', 'completedAt', 'businessId'] as const;
const orders = ['asc', 'desc'] as const;

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
    process: { type: 'string', value: 'ID', help: 'only instances of this process' },
    status: {
      type: 'string',
      value: 'STATUS',
      words: statuses,
      help: 'only instances with one of these: RUNNING, COMPLETED, FAILED, CANCELED (separated by commas)',
    },
    incident: { type: 'boolean', help: 'only instances with an open incident' },
    suspended: { type: 'boolean', help: 'only paused instances' },
    'over-target': { type: 'boolean', help: 'only instances that have taken longer than their duration target' },
    root: { type: 'boolean', help: 'only instances that no other instance called' },
    definition: { type: 'string', value: 'ID', help: 'only instances of this version' },
    node: { type: 'string', value: 'ID', help: 'only instances that are at this node' },
    parent: { type: 'string', value: 'ID', help: 'only instances that this instance called' },
    'business-id': { type: 'string', value: 'ID', help: 'only instances with this business id' },
    'business-id-prefix': { type: 'string', value: 'TEXT', help: 'only instances whose business id begins like this' },
    'failure-contains': { type: 'string', value: 'TEXT', help: 'only instances whose failure contains this text' },
    'started-by': { type: 'string', value: 'WHO', help: 'only instances that this caller started' },
    'created-after': { type: 'string', value: 'TIME', help: 'only instances started later (RFC 3339)' },
    'created-before': { type: 'string', value: 'TIME', help: 'only instances started by then' },
    'completed-after': { type: 'string', value: 'TIME', help: 'only instances that ended later' },
    'completed-before': { type: 'string', value: 'TIME', help: 'only instances that had ended by then' },
    sort: { type: 'string', value: 'MEMBER', words: sorts, help: 'createdAt (default), completedAt, or businessId' },
    order: { type: 'string', value: 'ORDER', words: orders, help: 'asc or desc (default desc)' },
    page: { type: 'string', value: 'NUMBER', help: 'page number, from 1' },
    'page-size': { type: 'string', value: 'NUMBER', help: 'instances per page, 1 to 100 (default 20)' },
  },
  async run(invocation) {
    const { terminal, option, flag } = invocation;
    const query = {
      processId: option('process'),
      status: someOf(invocation, 'status', statuses),
      hasIncident: flag('incident') || undefined,
      suspended: flag('suspended') || undefined,
      overTarget: flag('over-target') || undefined,
      root: flag('root') || undefined,
      definitionID: option('definition'),
      activeNodeID: option('node'),
      parentWorkflowID: option('parent'),
      businessId: option('business-id'),
      businessIdPrefix: option('business-id-prefix'),
      failureReasonContains: option('failure-contains'),
      startedBy: option('started-by'),
      createdAfter: option('created-after'),
      createdBefore: option('created-before'),
      completedAfter: option('completed-after'),
      completedBefore: option('completed-before'),
      sort: oneOf(invocation, 'sort', sorts),
      order: oneOf(invocation, 'order', orders),
      page: wholeNumber(invocation, 'page', 1, 999_999_999),
      pageSize: wholeNumber(invocation, 'page-size', 1, 100),
    };
    const { client, projectID } = await invocation.host();
    const answer = await unwrap<Schemas['BpmnInstancePaginatedResponse']>(
      client.GET('/projects/{projectID}/bpmn/instances', { params: { path: { projectID }, query } }),
    );
    const { page, totalPages, total, isTotalEstimate } = answer.pagination;
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
      `${isTotalEstimate ? 'about ' : ''}${counted(total, 'instance')}, page ${page} of ${Math.max(totalPages, 1)}`,
    ]);
    return exitCodes.done;
  },
};

function stateOf({
  status,
  hasIncident,
  suspendedAt,
  definitionSuspended,
  overTarget,
}: Schemas['BpmnInstance']): string {
  const isPaused = suspendedAt || definitionSuspended;
  const marks = [hasIncident && 'incident', isPaused && 'paused', overTarget && 'over target'].filter(Boolean);
  return marks.length === 0 ? status : `${status} (${marks.join(', ')})`;
}
