import { z } from 'zod';
import { listSubscriptions, type OpenSubscription } from '../../../store/publications/open-subscriptions.js';
import { pageResponse } from '../../commands/page.js';
import { defineOperation } from '../../commands/define-operation.js';
import { givenWorkflowID, pageQuery, isTest } from '../../contract/schemas.js';
import { optional, time } from '../../contract/wire.js';
import { publicationType, subscriptionPage, type subscription } from './shared/schemas.js';

export const listBpmnSubscriptions = defineOperation({
  operationID: 'ListBpmnSubscriptions',
  method: 'GET',
  path: '/projects/{projectID}/bpmn/subscriptions',
  role: 'viewer',
  summary: 'List open subscriptions',
  description: 'Oldest first: of instances, and of start events of the newest versions.',
  request: {
    query: z.strictObject({
      type: publicationType.optional(),
      name: z.string().max(255).optional(),
      workflowID: givenWorkflowID.optional(),
      processId: z.string().max(255).optional(),
      isTest,
      ...pageQuery,
    }),
  },
  responses: { 200: { description: 'Page of subscriptions', schema: subscriptionPage } },
  problems: [],
}).handle(async ({ params, query, context }) => {
  const { type, name, workflowID, processId: processID } = query;
  const found = await listSubscriptions(context.store, params.projectID, { type, name, workflowID, processID }, query);
  return { status: 200, body: pageResponse(query, found, toSubscription) };
});

function toSubscription(found: OpenSubscription): z.output<typeof subscription> {
  const { type, name, correlation, nodeID, workflowID, definitionID, processID, openedAt, keptUnmatched } = found;
  return {
    type,
    name,
    ...(correlation !== undefined && { correlationKeys: correlation }),
    nodeID,
    workflowID: optional(workflowID),
    definitionID,
    processId: processID,
    openedAt: time(openedAt),
    publicationID: optional(found.publicationID),
    keptUnmatched,
  };
}
