import { z } from 'zod';
import { defineOperation } from '../../commands/define-operation.js';
import { findMissingForCallers } from '../../http/readiness.js';

const missing = z.strictObject({ name: z.string(), message: z.string() });

export const getReadiness = defineOperation({
  operationID: 'GetReadiness',
  method: 'GET',
  path: '/ready',
  role: 'public',
  summary: 'Check readiness',
  description: 'Checks Postgres, Temporal, and the signing keys of the issuers, at most once per second.',
  request: {},
  responses: {
    200: { description: 'Ready', schema: z.strictObject({ status: z.literal('ready') }).meta({ id: 'Ready' }) },
    503: {
      description: 'Not ready; names the missing dependencies',
      schema: z.strictObject({ status: z.literal('not ready'), missing: z.array(missing) }).meta({ id: 'NotReady' }),
    },
  },
  problems: [],
}).handle(async ({ context }) => {
  const absent = await findMissingForCallers(context.readiness);
  if (absent.length === 0) return { status: 200, body: { status: 'ready' } };
  return { status: 503, body: { status: 'not ready', missing: absent }, headers: { 'Retry-After': '2' } };
});
