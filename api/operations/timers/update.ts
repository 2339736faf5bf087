import { z } from 'zod';
import { submitCommand } from '../../../store/instances/submit-command.js';
import { acceptedResponse, commandDeadlineSeconds, submitAndAwait } from '../../commands/commands.js';
import { commandRequest } from '../../commands/define-command.js';
import { defineOperation } from '../../commands/define-operation.js';
import { isProblem, problem } from '../../contract/problem.js';
import { reason, timestamp } from '../../contract/schemas.js';
import { wait } from '../instances/shared/wait-schema.js';
import { findTimer } from './shared/find-timer.js';

const MAX_DAYS_AHEAD = 366;

const requestSchema = z
  .strictObject({
    dueAt: timestamp.describe(`At most ${MAX_DAYS_AHEAD} days ahead; a time in the past is now`),
    reason,
  })
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
  problems: ['CONFLICT', 'INSTANCE_ENDED', 'BAD_REQUEST'],
  waits: 'outcome',
  deadlineSeconds: commandDeadlineSeconds,
}).handle(async (input) => {
  const { params, body, headers, context } = input;
  const now = Date.now();
  const due = Math.max(now, Date.parse(body.dueAt));
  if (due > now + MAX_DAYS_AHEAD * 86_400_000)
    return problem('BAD_REQUEST', `dueAt: must be at most ${MAX_DAYS_AHEAD} days ahead, but is ${body.dueAt}`);
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
  return { status: 200, body: { ...found.wait, dueAt: new Date(due).toISOString() } };
});
