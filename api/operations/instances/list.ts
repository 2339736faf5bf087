import { z } from 'zod';
import { listInstances } from '../../../store/instances/instances.js';
import { defineOperation } from '../../contract/operation.js';
import { pageResponse } from '../../commands/page.js';
import {
  businessId,
  givenTimestamp,
  givenWorkflowID,
  modelIdentifier,
  pageQuery,
  queryBoolean,
  uuid,
} from '../../contract/schemas.js';
import { dateOf } from '../../contract/wire.js';
import { toInstance } from './shared/instance.js';
import { instancePage, instanceStatus } from './shared/schemas.js';

export const listBpmnInstances = defineOperation({
  operationID: 'ListBpmnInstances',
  method: 'GET',
  path: '/projects/{projectID}/bpmn/instances',
  role: 'viewer',
  summary: 'List instances',
  description: 'Newest first.',
  request: {
    query: z.strictObject({
      definitionID: uuid.optional(),
      processId: modelIdentifier.optional(),
      status: instanceStatus.optional(),
      hasIncident: queryBoolean.optional(),
      suspended: queryBoolean.optional(),
      createdAfter: givenTimestamp.optional(),
      businessId: businessId.optional(),
      activeNodeID: modelIdentifier.optional(),
      parentWorkflowID: givenWorkflowID.optional(),
      ...pageQuery,
    }),
  },
  responses: { 200: { description: 'Page of instances', schema: instancePage } },
  problems: [],
}).handle(async ({ params, query, context }) => {
  const { definitionID, status, hasIncident, suspended } = query;
  const filter = {
    definitionID,
    processID: query.processId,
    status,
    hasIncident,
    suspended,
    createdAfter: dateOf(query.createdAfter),
    businessID: query.businessId,
    activeNodeID: query.activeNodeID,
    parentWorkflowID: query.parentWorkflowID,
  };
  const instances = await listInstances(context.store, params.projectID, filter, query);
  return { status: 200, body: pageResponse(query, instances, toInstance) };
});
