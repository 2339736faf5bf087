import { z } from 'zod';
import { defineOperation } from '../../operation.js';
import { pageAnswer } from '../../page.js';
import { pageQuery } from '../../schemas.js';
import { managedByProvider, toMember } from './members.js';
import { membersPage } from './schemas.js';

export const listProjectMembers = defineOperation({
  operationID: 'ListProjectMembers',
  method: 'GET',
  path: '/projects/{projectID}/members',
  role: 'admin',
  summary: 'Who has a role in a project, as the identity provider knows it now.',
  description: 'Tokens that were given out earlier may say something else until they expire. With several issuers it shows the members at those whose memberships the host may read.',
  request: { query: z.strictObject(pageQuery) },
  responses: { 200: { description: 'One page of members, by subject.', schema: membersPage } },
  problems: ['MEMBERSHIP_MANAGED_BY_PROVIDER'],
}).handle(async ({ params, query, context }) => {
  const found = await context.memberships.list(params.projectID);
  if (found.kind === 'managed') return managedByProvider(found);
  const from = (query.page - 1) * query.pageSize;
  const page = { data: found.members.slice(from, from + query.pageSize), total: found.members.length };
  return { status: 200, body: pageAnswer(query, page, toMember) };
});
