import { unwrap, type Schemas } from '@perdure/client';
import { exitCodes, type Command } from '../../command.js';
import { pageOptions, pageQuery, showPage } from '../../lists/paging.js';

export const listWorkers: Command = {
  name: 'jobs workers',
  role: 'viewer',
  operands: '',
  summary: 'List the job workers that polled in the last minute',
  examples: ['perdure jobs workers'],
  minOperands: 0,
  maxOperands: 0,
  options: pageOptions,
  async run(invocation) {
    const { client, projectID } = await invocation.host();
    const answer = await unwrap<Schemas['ExternalJobWorkersPaginatedResponse']>(
      client.GET('/projects/{projectID}/bpmn/external-jobs/workers', {
        params: { path: { projectID }, query: pageQuery(invocation) },
      }),
    );
    showPage<Schemas['ExternalJobWorker']>(invocation.terminal, answer, 'job worker', {
      TYPE: (worker) => worker.taskType,
      CLIENT: (worker) => worker.clientID,
      'LAST SEEN': (worker) => worker.lastSeenAt,
    });
    return exitCodes.done;
  },
};
