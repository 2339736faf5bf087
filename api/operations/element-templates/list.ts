import { z } from 'zod';
import { listElementTemplates as readPage } from '../../../store/element-templates/element-templates.js';
import { pageResponse } from '../../commands/page.js';
import { defineOperation } from '../../commands/define-operation.js';
import { pageOf, pageQuery, timestamp, uuid } from '../../contract/schemas.js';
import { optional, time } from '../../contract/wire.js';

const elementTemplate = z
  .strictObject({
    templateID: z.string(),
    version: z.int().optional().describe('Version that the template states'),
    name: z.string(),
    appliesTo: z.array(z.string()),
    deploymentID: uuid,
    createdAt: timestamp.describe('Time of the deployment that contained it'),
    template: z.record(z.string(), z.unknown()).describe('The whole template, as a modeler reads it'),
  })
  .meta({ id: 'ElementTemplate' });

export const listElementTemplates = defineOperation({
  operationID: 'ListElementTemplates',
  method: 'GET',
  path: '/projects/{projectID}/bpmn/element-templates',
  role: 'viewer',
  summary: 'List element templates',
  description:
    'The templates of deployed `.template.json` files, by id, and of one id the highest version first. A deployment replaces all templates with the ids that it contains.',
  request: { query: z.strictObject(pageQuery) },
  responses: {
    200: {
      description: 'Page of element templates',
      schema: pageOf('ElementTemplatePaginatedResponse', elementTemplate),
    },
  },
  problems: [],
}).handle(async ({ params, query, context }) => {
  const found = await readPage(context.store, params.projectID, query);
  return {
    status: 200,
    body: pageResponse(query, found, ({ templateID, version, deploymentID, createdAt, template: text }) => {
      const template = JSON.parse(text) as z.output<typeof elementTemplate>['template'] & {
        name: string;
        appliesTo: string[];
      };
      const { name, appliesTo } = template;
      const head = { templateID, version: optional(version), name, appliesTo };
      return { ...head, deploymentID, createdAt: time(createdAt), template };
    }),
  };
});
