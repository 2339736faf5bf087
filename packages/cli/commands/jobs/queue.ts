import { unwrap, type Schemas } from '@perdure/client';
import { exitCodes, type Command } from '../../command.js';
import { show, table } from '../../terminal.js';

export const countJobs: Command = {
  name: 'jobs queue',
  role: 'viewer',
  operands: '',
  summary: 'Count the pending jobs per task type',
  examples: ['perdure jobs queue'],
  minOperands: 0,
  maxOperands: 0,
  options: {},
  async run({ terminal, host }) {
    const { client, projectID } = await host();
    const queue = await unwrap<Schemas['ExternalJobQueueDepthResponse']>(
      client.GET('/projects/{projectID}/bpmn/external-jobs/queue-depth', { params: { path: { projectID } } }),
    );
    show(terminal, queue, () =>
      queue.items.length === 0
        ? ['No job is pending']
        : table(
            ['TYPE', 'PENDING'],
            queue.items.map(({ taskType, pendingCount }) => [taskType, pendingCount]),
          ),
    );
    return exitCodes.done;
  },
};
