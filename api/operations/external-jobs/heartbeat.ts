import { z } from 'zod';
import { parseExecutionKey } from '../../../store/ids.js';
import { extendLease } from '../../../store/job-queue.js';
import { defineOperation } from '../../operation.js';
import { notFound } from '../../problem.js';
import { timestamp } from '../../schemas.js';
import { time } from '../../wire.js';
import { heartbeatRequest } from './schemas.js';

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
