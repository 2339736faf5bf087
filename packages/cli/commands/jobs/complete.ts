import { unwrap } from '@perdure/client';
import type { Command } from '../../command.js';
import { workflowOf } from '../../execution-key.js';
import { showOutcome, untilApplied } from '../../outcome.js';
import { readObject } from '../../values.js';
import { reasonOf, reasonOption } from '../instance/target.js';

export const completeJob: Command = {
  name: 'jobs complete',
  role: 'executor',
  operands: 'JOB',
  summary: 'Complete a job instead of its worker',
  examples: [`perdure jobs complete 9b2f6c1e-4f0a-4a53-8c5e-0d5a3c2b7e11:4 --variables '{"paid": true}'`],
  minOperands: 1,
  maxOperands: 1,
  options: {
    variables: { type: 'string', value: 'JSON', help: 'result: JSON object, or @FILE that contains one' },
    result: {
      type: 'string',
      value: 'JSON',
      help: 'decision about an ad-hoc sub-process: {"activateElements": [{"elementId": "..."}]}',
    },
    ...reasonOption,
  },
  async run(invocation) {
    const executionKey = invocation.operands[0]!;
    const workflowID = workflowOf(executionKey, 'perdure jobs list');
    const variables = await readObject(invocation, 'variables');
    const result = await readObject(invocation, 'result');
    const { client, projectID } = await invocation.host();
    const completed = await unwrap(
      client.POST('/projects/{projectID}/bpmn/external-jobs/{executionKey}/complete', {
        params: { path: { projectID, executionKey }, header: untilApplied },
        body: { workflowID, ...(variables && { variables }), ...(result && { result }), ...reasonOf(invocation) },
      }),
    );
    return showOutcome(invocation.terminal, completed, `Job ${executionKey} completed`);
  },
};
