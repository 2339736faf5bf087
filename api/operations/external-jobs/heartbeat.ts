import { z } from 'zod';
import { parseExecutionKey } from '../../../store/sql/ids.js';
import { extendLease } from '../../../store/work/job-queue.js';
import { defineOperation } from '../../commands/define-operation.js';
import { notFound } from '../../contract/problem.js';
import { timestamp } from '../../contract/schemas.js';
import { time } from '../../contract/wire.js';
import { heartbeatRequest } from './shared/schemas.js';

export const heartbeatBpmnExternalJob = defineOperation({
  operationID: 'HeartbeatBpmnExternalJob',
  method: 'POST',
  path: '/projects/{projectID}/bpmn/external-jobs/{executionKey}/heartbeat',
  role: 'executor',
  summary: 'Extend the lease on a job',
  description:
    'The lease then lasts `lockDuration` from now. Only the holder of the lease can extend it; every other client gets 404.',
  request: { body: heartbeatRequest },
  responses: { 200: { description: 'New expiry', schema: z.strictObject({ lockExpiresAt: timestamp }) } },
  problems: [],
}).handle(async ({ params, body, context }) => {
  const job = parseExecutionKey(params.executionKey);
  if (job === undefined) return notFound('the execution key names no job');
  const lease = {
    projectID: params.projectID,
    ...job,
    clientID: body.clientID,
    leaseToken: body.leaseToken,
    lockDurationMilliseconds: body.lockDuration,
  };
  const lockExpiresAt = await extendLease(context.store, lease);
  if (lockExpiresAt === undefined) return notFound(`the client holds no lease on job ${params.executionKey}`);
  return { status: 200, body: { lockExpiresAt: time(lockExpiresAt) } };
});
