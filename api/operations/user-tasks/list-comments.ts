import { z } from 'zod';
import { listUserTaskComments } from '../../../store/work/user-tasks/comments.js';
import { pageResponse } from '../../commands/page.js';
import { defineOperation } from '../../commands/define-operation.js';
import { isProblem } from '../../contract/problem.js';
import { pageQuery } from '../../contract/schemas.js';
import { toComment } from './shared/comment.js';
import { userTaskCommentPage } from './shared/schemas.js';
import { findTaskFor } from './shared/user-task.js';

export const listBpmnUserTaskComments = defineOperation({
  operationID: 'ListBpmnUserTaskComments',
  method: 'GET',
  path: '/projects/{projectID}/bpmn/user-tasks/{executionKey}/comments',
  role: 'viewer',
  summary: 'List the comments on a user task',
  description:
    'Oldest first. After a retry, the comments on the earlier tasks of the same activation are listed too. Viewers see only tasks that name them.',
  request: { query: z.strictObject(pageQuery) },
  responses: { 200: { description: 'Page of comments', schema: userTaskCommentPage } },
  problems: [],
}).handle(async ({ params, query, caller, context }) => {
  const found = await findTaskFor(context, caller, params);
  if (isProblem(found)) return found;
  const comments = await listUserTaskComments(context.store, found.key, query);
  return { status: 200, body: pageResponse(query, comments, toComment) };
});
