import { z } from 'zod';
import { defineOperation } from '../../operation.js';

export const getHealth = defineOperation({
  operationID: 'GetHealth',
  method: 'GET',
  path: '/health',
  role: 'public',
  summary: 'Whether the process lives. Looks at nothing outside of it: a restart would not mend that.',
  request: {},
  responses: { 200: { description: 'It lives.', schema: z.strictObject({ status: z.literal('live') }).meta({ id: 'Health' }) } },
  problems: [],
}).handle(async () => {
  return { status: 200, body: { status: 'live' } };
});
