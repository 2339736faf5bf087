import { incidentFilters } from '../../../store/work/incidents/filters.js';
import { incidentSorts, listIncidents, streamIncidents } from '../../../store/work/incidents/lists.js';
import { isTest } from '../../contract/schemas.js';
import { defineList } from '../../commands/define-list.js';
import { filterOf, meaningful, queryFilters } from '../../commands/list-filters.js';
import { toIncidentRecord } from './shared/incident.js';
import { incidentRecord, incidentRecordPage } from './shared/schemas.js';

export const listBpmnIncidents = defineList({
  operationID: 'ListBpmnIncidents',
  path: '/projects/{projectID}/bpmn/incidents',
  role: 'viewer',
  summary: 'List incidents',
  description:
    'Across all instances of the project, newest first. `includeChildren` needs `workflowID`: the instance whose descendants are included.',
  filters: { ...queryFilters(incidentFilters), isTest },
  refine: (query) => meaningful(incidentFilters, query),
  sorts: incidentSorts,
  item: incidentRecord,
  page: incidentRecordPage,
}).rows({
  page: ({ params, query, context }, page) =>
    listIncidents(context.store, params.projectID, filterOf(incidentFilters, query), page),
  all: ({ params, query, context }, order) =>
    streamIncidents(context.store, params.projectID, filterOf(incidentFilters, query), order),
  toItem: toIncidentRecord,
});
