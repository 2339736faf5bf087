import { unwrap, type Schemas } from '@perdure/client';
import type { Command } from '../../command.js';
import { showOutcome, untilApplied } from '../../outcome.js';
import { exampleInstance, instanceOf, reasonOf, reasonOption } from './target.js';

export const cancel: Command = {
  name: 'cancel',
  role: 'editor',
  operands: 'WORKFLOW_ID',
  summary: 'Cancel an instance and its descendants',
  examples: [`perdure cancel ${exampleInstance} --reason 'ordered twice'`],
  minOperands: 1,
  maxOperands: 1,
  options: reasonOption,
  async run(invocation) {
    const host = await invocation.host();
    const canceled = await unwrap<Schemas['BpmnCommand'] | undefined>(
      host.client.DELETE('/projects/{projectID}/bpmn/instances/{workflowID}', {
        params: { path: instanceOf(host, invocation), query: reasonOf(invocation), header: untilApplied },
      }),
    );
    return showOutcome(invocation.terminal, canceled, `Instance ${invocation.operands[0]} canceled`);
  },
};
