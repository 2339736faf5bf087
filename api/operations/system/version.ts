import { z } from 'zod';
import { defineOperation } from '../../commands/define-operation.js';

export const getVersion = defineOperation({
  operationID: 'GetVersion',
  method: 'GET',
  path: '/version',
  role: 'public',
  summary: 'Get the version of the host',
  request: {},
  responses: {
    200: {
      description: 'Build information',
      schema: z
        .strictObject({ version: z.string(), buildTime: z.string().optional(), commit: z.string().optional() })
        .meta({ id: 'Version' }),
    },
  },
  problems: [],
}).handle(async ({ context }) => {
  return { status: 200, body: context.build };
});
