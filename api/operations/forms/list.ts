import { z } from 'zod';
import { listForms } from '../../../store/forms/list-forms.js';
import { pageResponse } from '../../commands/page.js';
import { defineOperation } from '../../commands/define-operation.js';
import { pageQuery } from '../../contract/schemas.js';
import { toListedForm } from './shared/form.js';
import { formPage } from './shared/schemas.js';

export const listBpmnForms = defineOperation({
  operationID: 'ListBpmnForms',
  method: 'GET',
  path: '/projects/{projectID}/bpmn/forms',
  role: 'viewer',
  summary: 'List deployed forms',
  description:
    'The newest version of each form, by id. `usedBy` has the user tasks and start events that name the form in the newest versions of processes, with any binding. Embedded forms, and forms that an expression selects, are not counted.',
  request: { query: z.strictObject(pageQuery) },
  responses: { 200: { description: 'Page of forms', schema: formPage } },
  problems: [],
}).handle(async ({ params, query, context }) => {
  const found = await listForms(context.store, params.projectID, query);
  return { status: 200, body: pageResponse(query, found, toListedForm) };
});
