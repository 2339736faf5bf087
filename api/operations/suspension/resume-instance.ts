import { resumeInstance } from '../../../store/suspension.js';
import { defineOperation } from '../../operation.js';
import { refusalProblem } from '../../refusal.js';
import { resumeInstanceRequest } from './schemas.js';

export const resumeBpmnInstance = defineOperation({
  operationID: 'ResumeBpmnInstance',
  method: 'POST',
  path: '/projects/{projectID}/bpmn/instances/{workflowID}/resume',
  role: 'admin',
  summary: 'Lets an instance go on that was suspended by itself.',
  description:
    'What came meanwhile happens now, in the order in which it came. An instance whose definition or caller is suspended stays ' +
    'paused. Resuming what is not suspended changes nothing.',
  request: { body: resumeInstanceRequest.default({}) },
  responses: { 204: { description: 'It is not suspended by itself any more.' } },
  problems: ['INSTANCE_ENDED'],
}).handle(async ({ params, body, caller, context }) => {
  const outcome = await resumeInstance(context.store, { ...params, actor: caller.subject, reason: body.reason });
  return outcome.kind === 'refused' ? refusalProblem(outcome) : { status: 204 };
});
