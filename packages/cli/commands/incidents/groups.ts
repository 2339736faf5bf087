import { lists, unwrap, type Schemas } from '@perdure/client';
import { exitCodes, type Command } from '../../command.js';
import { filterOptions, filterQuery } from '../../lists/filters.js';
import { pageOptions, pageQuery, showPage } from '../../lists/paging.js';
import { defaults, shortened } from './list.js';

const groups = lists.ListBpmnIncidentGroups;

export const listIncidentGroups: Command = {
  name: 'incidents groups',
  role: 'viewer',
  operands: '',
  summary: 'List groups of similar incidents, largest first',
  details: 'A group is a filter of incidents list: perdure incidents list --group GROUP_ID.',
  examples: ['perdure incidents groups --process order'],
  minOperands: 0,
  maxOperands: 0,
  options: { ...filterOptions(groups, defaults), ...pageOptions },
  async run(invocation) {
    const query = { ...filterQuery(groups, invocation, defaults), ...pageQuery(invocation) };
    const { client, projectID } = await invocation.host();
    const answer = await unwrap<Schemas['BpmnIncidentGroupPaginatedResponse']>(
      client.GET('/projects/{projectID}/bpmn/incidents/groups', { params: { path: { projectID }, query } }),
    );
    showPage<Schemas['BpmnIncidentGroup']>(invocation.terminal, answer, 'group', {
      'GROUP ID': (one) => one.groupID,
      INCIDENTS: (one) => one.count,
      INSTANCES: (one) => one.instances,
      PROCESS: (one) => one.processID,
      NODE: (one) => one.nodeID,
      LAST: (one) => one.lastRaisedAt,
      TYPE: (one) => one.errorType,
      MESSAGE: (one) => shortened(one.message),
    });
    return exitCodes.done;
  },
};
