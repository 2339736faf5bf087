import { recordedBeforehand } from '../../audit/recording.js';
import { defineOperation } from '../../commands/define-operation.js';
import { notFound } from '../../contract/problem.js';
import { lastAdmin, managedByProvider, toMember } from './shared/members.js';
import { changeMemberRequest, member, subject } from './shared/schemas.js';

export const putProjectMember = defineOperation({
  operationID: 'PutProjectMember',
  method: 'PUT',
  path: '/projects/{projectID}/members/{subject}',
  role: 'admin',
  records: { entry: 'within', says: ({ body }) => ({ details: { role: { to: body.role } } }) },
  summary: 'Set the role of a project member',
  description:
    'Replaces the role that the person has in the project. The role is written to the identity provider and applies to tokens issued from then on. The last admin cannot be demoted: 409.',
  request: { params: { subject }, body: changeMemberRequest },
  responses: { 200: { description: 'Member', schema: member } },
  problems: ['CONFLICT', 'MEMBERSHIP_MANAGED_BY_PROVIDER'],
}).handle((input) =>
  recordedBeforehand(input, async () => {
    const { params, body, caller, context, log } = input;
    const { projectID } = params;
    const changed = await context.memberships.setRole(projectID, params.subject, body.role);
    switch (changed.kind) {
      case 'managed':
        return managedByProvider(changed);
      case 'missing':
        return notFound('the identity provider has no account with this subject');
      case 'last-admin':
        return lastAdmin();
      case 'changed':
        log.info({
          event: 'member-changed',
          projectID,
          member: params.subject,
          role: body.role,
          subject: caller.subject,
        });
        return {
          status: 200,
          body: toMember(changed.member),
          audit: { details: { role: { from: changed.formerRole ?? null, to: body.role } } },
        };
    }
  }),
);
