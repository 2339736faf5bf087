import { unwrap, type Schemas } from '@perdure/client';
import { exitCodes, type Command } from '../../command.js';
import { definitionOf } from '../../host.js';
import { pageOptions, pageQuery, showPage } from '../../lists/paging.js';
import { oneOf, wholeNumber } from '../../values.js';

type Incident = Schemas['BpmnIncidentRecord'];
const statuses = ['open', 'resolved'] as const;

export const listIncidents: Command = {
  name: 'incidents list',
  role: 'viewer',
  operands: '',
  summary: 'List incidents, newest first',
  examples: [
    'perdure incidents list',
    'perdure incidents list --process order --version 3 --since 2026-01-31T03:00:00Z',
  ],
  minOperands: 0,
  maxOperands: 0,
  options: {
    instance: { type: 'string', value: 'WORKFLOW_ID', help: 'only incidents of this instance' },
    children: { type: 'boolean', help: 'with --instance: also incidents of its descendants' },
    process: { type: 'string', value: 'PROCESS', help: 'only incidents of a version of this process' },
    version: { type: 'string', value: 'NUMBER', help: 'version of the process (default: the newest)' },
    status: { type: 'string', value: 'STATUS', words: statuses, help: 'open (default) or resolved' },
    since: { type: 'string', value: 'TIME', help: 'only incidents raised at or after this RFC 3339 time' },
    until: { type: 'string', value: 'TIME', help: 'only incidents raised at or before this RFC 3339 time' },
    ...pageOptions,
  },
  async run(invocation) {
    const { terminal, option, flag } = invocation;
    const process = option('process');
    const version = wholeNumber(invocation, 'version', 1, 999_999_999);
    const query = {
      workflowID: option('instance'),
      includeChildren: flag('children') || undefined,
      status: oneOf(invocation, 'status', statuses) ?? 'open',
      since: option('since'),
      until: option('until'),
      ...pageQuery(invocation),
    };
    const host = await invocation.host();
    const definitionID = process === undefined ? undefined : await definitionOf(host, process, version);
    const answer = await unwrap<Schemas['BpmnIncidentRecordPaginatedResponse']>(
      host.client.GET('/projects/{projectID}/bpmn/incidents', {
        params: { path: { projectID: host.projectID }, query: { ...query, definitionID } },
      }),
    );
    showPage<Incident>(terminal, answer, 'incident', {
      INCIDENT: (one) => one.incidentID,
      PROCESS: (one) => `${one.processID} ${one.processVersion}`,
      NODE: (one) => one.nodeID,
      RAISED: (one) => one.raisedAt,
      TYPE: (one) => one.errorType,
      MESSAGE: (one) => shortened(one.errorMessage),
    });
    return exitCodes.done;
  },
};

/** A message can have thousands of characters; `incidents show` has all of them. */
function shortened(message: string): string {
  return message.length <= 80 ? message : `${message.slice(0, 79)}…`;
}
