import { resumeDefinition } from '../../../store/suspension/definitions.js';
import { defineOperation } from '../../commands/define-operation.js';
import { onlyItsPath } from '../../contract/audit/recording.js';
import { refusalProblem } from '../../commands/refusal.js';
import { uuid } from '../../contract/schemas.js';
import { resumeDefinitionRequest } from './shared/schemas.js';

export const resumeBpmnDefinition = defineOperation({
  operationID: 'ResumeBpmnDefinition',
  method: 'POST',
  path: '/projects/{projectID}/bpmn/definitions/{definitionID}/resume',
  role: 'admin',
  records: { entry: 'within', says: onlyItsPath },
  summary: 'Resume a definition',
  description:
    'New instances can start again. The paused instances resume one after another in the background. Instances that are suspended directly ' +
    'stay suspended and need their own resume. A suspension of starts only ends as well, and a scheduled one is withdrawn. Resuming a definition that is not suspended changes nothing.',
  request: { params: { definitionID: uuid }, body: resumeDefinitionRequest.default({}) },
  responses: { 204: { description: 'Definition suspension removed' } },
  problems: [],
}).handle(async ({ params, body, caller, audit, context }) => {
  const outcome = await resumeDefinition(context.store, {
    ...params,
    actor: caller.subject,
    audit,
    reason: body.reason,
  });
  return outcome.kind === 'refused' ? refusalProblem(outcome) : { status: 204 };
});
