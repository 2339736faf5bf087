/** Backlog of the host, for monitoring. */
import type { Database } from './sql/database.js';

export interface Backlog {
  /** By type, largest first; the rarest types are combined as `other`. */
  pendingJobs: { taskType: string; count: number }[];
  openIncidents: number;
  /** Age of the oldest entry that has not reached Temporal, or a waiting subscriber; 0 if none exists. */
  outboxAgeSeconds: { start: number; command: number; publication: number };
  /** How long the event subscription that is furthest behind has been failing or waiting for a connector. */
  eventDeliveryAgeSeconds: number;
  deadLetters: number;
  /** How far the statistics are behind the step commits. */
  statisticsAgeSeconds: number;
}

/** Counting stops here, because larger counts make no difference to anyone. */
const MAX_COUNTED = 100_000;
/** Limited, because type names come from models, so there may be many. */
const MAX_TYPES = 50;
const STATEMENT_TIMEOUT_MS = 2_000;

/** The oldest of each project, one project after another in the order of their index. */
const oldestCommands = `
  WITH RECURSIVE heads AS (
    (SELECT project_id FROM commands WHERE status = 'PENDING' ORDER BY project_id, deliver_at LIMIT 1)
    UNION ALL
    SELECT next.project_id FROM heads h CROSS JOIN LATERAL (
      SELECT project_id FROM commands WHERE status = 'PENDING' AND project_id > h.project_id ORDER BY project_id, deliver_at LIMIT 1
    ) next
  )
  SELECT oldest.* FROM heads h CROSS JOIN LATERAL (
    SELECT workflow_id, created_at FROM commands WHERE status = 'PENDING' AND project_id = h.project_id ORDER BY deliver_at LIMIT 200
  ) oldest LIMIT 10000`;

/** Commands of paused instances wait for resume. */
const oldestCommand = `
  SELECT min(c.created_at) FROM (${oldestCommands}) c
  JOIN instances i USING (workflow_id) JOIN definitions d ON d.id = i.definition_id
  WHERE i.suspended_at IS NULL AND d.suspended_at IS NULL`;

const oldestDelivery = `
  SELECT min(least(s.failing_since, next.recorded_at)) FROM (SELECT * FROM event_subscriptions WHERE enabled LIMIT 1000) s
  LEFT JOIN LATERAL (
    SELECT e.recorded_at FROM events e WHERE e.project_id = s.project_id AND e.position > s.position ORDER BY e.position LIMIT 1
  ) next ON true`;

/** The first fold of existing histories is late from its beginning, because retention waits for it. */
const foldedUntil = `SELECT greatest(as_of, begun_at) FROM statistics_progress WHERE EXISTS (SELECT FROM steps_to_fold)`;

const statement = `
  WITH pending AS (
    SELECT task_type, count(*)::integer AS count FROM (SELECT task_type FROM jobs WHERE status = 'PENDING' LIMIT ${MAX_COUNTED}) j GROUP BY task_type
  ), ranked AS (
    SELECT task_type, count, row_number() OVER (ORDER BY count DESC, task_type) AS rank FROM pending
  )
  SELECT
    (SELECT coalesce(json_agg(json_build_object('taskType', name, 'count', count) ORDER BY count DESC), '[]')
     FROM (SELECT CASE WHEN rank <= ${MAX_TYPES} THEN task_type ELSE 'other' END AS name, sum(count)::integer AS count FROM ranked GROUP BY 1) t) AS "pendingJobs",
    (SELECT count(*)::integer FROM (SELECT 1 FROM incidents WHERE status = 'OPEN' LIMIT ${MAX_COUNTED}) i) AS "openIncidents",
    json_build_object(
      'start', ${ageOf("SELECT min(created_at) FROM instance_starts WHERE deliver_at < 'infinity'")},
      'command', ${ageOf(oldestCommand)},
      'publication', ${ageOf('SELECT min(match_at) FROM publications WHERE match_at <= now()')}
    ) AS "outboxAgeSeconds",
    ${ageOf(oldestDelivery)} AS "eventDeliveryAgeSeconds",
    (SELECT count(*)::integer FROM (SELECT 1 FROM event_deliveries WHERE dead_at IS NOT NULL LIMIT ${MAX_COUNTED}) d) AS "deadLetters",
    ${ageOf(foldedUntil)} AS "statisticsAgeSeconds"`;

function ageOf(oldest: string): string {
  return `coalesce(extract(epoch FROM now() - (${oldest})), 0)::float8`;
}

/** @throws if Postgres does not answer within two seconds */
export async function readBacklog(database: Database): Promise<Backlog> {
  return database.transaction(async (transaction) => (await transaction.query<Backlog>(statement)).rows[0]!, {
    statementTimeoutMilliseconds: STATEMENT_TIMEOUT_MS,
  });
}
