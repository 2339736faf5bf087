import { z } from 'zod';
import { submitCommand } from '../../../store/instances/submit-command.js';
import { defineCommand } from '../../commands/define-command.js';
import { variableNames } from '../../contract/audit/recording.js';
import { modelIdentifier, reason } from '../../contract/schemas.js';
import { givenVariables } from '../../contract/variables.js';
import { missingAdHocNode } from './shared/find-node.js';

const requestSchema = z
  .strictObject({ variables: givenVariables.default({}), reason })
  .meta({ id: 'SetBpmnAdHocVariablesRequest' });

export const setBpmnAdHocVariables = defineCommand({
  operationID: 'SetBpmnAdHocVariables',
  method: 'POST',
  path: '/projects/{projectID}/bpmn/instances/{workflowID}/adhoc/{adHocNodeID}/variables',
  role: 'executor',
  summary: 'Set variables of an ad-hoc sub-process',
  description:
    'Merges the variables into the scope of an active ad-hoc sub-process and evaluates its completion condition again.',
  request: { params: { adHocNodeID: modelIdentifier }, body: requestSchema.default({ variables: {} }) },
  says: variableNames,
  applied: 'Variables set',
}).submit(async ({ params, body, context }, request) => {
  const missing = await missingAdHocNode(context, params);
  if (missing !== undefined) return missing;
  return submitCommand(context.store, {
    ...request,
    workflowID: params.workflowID,
    reason: body.reason,
    body: { kind: 'SET_AD_HOC_VARIABLES', node: params.adHocNodeID, variables: body.variables },
  });
});
