import { defineOperation } from '../../commands/define-operation.js';
import { problem } from '../../contract/problem.js';
import { unreadable } from './shared/file.js';
import { evaluateDesignRequest, evaluationResults } from './shared/schemas.js';
import { inThread } from '@perdure/dmn/threads.js';

export const evaluateDmnDesign = defineOperation({
  operationID: 'EvaluateDesign',
  method: 'POST',
  path: '/dmn/evaluate/design',
  role: 'authenticated',
  summary: 'Evaluate decisions of an unsaved DMN file',
  description:
    'Imports are resolved among `additionalXMLs` only. A decision with broken logic reports an error; the others are evaluated.',
  request: { body: evaluateDesignRequest },
  responses: { 200: { description: 'Results by decision name', schema: evaluationResults } },
  problems: ['INVALID_MODEL'],
  countsAs: 'evaluation',
}).handle(async ({ body, turns }) => {
  const { xml, additionalXMLs, context, decisions, decisionServices, errorMode } = body;
  const work = await inThread(
    {
      kind: 'evaluate',
      xml,
      imported: additionalXMLs,
      contexts: [context],
      wanted: { decisions, services: decisionServices },
      mode: errorMode,
      now: Date.now(),
    },
    turns,
  );
  const [evaluated] = work.evaluated ?? [];
  if (evaluated === undefined) return unreadable(work);
  return evaluated.ok ? { status: 200, body: evaluated.results } : problem('BAD_REQUEST', evaluated.message);
});
