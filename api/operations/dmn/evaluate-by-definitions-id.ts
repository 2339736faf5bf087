import { z } from 'zod';
import { findDefinitionByFile } from '../../../store/decisions/decisions.js';
import { defineOperation } from '../../commands/define-operation.js';
import { problem } from '../../contract/problem.js';
import { modelIdentifier } from '../../contract/schemas.js';
import { evaluateDefinition } from './shared/evaluate-definition.js';
import { evaluateStoredRequest, evaluationResults, queryVersion } from './shared/schemas.js';

export const evaluateDmnByDefinitionsID = defineOperation({
  operationID: 'EvaluateByDefinitionsID',
  method: 'POST',
  path: '/projects/{projectID}/dmn/definitions/by-definitions-id/{definitionsID}/evaluate',
  role: 'executor',
  summary: 'Evaluate decisions of a DMN file by its own id',
  description:
    'Evaluates the newest version, or `version`, of the file whose `definitions` element has this id, and records the evaluation.',
  request: {
    params: { definitionsID: modelIdentifier },
    query: z.strictObject({ version: queryVersion }),
    body: evaluateStoredRequest,
  },
  responses: { 200: { description: 'Results by decision name', schema: evaluationResults } },
  problems: [],
  countsAs: 'evaluation',
}).handle(async ({ params, query, body, caller, context, turns }) => {
  if (query.version !== undefined && body.version !== undefined && query.version !== body.version) {
    return problem(
      'BAD_REQUEST',
      `The query names version ${query.version}, but the body names version ${body.version}`,
    );
  }
  const version = query.version ?? body.version;
  const found = await findDefinitionByFile(context.store, params.projectID, params.definitionsID, version);
  return evaluateDefinition(context, found, body, { executedBy: caller.subject, turns });
});
