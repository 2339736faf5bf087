/** The declaration of pausing, resuming, and canceling a batch. */
import type { z } from 'zod';
import { operationOf } from '../../../../store/batches/batches.js';
import type { pauseBatch } from '../../../../store/batches/control.js';
import { refusalProblem } from '../../../commands/refusal.js';
import { defineOperation } from '../../../commands/define-operation.js';
import { onlyItsPath } from '../../../contract/audit/recording.js';
import { notFound } from '../../../contract/problem.js';
import { uuid } from '../../../contract/schemas.js';
import { mayBatch } from './rights.js';
import { controlBatchRequest } from './schemas.js';

interface Control {
  operationID: string;
  verb: 'pause' | 'resume' | 'cancel';
  summary: string;
  description: string;
  done: string;
  change: typeof pauseBatch;
}

export function defineControl({ operationID, verb, summary, description, done, change }: Control) {
  const body: z.ZodDefault<typeof controlBatchRequest> = controlBatchRequest.default({});
  return defineOperation({
    operationID,
    method: 'POST',
    path: `/projects/{projectID}/bpmn/batches/{batchID}/${verb}`,
    role: 'editor',
    records: { entry: 'around', says: onlyItsPath },
    summary,
    description,
    request: { params: { batchID: uuid }, body },
    responses: { 204: { description: done } },
    problems: ['CONFLICT'],
  }).handle(async ({ params, caller, context }) => {
    const operation = await operationOf(context.store, params.projectID, params.batchID);
    if (operation === undefined) return notFound(`no batch ${params.batchID} in project ${params.projectID}`);
    if (!mayBatch(caller, params.projectID, operation)) return notFound(`${operation} batches are for admins`);
    const outcome = await change(context.store, params);
    return outcome.kind === 'refused' ? refusalProblem(outcome) : { status: 204 };
  });
}
