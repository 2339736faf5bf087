import { writeEntry } from '../../../store/audit/entries.js';
import type { z } from 'zod';
import {
  createBatch,
  MAX_TARGETS,
  previewTargets,
  type BatchRequest,
  type Targets,
} from '../../../store/batches/create.js';
import { instanceConditions } from '../../../store/instances/filters.js';
import type { Queryable } from '../../../store/sql/database.js';
import { incidentConditions } from '../../../store/work/incidents/filters.js';
import { withIdempotencyKey, type Attempt } from '../../commands/with-idempotency-key.js';
import { defineOperation } from '../../commands/define-operation.js';
import { variableNames } from '../../contract/audit/recording.js';
import { notFound, type Problem } from '../../contract/problem.js';
import { createBatchRequest } from './shared/request.js';
import { mayBatch } from './shared/rights.js';
import { acceptedBatch, previewedBatch } from './shared/schemas.js';
import { tooMany } from './shared/too-many.js';

type Given = z.output<typeof createBatchRequest>;

export const createBpmnBatch = defineOperation({
  operationID: 'CreateBpmnBatch',
  method: 'POST',
  path: '/projects/{projectID}/bpmn/batches',
  role: 'editor',
  records: {
    entry: 'within',
    says: ({ body }) => ({
      ...variableNames({ body }),
      details: { operation: body.operation, itemsPerSecond: body.itemsPerSecond },
    }),
  },
  summary: 'Create a batch operation',
  description: `Performs one operation on many instances or incidents. The targets are chosen now, oldest first, at most ${MAX_TARGETS}; those that match later are not included. Each item runs as the caller, with the current roles of the caller. \`RESOLVE\` takes \`incidentFilter\` or \`incidentIDs\`, all others \`filter\` or \`workflowIDs\`. \`SUSPEND\`, \`RESUME\`, \`MODIFY\`, and \`DELETE\` need the role admin. \`DELETE\` erases ended instances with their descendants and refuses called ones, so filter by \`root\`. \`FIRE_TIMERS\` fires all open timers of \`nodeID\`; an instance that has none is skipped. 200: with \`dryRun\`, the number of targets and the first of them.`,
  request: { body: createBatchRequest },
  responses: {
    202: { description: 'Batch accepted', schema: acceptedBatch },
    200: { description: 'Targets that the batch would have', schema: previewedBatch },
  },
  problems: [],
  accepts: ['Idempotency-Key'],
  deadlineSeconds: 120,
}).handle(async ({ params: { projectID }, body, caller, headers, audit, context }) => {
  if (!mayBatch(caller, projectID, body.operation)) return notFound(`${body.operation} batches are for admins`);
  const targets = targetsOf(projectID, body);
  if (body.dryRun) {
    const { total, first } = await previewTargets(context.store, projectID, targets);
    if (total > MAX_TARGETS) return tooMany(total);
    return { status: 200, body: { total, [targets.kind === 'incidents' ? 'incidentIDs' : 'workflowIDs']: first } };
  }
  const request = requestOf(projectID, body, targets, caller.subject);
  const accept = async (database: Queryable): Promise<Attempt<undefined, Problem<'BAD_REQUEST'>>> => {
    const accepted = await createBatch(database, request);
    if (accepted.kind === 'tooMany') return { kind: 'nothing', refused: tooMany(accepted.total) };
    const { batchID, total } = accepted;
    if (audit) await writeEntry(database, projectID, { ...audit, batchID, details: { ...audit.details, total } });
    return { kind: 'done', effect: undefined, answer: { status: 202, body: { batchID, total } } };
  };
  // The batch and its audit entry are two statements, so a request without a key needs a transaction too.
  const result = headers.idempotency
    ? await withIdempotencyKey(context, headers.idempotency, accept)
    : await context.store.transaction(accept);
  if (result.kind === 'nothing') return result.refused;
  return { status: 202, body: result.answer.body as z.output<typeof acceptedBatch> };
});

function targetsOf(projectID: string, given: Given): Targets {
  const { filter, workflowIDs, incidentFilter, incidentIDs } = given;
  if (workflowIDs) return { kind: 'instances', workflowIDs };
  if (incidentIDs) return { kind: 'incidents', incidentIDs };
  if (filter) return { kind: 'instances', matching: instanceConditions(projectID, filter) };
  return { kind: 'incidents', matching: incidentConditions(projectID, { ...incidentFilter, status: 'open' }) };
}

function requestOf(projectID: string, given: Given, targets: Targets, createdBy: string): BatchRequest {
  const { operation, filter, incidentFilter, variables, instructions, migration, nodeID, reason, itemsPerSecond } =
    given;
  return {
    projectID,
    operation,
    targets,
    filter: filter ?? incidentFilter,
    input: { variables, instructions: instructions as BatchRequest['input']['instructions'], migration, nodeID },
    reason,
    createdBy,
    itemsPerSecond,
  };
}
