import { printable } from '@perdure/lib/trust/printable.js';
import { unwrap } from '@perdure/client';
import { exitCodes, type Command } from '../../command.js';
import { show } from '../../terminal.js';
import { exampleInstance, instanceOf } from '../instance/target.js';

export const getVariables: Command = {
  name: 'variables get',
  role: 'viewer',
  operands: 'WORKFLOW_ID [NAME...]',
  summary: 'Print the process variables of an instance',
  examples: [`perdure variables get ${exampleInstance}`, `perdure variables get ${exampleInstance} total`],
  minOperands: 1,
  maxOperands: Infinity,
  options: {},
  async run(invocation) {
    const host = await invocation.host();
    const { variables } = await unwrap(
      host.client.GET('/projects/{projectID}/bpmn/instances/{workflowID}/variables', {
        params: { path: instanceOf(host, invocation) },
      }),
    );
    const names = invocation.operands.slice(1);
    const wanted = Object.entries(variables).filter(([name]) => names.length === 0 || names.includes(name));
    show(invocation.terminal, Object.fromEntries(wanted), () =>
      wanted.map(([name, value]) => printable(`${name} = ${JSON.stringify(value)}`)),
    );
    const missing = names.filter((name) => !Object.hasOwn(variables, name));
    for (const name of missing) invocation.terminal.complain(`The instance has no variable ${JSON.stringify(name)}`);
    return missing.length === 0 ? exitCodes.done : exitCodes.refused;
  },
};
