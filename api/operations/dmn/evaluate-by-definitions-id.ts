import { z } from 'zod';
import { findDefinitionByFile } from '../../../store/decisions.js';
import { defineOperation } from '../../operation.js';
import { problem } from '../../problem.js';
import { modelIdentifier } from '../../schemas.js';
import { evaluateDefinition } from './evaluate-definition.js';
import { evaluateStoredRequest, evaluationResults, queryVersion } from './schemas.js';

export const evaluateDmnByDefinitionsID = defineOperation({
  operationID: 'EvaluateByDefinitionsID',
  method: 'POST',
  path: '/projects/{projectID}/dmn/definitions/by-definitions-id/{definitionsID}/evaluate',
  role: 'executor',
  summary: 'Evaluates decisions of a file by the id that the file gives itself, in its newest version unless asked, and records it.',
  request: { params: { definitionsID: modelIdentifier }, query: z.strictObject({ version: queryVersion }), body: evaluateStoredRequest },
  responses: { 200: { description: 'Results by decision name.', schema: evaluationResults } },
  problems: [],
  countsAs: 'evaluation',
}).handle(async ({ params, query, body, caller, context }) => {
  if (query.version !== undefined && body.version !== undefined && query.version !== body.version) {
    return problem('BAD_REQUEST', `The query asks for version ${query.version}, the body for version ${body.version}.`);
  }
  const version = query.version ?? body.version;
  const found = await findDefinitionByFile(context.store, params.projectID, params.definitionsID, version);
  return evaluateDefinition(context, found, body, caller.subject);
});
