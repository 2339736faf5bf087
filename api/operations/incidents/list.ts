import { z } from 'zod';
import { listIncidents } from '../../../store/incidents.js';
import { defineOperation } from '../../operation.js';
import { pageResponse } from '../../page.js';
import { problem } from '../../problem.js';
import { givenTimestamp, givenWorkflowID, pageQuery, queryBoolean, uuid } from '../../schemas.js';
import { dateOf } from '../../wire.js';
import { toIncidentRecord } from './incident.js';
import { errorType as anyErrorType, incidentRecordPage, incidentStatus } from './schemas.js';

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
