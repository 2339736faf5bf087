import { unwrap, type Schemas } from '@perdure/client';
import { pageCommand } from '../../lists/page-command.js';

type Form = Schemas['BpmnListedForm'];

export const listForms = pageCommand<Form>({
  name: 'forms list',
  role: 'viewer',
  summary: 'List deployed forms with the nodes that show them',
  details: 'The newest version of each form, by id. A node is written as PROCESS/NODE.',
  examples: ['perdure forms list'],
  noun: 'form',
  read: ({ client, projectID }, query) =>
    unwrap<Schemas['BpmnFormPaginatedResponse']>(
      client.GET('/projects/{projectID}/bpmn/forms', { params: { path: { projectID }, query } }),
    ),
  columns: {
    FORM: (one) => one.formID,
    VERSION: (one) => one.version,
    TAG: (one) => one.versionTag,
    DEPLOYED: (one) => one.createdAt,
    'USED BY': ({ usedBy }) => usedBy.map(({ processID, nodeID }) => `${processID}/${nodeID}`).join(', '),
  },
});
