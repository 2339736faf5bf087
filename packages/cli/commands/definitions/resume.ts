import { unwrap } from '@perdure/client';
import type { Command } from '../../command.js';
import { definitionOf } from '../../host.js';
import { showOutcome } from '../../outcome.js';
import { wholeNumber } from '../../values.js';
import { reasonOf, reasonOption } from '../instance/target.js';

export const resumeDefinition: Command = {
  name: 'definitions resume',
  role: 'admin',
  operands: 'PROCESS',
  summary: 'Resume a version of a process and its instances',
  details: 'PROCESS is the id of a process, or a definitionID.',
  examples: ['perdure definitions resume order --version 3'],
  least: 1,
  most: 1,
  options: {
    version: { type: 'string', value: 'NUMBER', help: 'version of the process (default: the newest)' },
    ...reasonOption,
  },
  async run(invocation) {
    const version = wholeNumber(invocation, 'version', 1, 999_999_999);
    const host = await invocation.host();
    const definitionID = await definitionOf(host, invocation.operands[0]!, version);
    await unwrap<unknown>(
      host.client.POST('/projects/{projectID}/bpmn/definitions/{definitionID}/resume', {
        params: { path: { projectID: host.projectID, definitionID } },
        body: reasonOf(invocation),
      }),
    );
    return showOutcome(invocation.terminal, undefined, `Definition ${definitionID} resumed`);
  },
};
