/** Comments on user tasks. They are never changed, and go with their instance. */
import { firstRow, rows, type Queryable } from '../../sql/database.js';
import { executionKey } from '../../sql/ids.js';
import type { Page, PageRequest } from '../../sql/page.js';
import { refused, type Refusal } from '../../sql/refusal.js';
import { isDiscussed, isTask, keyValues, noSuchTask, refusedByStatus, type UserTaskKey } from './tasks.js';

/** Per task, not counting those of its earlier registrations. */
const MAX_COMMENTS = 500;

export interface UserTaskComment {
  commentID: string;
  executionKey: string;
  text: string;
  /** Null if it was imported. */
  author: string | null;
  importedAuthor: string | null;
  createdAt: Date;
}

interface CommentRecord extends Omit<UserTaskComment, 'executionKey'> {
  number: number;
}

const columns =
  'id AS "commentID", user_task AS number, text, CASE WHEN NOT imported THEN author END AS author, CASE WHEN imported THEN author END AS "importedAuthor", created_at AS "createdAt"';

function toComment(workflowID: string, { number, ...comment }: CommentRecord): UserTaskComment {
  return { ...comment, executionKey: executionKey(workflowID, number) };
}

/** Adds a comment to an open task. */
export async function addUserTaskComment(
  database: Queryable,
  key: UserTaskKey,
  { author, text }: { author: string; text: string },
): Promise<UserTaskComment | Refusal<'NOT_FOUND' | 'CONFLICT'>> {
  const added = await firstRow<CommentRecord>(
    database,
    `WITH task AS (
       UPDATE user_tasks SET comment_count = comment_count + 1
       WHERE ${isTask} AND ${isDiscussed} AND comment_count < ${MAX_COMMENTS} RETURNING element, comment_count
     )
     INSERT INTO user_task_comments (workflow_id, element, user_task, ordinal, text, author)
     SELECT $2, element, $3, comment_count, $4, $5 FROM task RETURNING ${columns}`,
    [...keyValues(key), text, author],
  );
  return added ? toComment(key.workflowID, added) : explain(database, key);
}

async function explain(database: Queryable, key: UserTaskKey): Promise<Refusal<'NOT_FOUND' | 'CONFLICT'>> {
  const task = await firstRow<{ status: string; open: boolean }>(
    database,
    `SELECT status, ${isDiscussed} AS open FROM user_tasks WHERE ${isTask}`,
    keyValues(key),
  );
  if (!task) return noSuchTask(key);
  if (!task.open) return refusedByStatus(key, task.status);
  return refused(
    'CONFLICT',
    `User task ${key.number} of instance ${key.workflowID} already has ${MAX_COMMENTS} comments`,
  );
}

/** Comments on a task and on the earlier registrations of its activation, oldest first. */
export async function listUserTaskComments(
  database: Queryable,
  key: UserTaskKey,
  { page, pageSize }: PageRequest,
): Promise<Page<UserTaskComment>> {
  const found = `
    FROM user_task_comments WHERE workflow_id = $2 AND user_task <= $3
      AND element = (SELECT element FROM user_tasks WHERE ${isTask})`;
  const data = await rows<CommentRecord>(
    database,
    `SELECT ${columns} ${found} ORDER BY user_task, ordinal LIMIT $4 OFFSET $5`,
    [...keyValues(key), pageSize, (page - 1) * pageSize],
  );
  const [count] = await rows<{ total: number }>(database, `SELECT count(*)::float8 AS total ${found}`, keyValues(key));
  return { data: data.map((comment) => toComment(key.workflowID, comment)), total: count!.total };
}
