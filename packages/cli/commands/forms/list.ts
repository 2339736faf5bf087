import { unwrap, type Schemas } from '@perdure/client';
import { exitCodes, type Command } from '../../command.js';
import { pageOptions, pageQuery, showPage } from '../../lists/paging.js';

type Form = Schemas['BpmnListedForm'];

export const listForms: Command = {
  name: 'forms list',
  role: 'viewer',
  operands: '',
  summary: 'List deployed forms with the nodes that show them',
  details: 'The newest version of each form, by id. A node is written as PROCESS/NODE.',
  examples: ['perdure forms list'],
  minOperands: 0,
  maxOperands: 0,
  options: { ...pageOptions },
  async run(invocation) {
    const query = pageQuery(invocation);
    const { client, projectID } = await invocation.host();
    const answer = await unwrap<Schemas['BpmnFormPaginatedResponse']>(
      client.GET('/projects/{projectID}/bpmn/forms', { params: { path: { projectID }, query } }),
    );
    showPage<Form>(invocation.terminal, answer, 'form', {
      FORM: (one) => one.formID,
      VERSION: (one) => one.version,
      TAG: (one) => one.versionTag,
      DEPLOYED: (one) => one.createdAt,
      'USED BY': ({ usedBy }) => usedBy.map(({ processID, nodeID }) => `${processID}/${nodeID}`).join(', '),
    });
    return exitCodes.done;
  },
};
