import { findBatch } from '../../../store/batches/batches.js';
import { defineOperation } from '../../commands/define-operation.js';
import { notFound } from '../../contract/problem.js';
import { uuid } from '../../contract/schemas.js';
import { toBatch } from './shared/batch.js';
import { batch } from './shared/schemas.js';

export const getBpmnBatch = defineOperation({
  operationID: 'GetBpmnBatch',
  method: 'GET',
  path: '/projects/{projectID}/bpmn/batches/{batchID}',
  role: 'viewer',
  summary: 'Get the progress of a batch',
  description: 'The counts add up to `total` at every read.',
  request: { params: { batchID: uuid } },
  responses: { 200: { description: 'Batch', schema: batch } },
  problems: [],
}).handle(async ({ params, context }) => {
  const found = await findBatch(context.store, params.projectID, params.batchID);
  return found === undefined
    ? notFound(`no batch ${params.batchID} in project ${params.projectID}`)
    : { status: 200, body: toBatch(found) };
});
