import { z } from 'zod';
import { submitCommand } from '../../../store/instances/commands.js';
import { acceptedResponse, submitAndAwait, commandDeadlineSeconds } from '../../commands/commands.js';
import { defineOperation } from '../../contract/operation.js';
import { modelIdentifier, variables } from '../../contract/schemas.js';
import { asVariables, tooManyVariables } from '../../commands/variables.js';
import { command } from '../../contract/command.js';
import { missingAdHocNode } from './shared/find-node.js';

const request = z.strictObject({ variables: variables.default({}) }).meta({ id: 'SetBpmnAdHocVariablesRequest' });

export const setBpmnAdHocVariables = defineOperation({
  operationID: 'SetBpmnAdHocVariables',
  method: 'POST',
  path: '/projects/{projectID}/bpmn/instances/{workflowID}/adhoc/{adHocNodeID}/variables',
  role: 'executor',
  summary: 'Set variables of an ad-hoc sub-process',
  description:
    'Merges the variables into the scope of an active ad-hoc sub-process and evaluates its completion condition again.',
  request: { params: { adHocNodeID: modelIdentifier }, body: request.default({ variables: {} }) },
  responses: { 200: { description: 'Variables set', schema: command }, 202: acceptedResponse },
  problems: ['CONFLICT', 'INSTANCE_ENDED'],
  accepts: ['Prefer'],
  deadlineSeconds: commandDeadlineSeconds,
}).handle(async ({ params, body, caller, headers, traceContext, context }) => {
  const tooLarge = tooManyVariables(body.variables);
  if (tooLarge !== undefined) return tooLarge;
  const missing = await missingAdHocNode(context, params);
  if (missing !== undefined) return missing;
  const submitted = await submitCommand(context.store, {
    projectID: params.projectID,
    workflowID: params.workflowID,
    body: { kind: 'SET_AD_HOC_VARIABLES', node: params.adHocNodeID, variables: asVariables(body.variables) },
    actor: caller.subject,
    awaited: headers.waitMilliseconds > 0,
    traceContext,
  });
  return submitAndAwait(context, params.workflowID, submitted, headers.waitMilliseconds);
});
