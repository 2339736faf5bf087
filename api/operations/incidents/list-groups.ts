import { z } from 'zod';
import { incidentFilters } from '../../../store/work/incidents/filters.js';
import { listIncidentGroups, type IncidentGroup } from '../../../store/work/incidents/groups.js';
import { describeList, filterOf, meaningful, queryFilters } from '../../commands/list-filters.js';
import { pageResponse } from '../../commands/page.js';
import { orTooBroad } from '../../commands/too-broad.js';
import { defineOperation } from '../../commands/define-operation.js';
import { pageQuery, isTest } from '../../contract/schemas.js';
import { optional, time } from '../../contract/wire.js';
import type { incidentGroup } from './shared/schemas.js';
import { incidentGroupPage, incidentStatus } from './shared/schemas.js';

const query = z.strictObject({
  ...queryFilters(incidentFilters),
  status: incidentStatus.default('open'),
  isTest,
  ...pageQuery,
});

export const listBpmnIncidentGroups = defineOperation({
  operationID: 'ListBpmnIncidentGroups',
  method: 'GET',
  path: '/projects/{projectID}/bpmn/incidents/groups',
  role: 'viewer',
  summary: 'List groups of similar incidents',
  description:
    'Largest first, at most 1,000 groups. A group has one process, node, error type, error code, and message; numbers, UUIDs, and quoted text in messages are ignored, and `…` represents them. ' +
    'A group id never changes: it is a filter of the list of incidents.',
  request: { query: meaningful(incidentFilters, query) },
  responses: { 200: { description: 'Page of groups', schema: incidentGroupPage } },
  problems: [],
  list: describeList(incidentFilters, { hasTests: true }),
}).handle(({ params, query: given, context }) => {
  const filter = filterOf(incidentFilters, given);
  // Every page counts all incidents that match.
  return orTooBroad({ filters: incidentFilters }, filter, async () => {
    const groups = await listIncidentGroups(context.store, params.projectID, filter, given);
    return { status: 200, body: pageResponse(given, groups, toIncidentGroup) };
  });
});

function toIncidentGroup({ processName, errorCode, firstRaisedAt, lastRaisedAt, ...group }: IncidentGroup) {
  return {
    ...group,
    processName: optional(processName),
    errorCode: optional(errorCode),
    firstRaisedAt: time(firstRaisedAt),
    lastRaisedAt: time(lastRaisedAt),
  } satisfies z.output<typeof incidentGroup>;
}
