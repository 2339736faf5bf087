import { resumeInstance } from '../../../store/suspension/suspension.js';
import { defineOperation } from '../../commands/define-operation.js';
import { onlyItsPath } from '../../contract/audit/recording.js';
import { refusalProblem } from '../../commands/refusal.js';
import { resumeInstanceRequest } from './shared/schemas.js';

export const resumeBpmnInstance = defineOperation({
  operationID: 'ResumeBpmnInstance',
  method: 'POST',
  path: '/projects/{projectID}/bpmn/instances/{workflowID}/resume',
  role: 'admin',
  records: { entry: 'within', says: onlyItsPath },
  summary: 'Resume an instance',
  description:
    "Removes the instance's own suspension. Deferred events are applied in order of arrival. The instance stays paused while its definition or an ancestor " +
    'is suspended. Resuming an instance that is not suspended changes nothing.',
  request: { body: resumeInstanceRequest.default({}) },
  responses: { 204: { description: 'Instance suspension removed' } },
  problems: ['INSTANCE_ENDED'],
}).handle(async ({ params, body, caller, audit, context }) => {
  const outcome = await resumeInstance(context.store, { ...params, actor: caller.subject, audit, reason: body.reason });
  return outcome.kind === 'refused' ? refusalProblem(outcome) : { status: 204 };
});
