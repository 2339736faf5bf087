import { ApiError, unwrap, type Schemas } from '@perdure/client';
import type { Command } from '../../command.js';
import { workflowOf } from '../../execution-key.js';
import type { Host } from '../../host.js';
import { showOutcome, untilApplied } from '../../outcome.js';
import { findInPages } from '../../lists/paging.js';
import { reasonOf, reasonOption } from '../instance/target.js';

export const retryJob: Command = {
  name: 'jobs retry',
  role: 'editor',
  operands: 'JOB',
  summary: 'Retry the activity of a failed job',
  details: 'Resolves the incident that the last attempt left at its node. A new job takes its place.',
  examples: ['perdure jobs retry 9b2f6c1e-4f0a-4a53-8c5e-0d5a3c2b7e11:4'],
  minOperands: 1,
  maxOperands: 1,
  options: reasonOption,
  async run(invocation) {
    const executionKey = invocation.operands[0]!;
    const workflowID = workflowOf(executionKey, 'perdure jobs list --status failed');
    const host = await invocation.host();
    const path = { projectID: host.projectID, workflowID };
    const incidentID = await incidentOf(host, path, executionKey);
    const retried = await unwrap(
      host.client.POST('/projects/{projectID}/bpmn/instances/{workflowID}/incidents/{incidentID}/resolve', {
        params: { path: { ...path, incidentID }, header: untilApplied },
        body: reasonOf(invocation),
      }),
    );
    return showOutcome(invocation.terminal, retried, `The activity of job ${executionKey} runs again`);
  },
};

async function incidentOf(
  { client }: Host,
  path: { projectID: string; workflowID: string },
  executionKey: string,
): Promise<string> {
  const job = await findInPages(
    (query) =>
      unwrap<Schemas['BpmnExternalJobPaginatedResponse']>(
        client.GET('/projects/{projectID}/bpmn/instances/{workflowID}/external-jobs', {
          params: { path, query: { ...query, status: 'FAILED' } },
        }),
      ),
    (one) => one.executionKey === executionKey,
  );
  if (job === undefined)
    throw new ApiError(404, {
      code: 'NOT_FOUND',
      detail: `Instance ${path.workflowID} has no failed job ${executionKey}`,
    });
  const { incidents } = await unwrap<Schemas['BpmnInstanceState']>(
    client.GET('/projects/{projectID}/bpmn/instances/{workflowID}', { params: { path } }),
  );
  const atNode = incidents.filter(({ nodeID }) => nodeID === job.nodeID);
  if (atNode.length === 1) return atNode[0]!.incidentID;
  throw new ApiError(409, {
    detail:
      `Node ${job.nodeID} has ${atNode.length} open incidents. Run perdure incidents list --instance ` +
      `${path.workflowID} and resolve the right one.`,
  });
}
