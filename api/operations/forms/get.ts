import { z } from 'zod';
import { findForm } from '../../../store/forms/forms.js';
import { defineOperation } from '../../commands/define-operation.js';
import { notFound } from '../../contract/problem.js';
import { queryInteger } from '../../contract/schemas.js';
import { toForm } from './shared/form.js';
import { form, formIdentifier } from './shared/schemas.js';

export const getBpmnForm = defineOperation({
  operationID: 'GetBpmnForm',
  method: 'GET',
  path: '/projects/{projectID}/bpmn/forms/{formID}',
  role: 'viewer',
  summary: 'Get a deployed form',
  description: 'The newest version, or the one that `version` names.',
  request: {
    params: { formID: formIdentifier },
    query: z.strictObject({ version: queryInteger({ minimum: 1, maximum: 2_147_483_647 }).optional() }),
  },
  responses: { 200: { description: 'Form', schema: form } },
  problems: [],
}).handle(async ({ params: { projectID, formID }, query, context }) => {
  const found = await findForm(context.store, projectID, formID, query.version);
  return found === undefined
    ? notFound(`no form ${formID} in project ${projectID}, or not in this version`)
    : { status: 200, body: toForm(found) };
});
