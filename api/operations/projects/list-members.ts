import { z } from 'zod';
import { defineOperation } from '../../commands/define-operation.js';
import { pageResponse } from '../../commands/page.js';
import { pageQuery } from '../../contract/schemas.js';
import { managedByProvider, toMember } from './shared/members.js';
import { membersPage } from './shared/schemas.js';

export const listProjectMembers = defineOperation({
  operationID: 'ListProjectMembers',
  method: 'GET',
  path: '/projects/{projectID}/members',
  role: 'admin',
  summary: 'List project members',
  description:
    'Returns current data of the identity provider. Tokens that were issued earlier can differ until they expire. With several issuers, the list contains the members at the issuers whose memberships the host can read.',
  request: { query: z.strictObject(pageQuery) },
  responses: { 200: { description: 'Page of members, by subject', schema: membersPage } },
  problems: ['MEMBERSHIP_MANAGED_BY_PROVIDER'],
}).handle(async ({ params, query, context }) => {
  const found = await context.memberships.list(params.projectID);
  if (found.kind === 'managed') return managedByProvider(found);
  const from = (query.page - 1) * query.pageSize;
  const page = { data: found.members.slice(from, from + query.pageSize), total: found.members.length };
  return { status: 200, body: pageResponse(query, page, toMember) };
});
