import { incidentFilters } from '../../../store/work/incidents/filters.js';
import { incidentSorts, listIncidents, streamIncidents } from '../../../store/work/incidents/lists.js';
import { defineList } from '../../commands/define-list.js';
import { toIncidentRecord } from './shared/incident.js';
import { incidentRecord, incidentRecordPage } from './shared/schemas.js';

export const listBpmnIncidents = defineList({
  operationID: 'ListBpmnIncidents',
  path: '/projects/{projectID}/bpmn/incidents',
  role: 'viewer',
  summary: 'List incidents',
  description:
    'Across all instances of the project, newest first. `includeChildren` needs `workflowID`: the instance whose descendants are included.',
  filters: incidentFilters,
  hasTests: true,
  sorts: incidentSorts,
  item: incidentRecord,
  page: incidentRecordPage,
}).rows({
  page: ({ params, context }, page, filter) => listIncidents(context.store, params.projectID, filter, page),
  all: ({ params, context }, order, filter) => streamIncidents(context.store, params.projectID, filter, order),
  toItem: toIncidentRecord,
});
