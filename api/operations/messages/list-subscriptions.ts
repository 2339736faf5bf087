import type { z } from 'zod';
import {
  listSubscriptions,
  subscriptionFilters,
  type OpenSubscription,
} from '../../../store/publications/open-subscriptions.js';
import { definePages } from '../../commands/define-list.js';
import { optional, time } from '../../contract/wire.js';
import { subscription, subscriptionPage } from './shared/schemas.js';

export const listBpmnSubscriptions = definePages({
  operationID: 'ListBpmnSubscriptions',
  path: '/projects/{projectID}/bpmn/subscriptions',
  role: 'viewer',
  summary: 'List open subscriptions',
  description: 'Oldest first: of instances, and of start events of the newest versions.',
  filters: subscriptionFilters,
  hasTests: true,
  item: subscription,
  page: subscriptionPage,
}).rows({
  page: ({ params, context }, page, filter) => listSubscriptions(context.store, params.projectID, filter, page),
  toItem: toSubscription,
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
