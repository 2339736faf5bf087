import { recordedBeforehand } from '../../audit/recording.js';
import { defineOperation } from '../../commands/define-operation.js';
import { onlyItsPath } from '../../contract/audit/recording.js';
import { notFound } from '../../contract/problem.js';
import { reasonQuery } from '../../contract/schemas.js';
import { lastAdmin, managedByProvider } from './shared/members.js';
import { subject } from './shared/schemas.js';

export const deleteProjectMember = defineOperation({
  operationID: 'DeleteProjectMember',
  method: 'DELETE',
  path: '/projects/{projectID}/members/{subject}',
  role: 'admin',
  records: { entry: 'within', says: onlyItsPath },
  summary: 'Remove a project member',
  description:
    'Ends the membership at the identity provider. Tokens that were issued earlier keep their rights until they expire. The last admin cannot be removed: 409.',
  request: { params: { subject }, query: reasonQuery },
  responses: { 204: { description: 'Membership removed' } },
  problems: ['CONFLICT', 'MEMBERSHIP_MANAGED_BY_PROVIDER'],
}).handle((input) =>
  recordedBeforehand(input, async () => {
    const { params, caller, context, log } = input;
    const { projectID } = params;
    const removed = await context.memberships.remove(projectID, params.subject);
    switch (removed.kind) {
      case 'managed':
        return managedByProvider(removed);
      case 'missing':
        return notFound('no member has this subject');
      case 'last-admin':
        return lastAdmin();
      case 'removed':
        log.info({ event: 'member-removed', projectID, member: params.subject, subject: caller.subject });
        return { status: 204, audit: { details: { role: { from: removed.formerRole, to: null } } } };
    }
  }),
);
