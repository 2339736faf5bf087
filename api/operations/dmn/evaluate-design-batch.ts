import type { EvaluationResult } from '@perdure/dmn';
import { defineOperation } from '../../commands/define-operation.js';
import { problem } from '../../contract/problem.js';
import { unreadable } from './shared/file.js';
import { batchEvaluateDesignRequest, batchEvaluationResponse } from './shared/schemas.js';
import { inThread } from '@perdure/dmn/threads.js';

export const evaluateDmnDesignBatch = defineOperation({
  operationID: 'EvaluateDesignBatch',
  method: 'POST',
  path: '/dmn/evaluate/design/batch',
  role: 'authenticated',
  summary: 'Evaluate an unsaved DMN file with several inputs',
  description: 'Evaluates all decisions of the file for each input. Nothing is stored.',
  request: { body: batchEvaluateDesignRequest },
  responses: { 200: { description: 'Results in the order of the inputs', schema: batchEvaluationResponse } },
  problems: ['INVALID_MODEL'],
  countsAs: 'evaluation',
}).handle(async ({ body, turns }) => {
  const { xml, inputs, errorMode } = body;
  const work = await inThread(
    { kind: 'evaluate', xml, imported: [], contexts: inputs, wanted: {}, mode: errorMode, now: Date.now() },
    turns,
  );
  if (work.evaluated === undefined) return unreadable(work);
  const results: { inputs: Record<string, unknown>; results: Record<string, EvaluationResult> }[] = [];
  for (const [index, evaluated] of work.evaluated.entries()) {
    if (!evaluated.ok) return problem('BAD_REQUEST', `Input ${index}: ${evaluated.message}`);
    results.push({ inputs: inputs[index] as Record<string, unknown>, results: evaluated.results });
  }
  return { status: 200, body: { results } };
});
