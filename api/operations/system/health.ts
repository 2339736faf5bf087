import { z } from 'zod';
import { defineOperation } from '../../commands/define-operation.js';

export const getHealth = defineOperation({
  operationID: 'GetHealth',
  method: 'GET',
  path: '/health',
  role: 'public',
  summary: 'Check liveness',
  description: 'Checks nothing outside the process: a restart would not repair a dependency.',
  request: {},
  responses: {
    200: {
      description: 'Process is alive',
      schema: z.strictObject({ status: z.literal('live') }).meta({ id: 'Health' }),
    },
  },
  problems: [],
}).handle(async () => {
  return { status: 200, body: { status: 'live' } };
});
