import { z } from 'zod';
import { planStartTimer, tickAfter } from '@perdure/engine/time/start-timer.js';
import { skipStartTimer, type TickingTimer } from '../../../store/messages/start-timers-by-hand.js';
import { defineOperation } from '../../commands/define-operation.js';
import { refusalProblem } from '../../commands/refusal.js';
import { reason, uuid } from '../../contract/schemas.js';
import { onlyItsPath } from '../../contract/audit/recording.js';
import { time } from '../../contract/wire.js';

const requestSchema = z.strictObject({ reason }).meta({ id: 'SkipBpmnStartTimerRequest' });

export const skipBpmnStartTimer = defineOperation({
  operationID: 'SkipBpmnStartTimer',
  method: 'POST',
  path: '/projects/{projectID}/bpmn/definitions/{definitionID}/start-timers/{nodeID}/skip',
  role: 'editor',
  records: { entry: 'around', says: onlyItsPath },
  summary: 'Skip the next tick of a start timer',
  description:
    'The next tick starts no instance; repeating the request skips the one after it. Of several timers at the start event, the earliest tick is meant. 409 if no tick is left, or if the definition is not the newest version of its process.',
  request: { params: { definitionID: uuid }, body: requestSchema.default({}) },
  responses: { 204: { description: 'Skipped' } },
  problems: ['CONFLICT'],
}).handle(async ({ params: { projectID, definitionID, nodeID }, context }) => {
  const event = { projectID, definitionID, node: nodeID };
  const outcome = await context.store.transaction((transaction) => skipStartTimer(transaction, event, tickOf));
  if (outcome.kind === 'refused') return refusalProblem(outcome);
  return { status: 204, audit: { details: { tick: time(outcome.tick) } } };
});

function tickOf({ type, timer, deployedAt }: TickingTimer, instant: number): number | undefined {
  const planned = planStartTimer(type, timer, deployedAt.getTime());
  return planned.ok ? tickAfter(planned.plan, instant) : undefined;
}
