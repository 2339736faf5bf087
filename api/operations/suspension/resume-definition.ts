import { resumeDefinition } from '../../../store/suspension.js';
import { defineOperation } from '../../operation.js';
import { refusalProblem } from '../../refusal.js';
import { uuid } from '../../schemas.js';
import { resumeDefinitionRequest } from './schemas.js';

export const resumeBpmnDefinition = defineOperation({
  operationID: 'ResumeBpmnDefinition',
  method: 'POST',
  path: '/projects/{projectID}/bpmn/definitions/{definitionID}/resume',
  role: 'admin',
  summary: 'Lets the instances of a version of a process go on and new ones start.',
  description:
    'Instances that are suspended by themselves stay so and need their own resume. Those that were held go on one after the ' +
    'other in the background. Resuming what is not suspended changes nothing.',
  request: { params: { definitionID: uuid }, body: resumeDefinitionRequest.default({}) },
  responses: { 204: { description: 'It is not suspended any more.' } },
  problems: [],
}).handle(async ({ params, body, caller, context }) => {
  const outcome = await resumeDefinition(context.store, { ...params, actor: caller.subject, reason: body.reason });
  return outcome.kind === 'refused' ? refusalProblem(outcome) : { status: 204 };
});
