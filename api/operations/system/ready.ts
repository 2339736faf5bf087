import { z } from 'zod';
import { defineOperation } from '../../operation.js';
import { findAllMissing } from '../../readiness.js';

const missing = z.strictObject({ name: z.string(), message: z.string() });

export const getReadiness = defineOperation({
  operationID: 'GetReadiness',
  method: 'GET',
  path: '/ready',
  role: 'public',
  summary: 'Whether the host can serve: Postgres, Temporal and the keys of the issuers are there.',
  request: {},
  responses: {
    200: { description: 'All is there.', schema: z.strictObject({ status: z.literal('ready') }).meta({ id: 'Ready' }) },
    503: {
      description: 'Something is missing; it is named.',
      schema: z.strictObject({ status: z.literal('not ready'), missing: z.array(missing) }).meta({ id: 'NotReady' }),
    },
  },
  problems: [],
}).handle(async ({ context }) => {
  const absent = await findAllMissing(context.readiness);
  if (absent.length === 0) return { status: 200, body: { status: 'ready' } };
  return { status: 503, body: { status: 'not ready', missing: absent }, headers: { 'Retry-After': '2' } };
});
