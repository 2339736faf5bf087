import { unwrap, type Schemas } from '@perdure/client';
import { exitCodes, type Command } from '../../command.js';
import { show } from '../../terminal.js';
import { wholeNumber } from '../../values.js';

export const showForm: Command = {
  name: 'forms show',
  role: 'viewer',
  operands: 'FORM_ID',
  summary: 'Show the file of a deployed form',
  examples: ['perdure forms show approval', 'perdure forms show approval --version 2 > approval.form'],
  minOperands: 1,
  maxOperands: 1,
  options: { version: { type: 'string', value: 'NUMBER', help: 'version of the form (default: the newest)' } },
  async run(invocation) {
    const version = wholeNumber(invocation, 'version', 1, 2_147_483_647);
    const { client, projectID } = await invocation.host();
    const params = { path: { projectID, formID: invocation.operands[0]! }, query: { version } };
    const form = await unwrap<Schemas['BpmnForm']>(client.GET('/projects/{projectID}/bpmn/forms/{formID}', { params }));
    show(invocation.terminal, form, () => JSON.stringify(form.schema, null, 2).split('\n'));
    return exitCodes.done;
  },
};
