import { parseExecutionKey } from '../../store/sql/ids.js';
import { endLease } from '../../store/work/job-queue.js';
import type { Operation } from '../commands/operation.js';
import { notFound } from '../contract/problem.js';
import { heartbeatBpmnExternalJob } from '../operations/external-jobs/heartbeat.js';
import { pathOf, type Endpoint } from './translated.js';

/**
 * The only endpoint that the API has no operation for: a lease ends before its time, for any worker, because the protocol
 * names none. Like the extension of a lease, it leaves no entry in the audit log.
 */
const operation: Operation = {
  ...heartbeatBpmnExternalJob,
  operationID: 'UnlockExternalTask',
  path: pathOf('/external-task/{executionKey}/unlock'),
  summary: 'Unlock a task',
  description: undefined,
  request: { ...heartbeatBpmnExternalJob.request, body: undefined },
  responses: { 204: { description: 'The task is available' } },
  async handle({ params, context }) {
    const { projectID, executionKey } = params as { projectID: string; executionKey: string };
    const job = parseExecutionKey(executionKey);
    const isThere = job !== undefined && (await endLease(context.store, { projectID, ...job }));
    return isThere ? { status: 204 } : notFound(`no pending job ${executionKey}`);
  },
};

export const unlock: Endpoint = { operation, answer: (found) => found };
