import { findDefinition } from '../../../store/decisions/decisions.js';
import { defineOperation } from '../../commands/define-operation.js';
import { uuid } from '../../contract/schemas.js';
import { evaluateDefinition } from './shared/evaluate-definition.js';
import { evaluateStoredRequest, evaluationResults } from './shared/schemas.js';

export const evaluateStoredDmn = defineOperation({
  operationID: 'EvaluateStored',
  method: 'POST',
  path: '/projects/{projectID}/dmn/definitions/{definitionID}/evaluate',
  role: 'executor',
  summary: 'Evaluate decisions of a DMN definition version',
  description: 'Records the evaluation. `version` selects another version of the same file.',
  request: { params: { definitionID: uuid }, body: evaluateStoredRequest },
  responses: { 200: { description: 'Results by decision name', schema: evaluationResults } },
  problems: [],
  countsAs: 'evaluation',
}).handle(async ({ params, body, caller, context, turns }) => {
  const found = await findDefinition(context.store, params.projectID, params.definitionID);
  return evaluateDefinition(context, found, body, { executedBy: caller.subject, turns });
});
