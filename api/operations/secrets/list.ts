import { z } from 'zod';
import { pageResponse } from '../../commands/page.js';
import { defineOperation } from '../../commands/define-operation.js';
import { pageOf, pageQuery } from '../../contract/schemas.js';

const secret = z
  .strictObject({
    name: z.string(),
    /** The only hosts that it can be sent to. */
    hosts: z.array(z.string()),
  })
  .meta({ id: 'Secret' });

export const listSecrets = defineOperation({
  operationID: 'ListSecrets',
  method: 'GET',
  path: '/projects/{projectID}/secrets',
  role: 'editor',
  summary: 'List the names of secrets',
  description: 'Secrets are part of the configuration of the host. No operation returns or changes their values.',
  request: { query: z.strictObject(pageQuery) },
  responses: { 200: { description: 'Page of secrets, by name', schema: pageOf('SecretsPaginatedResponse', secret) } },
  problems: [],
}).handle(async ({ params, query, context }) => {
  const all = await context.secrets.list(params.projectID);
  const first = (query.page - 1) * query.pageSize;
  const page = { data: all.slice(first, first + query.pageSize), total: all.length };
  return { status: 200, body: pageResponse(query, page, ({ name, hosts }) => ({ name, hosts: [...hosts] })) };
});
