import { addUserTaskComment } from '../../../store/work/user-tasks/comments.js';
import { refusalProblem } from '../../commands/refusal.js';
import { defineOperation } from '../../commands/define-operation.js';
import { onlyItsPath } from '../../contract/audit/recording.js';
import { isProblem } from '../../contract/problem.js';
import { toComment } from './shared/comment.js';
import { addCommentRequest, userTaskComment } from './shared/schemas.js';
import { findTaskFor } from './shared/user-task.js';

export const addBpmnUserTaskComment = defineOperation({
  operationID: 'AddBpmnUserTaskComment',
  method: 'POST',
  path: '/projects/{projectID}/bpmn/user-tasks/{executionKey}/comments',
  role: 'viewer',
  records: { entry: 'around', says: onlyItsPath },
  summary: 'Comment on an open user task',
  description:
    'Comments are plain text and never change. A task takes at most 500. ' +
    'Executors can comment on any task, viewers only on tasks that name them.',
  request: { body: addCommentRequest },
  responses: { 201: { description: 'New comment', schema: userTaskComment } },
  problems: ['CONFLICT'],
}).handle(async ({ params, body, caller, context }) => {
  const found = await findTaskFor(context, caller, params);
  if (isProblem(found)) return found;
  const added = await addUserTaskComment(context.store, found.key, { author: caller.subject, text: body.text });
  if ('kind' in added) return refusalProblem(added);
  return { status: 201, body: toComment(added), audit: { details: { commentID: added.commentID } } };
});
