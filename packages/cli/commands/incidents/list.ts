import { lists, unwrap, type Schemas } from '@perdure/client';
import { exitCodes, type Command } from '../../command.js';
import { definitionOf } from '../../host.js';
import { filterOptions, filterQuery } from '../../lists/filters.js';
import { pageOptions, pageQuery, showPage } from '../../lists/paging.js';
import { oneOf, wholeNumber } from '../../values.js';
import { WrongUse } from '../../wrong-use.js';

type Incident = Schemas['BpmnIncidentRecord'];
const incidents = lists.ListBpmnIncidents;
const orders = ['asc', 'desc'] as const;
export const defaults = { status: 'open' };

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
    ...filterOptions(incidents, defaults),
    version: { type: 'string', value: 'NUMBER', help: 'number of a version (with --process)' },
    sort: {
      type: 'string',
      value: 'MEMBER',
      words: incidents.sorts,
      help: `${incidents.sorts[0]} (default)`,
    },
    order: { type: 'string', value: 'ORDER', words: orders, help: 'asc or desc (default desc)' },
    ...pageOptions,
  },
  async run(invocation) {
    const version = wholeNumber(invocation, 'version', 1, 999_999_999);
    const query = {
      ...filterQuery(incidents, invocation, defaults),
      sort: oneOf(invocation, 'sort', incidents.sorts),
      order: oneOf(invocation, 'order', orders),
      ...pageQuery(invocation),
    };
    const { processId } = query;
    if (version !== undefined && processId === undefined) throw new WrongUse('--version needs --process');
    const host = await invocation.host();
    const definitionID =
      processId === undefined || version === undefined
        ? query.definitionID
        : await definitionOf(host, processId, version);
    const answer = await unwrap<Schemas['BpmnIncidentRecordPaginatedResponse']>(
      host.client.GET('/projects/{projectID}/bpmn/incidents', {
        params: { path: { projectID: host.projectID }, query: { ...query, definitionID } },
      }),
    );
    showPage<Incident>(invocation.terminal, answer, 'incident', {
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
export function shortened(message: string): string {
  return message.length <= 80 ? message : `${message.slice(0, 79)}…`;
}
