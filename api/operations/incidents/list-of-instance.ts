import { z } from 'zod';
import { listIncidents } from '../../../store/work/incidents/lists.js';
import { findInstance } from '../../../store/instances/instances.js';
import { defineOperation } from '../../commands/define-operation.js';
import { pageResponse } from '../../commands/page.js';
import { notFound } from '../../contract/problem.js';
import { pageQuery } from '../../contract/schemas.js';
import { toIncidentRecord } from './shared/incident.js';
import { incidentRecordPage, incidentStatus } from './shared/schemas.js';

export const listBpmnInstanceIncidents = defineOperation({
  operationID: 'ListBpmnInstanceIncidents',
  method: 'GET',
  path: '/projects/{projectID}/bpmn/instances/{workflowID}/incidents',
  role: 'viewer',
  summary: 'List the incidents of an instance',
  description: 'Newest first.',
  request: { query: z.strictObject({ status: incidentStatus.optional(), ...pageQuery }) },
  responses: { 200: { description: 'Page of incidents', schema: incidentRecordPage } },
  problems: [],
}).handle(async ({ params, query, context }) => {
  const { projectID, workflowID } = params;
  if ((await findInstance(context.store, projectID, workflowID)) === undefined)
    return notFound(`no instance ${workflowID}`);
  const incidents = await listIncidents(context.store, projectID, { workflowID, status: query.status }, query);
  return { status: 200, body: pageResponse(query, incidents, toIncidentRecord) };
});
