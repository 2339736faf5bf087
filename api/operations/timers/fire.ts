import { z } from 'zod';
import { submitCommand } from '../../../store/instances/submit-command.js';
import { acceptedResponse, commandDeadlineSeconds, submitAndAwait } from '../../commands/commands.js';
import { commandRequest } from '../../commands/define-command.js';
import { defineOperation } from '../../commands/define-operation.js';
import { onlyItsPath } from '../../contract/audit/recording.js';
import { isProblem } from '../../contract/problem.js';
import { reason } from '../../contract/schemas.js';
import { findTimer } from './shared/find-timer.js';

const requestSchema = z.strictObject({ reason }).meta({ id: 'FireBpmnInstanceTimerRequest' });

export const fireBpmnInstanceTimer = defineOperation({
  operationID: 'FireBpmnInstanceTimer',
  method: 'POST',
  path: '/projects/{projectID}/bpmn/instances/{workflowID}/timers/{timerID}/fire',
  role: 'editor',
  records: { entry: 'within', says: onlyItsPath },
  summary: 'Fire a timer now',
  description:
    'Fires one tick ahead of time. The next tick of a cycle is an interval after the due time of this one; later ticks of a cron expression stay as they are. ' +
    'While the instance is paused, the consequence comes when it is resumed. A timer that has fired is 409, so a repeated request fires nothing twice.',
  request: { body: requestSchema.default({}) },
  responses: { 204: { description: 'Fired' }, 202: acceptedResponse },
  problems: ['CONFLICT', 'INSTANCE_ENDED'],
  waits: 'outcome',
  deadlineSeconds: commandDeadlineSeconds,
}).handle(async (input) => {
  const { params, body, headers, context } = input;
  const found = await findTimer(context, params);
  if (isProblem(found)) return found;
  const submitted = await submitCommand(context.store, {
    ...commandRequest(input),
    workflowID: params.workflowID,
    reason: body.reason,
    body: { kind: 'FIRE_TIMER', timer: found.timer, node: found.node },
  });
  const answer = await submitAndAwait(context, submitted, headers.waitMilliseconds);
  return !isProblem(answer) && answer.status === 200 ? { status: 204 } : answer;
});
