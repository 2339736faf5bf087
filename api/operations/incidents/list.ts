import { z } from 'zod';
import { listIncidents } from '../../../store/work/incidents.js';
import { defineOperation } from '../../contract/operation.js';
import { pageResponse } from '../../commands/page.js';
import { problem } from '../../contract/problem.js';
import { givenTimestamp, givenWorkflowID, pageQuery, queryBoolean, uuid } from '../../contract/schemas.js';
import { dateOf } from '../../contract/wire.js';
import { toIncidentRecord } from './shared/incident.js';
import { errorType as anyErrorType, incidentRecordPage, incidentStatus } from './shared/schemas.js';

export const listBpmnIncidents = defineOperation({
  operationID: 'ListBpmnIncidents',
  method: 'GET',
  path: '/projects/{projectID}/bpmn/incidents',
  role: 'viewer',
  summary: 'List incidents',
  description: 'Across all instances of the project, newest first.',
  request: {
    query: z.strictObject({
      definitionID: uuid.optional(),
      workflowID: givenWorkflowID.optional(),
      includeChildren: queryBoolean.optional(),
      status: incidentStatus.optional(),
      errorType: anyErrorType.optional(),
      since: givenTimestamp.optional(),
      until: givenTimestamp.optional(),
      ...pageQuery,
    }),
  },
  responses: { 200: { description: 'Page of incidents', schema: incidentRecordPage } },
  problems: [],
}).handle(async ({ params, query, context }) => {
  const { definitionID, workflowID, includeChildren, status, errorType } = query;
  if (includeChildren === true && workflowID === undefined) {
    return problem('BAD_REQUEST', 'includeChildren needs workflowID: the instance whose descendants are included');
  }
  const filter = {
    definitionID,
    workflowID,
    includeChildren,
    status,
    errorType,
    since: dateOf(query.since),
    until: dateOf(query.until),
  };
  const incidents = await listIncidents(context.store, params.projectID, filter, query);
  return { status: 200, body: pageResponse(query, incidents, toIncidentRecord) };
});
