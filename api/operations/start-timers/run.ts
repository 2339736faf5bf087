import { randomUUID } from 'node:crypto';
import { z } from 'zod';
import { startInstance, type StartRefusal } from '../../../store/instances/start.js';
import { triggerToRun } from '../../../store/messages/start-timers-by-hand.js';
import type { Refusal } from '../../../store/sql/refusal.js';
import { defineOperation } from '../../commands/define-operation.js';
import { refusalProblem } from '../../commands/refusal.js';
import { onlyItsPath } from '../../contract/audit/recording.js';
import { reason, uuid } from '../../contract/schemas.js';

const requestSchema = z.strictObject({ reason }).meta({ id: 'RunBpmnStartTimerRequest' });

export const runBpmnStartTimer = defineOperation({
  operationID: 'RunBpmnStartTimer',
  method: 'POST',
  path: '/projects/{projectID}/bpmn/definitions/{definitionID}/start-timers/{nodeID}/run',
  role: 'editor',
  records: { entry: 'within', says: onlyItsPath },
  summary: 'Start an instance at a start timer now',
  description:
    'Starts one instance in the name of the caller, as a tick would. It counts for no repetition, and the ticks stay as they are. With a limit of its process, it may wait for a place. 409 if the definition is not the newest version of its process, or if the queue is full.',
  request: { params: { definitionID: uuid }, body: requestSchema.default({}) },
  responses: { 204: { description: 'Started' } },
  problems: ['CONFLICT', 'DEFINITION_SUSPENDED', 'LIMIT_REACHED'],
}).handle(async ({ params: { projectID, definitionID, nodeID }, caller, audit, traceContext, context }) => {
  const event = { projectID, definitionID, node: nodeID };
  const outcome = await context.store.transaction(async (transaction) => {
    const found = await triggerToRun(transaction, event);
    if (found.kind === 'refused') return found;
    return startInstance(transaction, {
      projectID,
      definitionID,
      workflowID: randomUUID(),
      variables: {},
      startedBy: caller.subject,
      startNode: nodeID,
      startTrigger: found.trigger,
      audit,
      traceContext,
    });
  });
  if (outcome.kind === 'refused')
    // The start has no business id that could be taken.
    return refusalProblem(outcome as Refusal<Exclude<StartRefusal['code'], 'BUSINESS_ID_TAKEN'>>);
  if (!outcome.queued) await context.instances.start(outcome.instance);
  return { status: 204 };
});
