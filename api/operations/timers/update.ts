import { z } from 'zod';
import { submitCommand } from '../../../store/instances/submit-command.js';
import { acceptedResponse, commandDeadlineSeconds, submitAndAwait } from '../../commands/commands.js';
import { commandRequest } from '../../commands/define-command.js';
import { defineOperation } from '../../commands/define-operation.js';
import { isProblem } from '../../contract/problem.js';
import { givenTimeAhead, reason } from '../../contract/schemas.js';
import { time } from '../../contract/wire.js';
import { wait } from '../instances/shared/wait-schema.js';
import { findTimer } from './shared/find-timer.js';

const requestSchema = z
  .strictObject({ dueAt: givenTimeAhead.describe('At most 366 days ahead; a time in the past is now'), reason })
  .meta({ id: 'UpdateBpmnInstanceTimerRequest' });

export const updateBpmnInstanceTimer = defineOperation({
  operationID: 'UpdateBpmnInstanceTimer',
  method: 'PATCH',
  path: '/projects/{projectID}/bpmn/instances/{workflowID}/timers/{timerID}',
  role: 'editor',
  records: { entry: 'within', says: ({ body }) => ({ details: { dueAt: body.dueAt } }) },
  summary: 'Change when a timer is due',
  description: 'Moves one tick. Later ticks of a cycle are counted from its new due time.',
  request: { body: requestSchema },
  responses: { 200: { description: 'Changed', schema: wait }, 202: acceptedResponse },
  problems: ['CONFLICT', 'INSTANCE_ENDED'],
  waits: 'outcome',
  deadlineSeconds: commandDeadlineSeconds,
}).handle(async (input) => {
  const { params, body, headers, context } = input;
  const due = Math.max(Date.now(), Date.parse(body.dueAt));
  const found = await findTimer(context, params);
  if (isProblem(found)) return found;
  const submitted = await submitCommand(context.store, {
    ...commandRequest(input),
    workflowID: params.workflowID,
    reason: body.reason,
    body: { kind: 'UPDATE_TIMER', timer: found.timer, node: found.node, due },
  });
  const answer = await submitAndAwait(context, submitted, headers.waitMilliseconds);
  if (isProblem(answer) || answer.status !== 200) return answer;
  return { status: 200, body: { ...found.wait, dueAt: time(new Date(due)) } };
});
