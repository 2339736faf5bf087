/** Remaining and finished work, once all faults have healed. */
import { factsLike } from '../../host/admin/verify/row-rule.js';
import { firedTimers } from './timers.js';
import type { Database } from '../../store/sql/database.js';

/** R18: what was written to be sent or matched and has not been yet, as the outbox relays see it. */
export async function unsent(store: Database): Promise<{ [what: string]: number }> {
  const { rows } = await store.query<{ what: string; count: number }>(`
    SELECT * FROM (
      SELECT 'commands' AS what, count(*)::integer AS count FROM commands WHERE status = 'PENDING'
      UNION ALL SELECT 'starts', count(*)::integer FROM instance_starts
      UNION ALL SELECT 'held instances', count(*)::integer FROM pause_waiters
      UNION ALL SELECT 'resumptions', count(*)::integer FROM resumptions
      UNION ALL SELECT 'parents to follow', count(*)::integer FROM parents_to_follow
      UNION ALL SELECT 'subscriptions to match', count(*)::integer FROM subscriptions WHERE match_at IS NOT NULL
      UNION ALL SELECT 'publications to match', count(*)::integer FROM publications WHERE match_at IS NOT NULL
      UNION ALL SELECT 'running instances', count(*)::integer FROM instances WHERE status = 'RUNNING'
    ) counted WHERE count > 0`);
  return Object.fromEntries(rows.map(({ what, count }) => [what, count]));
}

/** One line for the report. */
export async function tally(store: Database): Promise<string> {
  const { rows } = await store.query<{ line: string }>(`
    WITH lateness AS (SELECT fired - due AS late FROM (${firedTimers}) timers)
    SELECT format('%s instances (%s called by others, %s canceled), %s steps, %s new runs, %s timers fired, the latest %s s late',
      count(*), count(parent_workflow_id), count(*) FILTER (WHERE status = 'CANCELED'), sum(step_count),
      (SELECT count(*) FROM (${factsLike('INSTANCE\\_ROTATED')}) rotations), (SELECT count(*) FROM lateness), (SELECT round(max(late)::numeric / 1000, 1) FROM lateness)) AS line
    FROM instances`);
  return rows[0]!.line;
}
