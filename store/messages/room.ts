/** Room for the messages of a step. A step that is committed loses none: what no subscription takes is kept. */
import type { StepCommit } from '@perdure/engine/contract/step-commit.js';
import type { StepChanges } from '../steps/project.js';
import { firstRow, rows, type Queryable } from '../sql/database.js';
import { channelOf, publicationKeys } from './correlation.js';
import { MAX_KEPT_MESSAGES } from './messages.js';

/** Messages with the same keys, which the same subscriptions take. */
interface Alike {
  channel: string;
  keys: string[];
  count: number;
}

/**
 * Why the project has no room for the messages that a step publishes; undefined if it has, or if the step is not the next
 * one of its instance. Subscriptions that wait for a message take it without room.
 * @param limit for tests
 */
export async function reasonNotToKeep(
  database: Queryable,
  { workflowID, number }: StepCommit,
  { published }: Pick<StepChanges, 'published'>,
  limit = MAX_KEPT_MESSAGES,
): Promise<string | undefined> {
  const messages = published.filter((fact) => fact.kind === 'MESSAGE_PUBLISHED' && fact.ttl !== 0);
  if (messages.length === 0) return undefined;
  const project = await firstRow<{ id: string; keeps: boolean; kept: number }>(
    database,
    `SELECT p.id, p.message_ttl_ms IS DISTINCT FROM 0 AS keeps, (SELECT count(*)::integer FROM (
       SELECT 1 FROM publications k
       WHERE k.project_id = p.id AND k.type = 'message' AND k.expires_at > now() AND k.claimed_by IS NULL AND k.match_at IS NULL LIMIT $3) found) AS kept
     FROM instances i JOIN projects p ON p.id = i.project_id WHERE i.workflow_id = $1 AND i.step_count = $2 - 1 AND i.status = 'RUNNING'`,
    [workflowID, number, limit],
  );
  if (!project) return undefined;
  const toKeep = messages.filter(({ ttl }) => ttl !== undefined || project.keeps);
  if (project.kept + toKeep.length <= limit) return undefined;
  const alike = new Map<string, Alike>();
  for (const fact of toKeep) {
    const channel = channelOf('message', fact.name);
    const keys = publicationKeys(channel, fact.kind === 'MESSAGE_PUBLISHED' ? fact.correlation : undefined);
    const known = alike.get(JSON.stringify(keys));
    if (known) known.count += 1;
    else alike.set(JSON.stringify(keys), { channel, keys, count: 1 });
  }
  const unheard = await countUnheard(database, project.id, [...alike.values()]);
  if (unheard === 0 || project.kept + unheard <= limit) return undefined;
  return `project ${project.id} keeps ${project.kept} messages, at most ${limit} are possible, and the step publishes ${unheard} for which no subscription waits`;
}

/** Each subscription takes one message. A process that a message starts takes all. */
async function countUnheard(database: Queryable, projectID: string, messages: readonly Alike[]): Promise<number> {
  const found = await rows<{ place: number; waiting: number; starts: boolean }>(
    database,
    `SELECT m.place::integer, (SELECT count(*)::integer FROM (
         SELECT 1 FROM subscriptions s JOIN instances i USING (workflow_id)
         WHERE s.key IN (SELECT json_array_elements_text(m.keys)) AND s.keys <@ ARRAY(SELECT json_array_elements_text(m.keys))
           AND s.project_id = $1 AND s.publication_id IS NULL AND i.status = 'RUNNING' AND NOT i.canceling LIMIT m.count) taking) AS waiting,
       EXISTS (SELECT FROM start_subscriptions b WHERE b.channel = m.channel AND b.project_id = $1 AND NOT b.together) AS starts
     FROM ROWS FROM (json_to_recordset($2::json) AS (channel text, keys json, count integer)) WITH ORDINALITY m(channel, keys, count, place)`,
    [projectID, JSON.stringify(messages)],
  );
  return found.reduce((sum, { place, waiting, starts }) => {
    return sum + (starts ? 0 : Math.max(0, messages[place - 1]!.count - waiting));
  }, 0);
}
