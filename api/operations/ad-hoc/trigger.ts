import { z } from 'zod';
import { submitUnlessPaused } from '../../../store/instances/submit-command.js';
import { defineCommand } from '../../commands/define-command.js';
import { modelIdentifier, reason } from '../../contract/schemas.js';
import { missingAdHocNode } from './shared/find-node.js';

const requestSchema = z.strictObject({ nodeID: modelIdentifier, reason }).meta({ id: 'TriggerBpmnAdHocNodeRequest' });

export const triggerBpmnAdHocNode = defineCommand({
  operationID: 'TriggerBpmnAdHocNode',
  method: 'POST',
  path: '/projects/{projectID}/bpmn/instances/{workflowID}/adhoc/{adHocNodeID}/trigger',
  role: 'executor',
  summary: 'Start an activity of an ad-hoc sub-process',
  description:
    'The ad-hoc sub-process must be active. The same activity can be started several times. A sequential ad-hoc sub-process rejects the request while an activity inside it is active.',
  request: { params: { adHocNodeID: modelIdentifier }, body: requestSchema },
  says: ({ body }) => ({ details: { nodeID: body.nodeID } }),
  applied: 'Activity started',
  problems: ['SUSPENDED'],
}).submit(async ({ params, body, context }, request) => {
  const missing = await missingAdHocNode(context, params);
  if (missing !== undefined) return missing;
  return submitUnlessPaused(context.store, {
    ...request,
    workflowID: params.workflowID,
    reason: body.reason,
    body: { kind: 'TRIGGER_AD_HOC', node: params.adHocNodeID, nodeID: body.nodeID },
  });
});
