import { unwrap, type Schemas } from '@perdure/client';
import { pageCommand } from '../../lists/page-command.js';

type Template = Schemas['ElementTemplate'];

export const listTemplates = pageCommand<Template>({
  name: 'deployments templates',
  role: 'viewer',
  summary: 'List deployed element templates',
  details: 'With --output json, each row has the whole template, as Camunda Modeler reads it.',
  examples: [
    'perdure deployments templates',
    'perdure deployments templates --page-size 200 --output json > templates.json',
  ],
  noun: 'element template',
  read: ({ client, projectID }, query) =>
    unwrap<Schemas['ElementTemplatePaginatedResponse']>(
      client.GET('/projects/{projectID}/bpmn/element-templates', { params: { path: { projectID }, query } }),
    ),
  columns: {
    TEMPLATE: (one) => one.templateID,
    VERSION: (one) => one.version,
    NAME: (one) => one.name,
    'APPLIES TO': ({ appliesTo }) => appliesTo.join(', '),
    DEPLOYED: (one) => one.createdAt,
  },
});
