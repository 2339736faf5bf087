import { z } from 'zod';
import { submitUnlessPaused } from '../../../store/instances/commands.js';
import { acceptedResponse, submitAndAwait, commandDeadlineSeconds } from '../../commands/commands.js';
import { defineOperation } from '../../contract/operation.js';
import { modelIdentifier } from '../../contract/schemas.js';
import { command } from '../../contract/command.js';
import { missingAdHocNode } from './shared/find-node.js';

const request = z.strictObject({ nodeID: modelIdentifier }).meta({ id: 'TriggerBpmnAdHocNodeRequest' });

export const triggerBpmnAdHocNode = defineOperation({
  operationID: 'TriggerBpmnAdHocNode',
  method: 'POST',
  path: '/projects/{projectID}/bpmn/instances/{workflowID}/adhoc/{adHocNodeID}/trigger',
  role: 'executor',
  summary: 'Start an activity of an ad-hoc sub-process',
  description:
    'The ad-hoc sub-process must be active. The same activity can be started several times. A sequential ad-hoc sub-process rejects the request while an activity inside it is active.',
  request: { params: { adHocNodeID: modelIdentifier }, body: request },
  responses: { 200: { description: 'Activity started', schema: command }, 202: acceptedResponse },
  problems: ['CONFLICT', 'INSTANCE_ENDED', 'SUSPENDED'],
  accepts: ['Prefer'],
  deadlineSeconds: commandDeadlineSeconds,
}).handle(async ({ params, body, caller, headers, traceContext, context }) => {
  const missing = await missingAdHocNode(context, params);
  if (missing !== undefined) return missing;
  const submitted = await submitUnlessPaused(context.store, {
    projectID: params.projectID,
    workflowID: params.workflowID,
    body: { kind: 'TRIGGER_AD_HOC', node: params.adHocNodeID, nodeID: body.nodeID },
    actor: caller.subject,
    awaited: headers.waitMilliseconds > 0,
    traceContext,
  });
  return submitAndAwait(context, params.workflowID, submitted, headers.waitMilliseconds);
});
