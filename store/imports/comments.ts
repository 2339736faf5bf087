/** Comments that come with an imported user task. Their authors are people of another system. */
import type { Transaction } from '../sql/database.js';

export interface ImportedComment {
  /** Of the user task. */
  number: number;
  text: string;
  author: string;
  createdAt: string;
}

export async function addImportedComments(
  transaction: Transaction,
  workflowID: string,
  comments: readonly ImportedComment[],
): Promise<void> {
  if (comments.length === 0) return;
  await transaction.query(
    `WITH given AS (
       SELECT t.element, g.number, row_number() OVER (PARTITION BY g.number ORDER BY g.nth) AS ordinal, g.text, g.author, g.created_at
       FROM unnest($2::integer[], $3::text[], $4::text[], $5::timestamptz[]) WITH ORDINALITY AS g(number, text, author, created_at, nth)
         JOIN user_tasks t ON t.workflow_id = $1 AND t.number = g.number
     ), counted AS (
       UPDATE user_tasks t SET comment_count = c.comments FROM (SELECT number, count(*) AS comments FROM given GROUP BY number) c
       WHERE t.workflow_id = $1 AND t.number = c.number
     )
     INSERT INTO user_task_comments (workflow_id, element, user_task, ordinal, text, author, created_at, imported)
     SELECT $1, element, number, ordinal, text, author, created_at, true FROM given`,
    [
      workflowID,
      comments.map(({ number }) => number),
      comments.map(({ text }) => text),
      comments.map(({ author }) => author),
      comments.map(({ createdAt }) => createdAt),
    ],
  );
}
