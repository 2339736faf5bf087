import { unwrap } from '@perdure/client';
import type { Command } from '../../command.js';
import { showOutcome, untilApplied } from '../../outcome.js';
import { parseObject } from '../../values.js';
import { exampleInstance, instanceOf, reasonOf, reasonOption } from '../instance/target.js';

export const setVariables: Command = {
  name: 'variables set',
  role: 'editor',
  operands: 'WORKFLOW_ID JSON',
  summary: 'Set process variables; null removes one',
  details: 'JSON is an object, or @FILE that contains one. Variables that it does not name do not change.',
  examples: [`perdure variables set ${exampleInstance} '{"total": 120, "note": null}'`],
  minOperands: 2,
  maxOperands: 2,
  options: reasonOption,
  async run(invocation) {
    const variables = await parseObject(invocation.operands[1]!, 'JSON');
    const host = await invocation.host();
    const set = await unwrap(
      host.client.PUT('/projects/{projectID}/bpmn/instances/{workflowID}/variables', {
        params: { path: instanceOf(host, invocation), header: untilApplied },
        body: { variables, ...reasonOf(invocation) },
      }),
    );
    return showOutcome(invocation.terminal, set, `Variables of ${invocation.operands[0]} set`);
  },
};
