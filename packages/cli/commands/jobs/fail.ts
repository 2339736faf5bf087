import { unwrap } from '@perdure/client';
import { exitCodes, type Command } from '../../command.js';
import { workflowOf } from '../../execution-key.js';
import { showOutcome, untilApplied } from '../../outcome.js';
import { counted, show } from '../../terminal.js';
import { readObject } from '../../values.js';

export const failJob: Command = {
  name: 'jobs fail',
  role: 'executor',
  operands: 'JOB CODE',
  summary: 'Report the failure of a job instead of its worker',
  details: 'The job is tried again while attempts remain; with --no-retry the error goes to the process at once.',
  examples: [`perdure jobs fail 9b2f6c1e-4f0a-4a53-8c5e-0d5a3c2b7e11:4 CARD_DECLINED --no-retry --message 'expired'`],
  minOperands: 2,
  maxOperands: 2,
  options: {
    message: { type: 'string', value: 'TEXT', help: 'reason of the failure' },
    'no-retry': { type: 'boolean', help: 'throw the BPMN error at once' },
    variables: { type: 'string', value: 'JSON', help: 'JSON object, or @FILE that contains one' },
  },
  async run(invocation) {
    const { operands, option, flag, terminal } = invocation;
    const [executionKey, errorCode] = operands as [string, string];
    workflowOf(executionKey, 'perdure jobs list');
    const [variables, errorMessage] = [await readObject(invocation, 'variables'), option('message')];
    const { client, projectID } = await invocation.host();
    const failed = await unwrap(
      client.POST('/projects/{projectID}/bpmn/external-jobs/{executionKey}/error', {
        params: { path: { projectID, executionKey }, header: untilApplied },
        body: {
          errorCode,
          retryable: !flag('no-retry'),
          ...(errorMessage !== undefined && { errorMessage }),
          ...(variables && { variables }),
        },
      }),
    );
    if (failed.status !== 'REQUEUED') return showOutcome(terminal, failed, `Job ${executionKey} failed`);
    show(terminal, failed, () => [
      `Job ${executionKey} will be tried again: ${counted(failed.retries, 'attempt')} left`,
    ]);
    return exitCodes.done;
  },
};
