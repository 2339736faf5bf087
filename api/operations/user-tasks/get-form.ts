import { findTaskForm } from '../../../store/forms/task-form.js';
import { defineOperation } from '../../commands/define-operation.js';
import { isProblem } from '../../contract/problem.js';
import { toForm } from '../forms/shared/form.js';
import { form } from '../forms/shared/schemas.js';
import { findTaskFor } from './shared/user-task.js';

export const getBpmnUserTaskForm = defineOperation({
  operationID: 'GetBpmnUserTaskForm',
  method: 'GET',
  path: '/projects/{projectID}/bpmn/user-tasks/{executionKey}/form',
  role: 'viewer',
  summary: 'Get the form of a user task',
  description:
    'The form in the version that was fixed when the task was created, with the variables of the task. If no version existed then, the first one that is found later is fixed. 204 if none exists. Viewers see only forms of tasks that name them.',
  request: {},
  responses: { 200: { description: 'Form', schema: form }, 204: { description: 'No form' } },
  problems: [],
}).handle(async ({ params, caller, context }) => {
  const found = await findTaskFor(context, caller, params);
  if (isProblem(found)) return found;
  const shown = await findTaskForm(context.store, found.key);
  if (shown === undefined) return { status: 204 };
  return { status: 200, body: { ...toForm(shown), variables: found.task.variables } };
});
