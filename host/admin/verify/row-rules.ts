/** Invariants that one query over the rows can check. Each query returns the rows that violate it. */
import { rows, type Database } from '../../../store/sql/database.js';
import type { Discrepancy } from './discrepancy.js';
import { operatorCommandRules } from './operator-command-rules.js';
import { childrenThatRunBelow, factsLike, readable, type RowRule } from './row-rule.js';

const startsThatAreMissing: RowRule = {
  invariant: 'R1',
  query: `
    SELECT k.body ->> 'workflowID' AS "workflowID",
      'a start with an Idempotency-Key was answered, but the instance does not exist' AS found
    FROM idempotency_keys k LEFT JOIN instances i ON i.workflow_id = k.body ->> 'workflowID'
    WHERE k.operation_id = 'StartBpmnInstance' AND k.status = 201 AND i.workflow_id IS NULL`,
};

const elementsThatDoNotEndOnce: RowRule = {
  invariant: 'R3',
  query: `
    WITH counted AS (
      SELECT workflow_id, f ->> 'element' AS element, min(f ->> 'node') AS node,
        count(*) FILTER (WHERE kind = 'ELEMENT_ACTIVATED') AS activated,
        count(*) FILTER (WHERE kind IN ('ELEMENT_COMPLETED', 'ELEMENT_CANCELED', 'ELEMENT_FAILED')) AS ended
      FROM (${factsLike('ELEMENT%')}) facts GROUP BY 1, 2
    )
    SELECT workflow_id AS "workflowID",
      format('element %s (%s) was activated %s times and ended %s times in an instance that is %s',
        element, node, activated, ended, status) AS found
    FROM counted JOIN instances USING (workflow_id)
    WHERE activated <> 1 OR ended > 1 OR (status <> 'RUNNING' AND ended = 0)`,
};

const ENDS = ['COMPLETED', 'FAILED', 'CANCELED'];

/** Rows of jobs or user tasks compared with the facts about them. */
function workThatDoesNotEndOnce(
  table: 'jobs' | 'user_tasks',
  prefix: 'JOB' | 'USER_TASK',
  member: 'job' | 'task',
  open: string,
): RowRule {
  const isEnd = `kind IN (${ENDS.map((end) => `'${prefix}_${end}'`).join(', ')})`;
  return {
    invariant: 'R4',
    query: `
      WITH told AS (
        SELECT workflow_id, (f ->> '${member}')::integer AS number,
          count(*) FILTER (WHERE kind = '${prefix}_CREATED') AS created,
          count(*) FILTER (WHERE ${isEnd}) AS ended,
          coalesce(max(substr(kind, ${prefix.length + 2})) FILTER (WHERE ${isEnd}), '${open}')
            AS status
        FROM (${factsLike(prefix.replace('_', '\\_') + '\\_%')}) facts GROUP BY 1, 2
      )
      SELECT workflow_id AS "workflowID",
        format('${table} %s was created %s times and ended %s times; facts say %s, its row %s',
          number, coalesce(told.created, 0), coalesce(told.ended, 0), coalesce(told.status, 'nothing'),
          coalesce(w.status, 'nothing')) AS found
      FROM told FULL JOIN ${table} w USING (workflow_id, number)
      WHERE told.created IS DISTINCT FROM 1 OR told.ended > 1 OR told.status IS DISTINCT FROM w.status`,
  };
}

function completionsWithoutCommand(
  table: 'jobs' | 'user_tasks',
  command: 'COMPLETE_JOB' | 'COMPLETE_USER_TASK',
): RowRule {
  return {
    invariant: 'R4',
    query: `
      SELECT w.workflow_id AS "workflowID",
        format('${table} %s is COMPLETED by command %s, which is %s',
          w.number, w.ending_command, coalesce(c.status, 'missing')) AS found
      FROM ${table} w LEFT JOIN commands c ON c.workflow_id = w.workflow_id AND c.number = w.ending_command
        AND ${readable('c.body')} ->> 'kind' = '${command}'
        AND (${readable('c.body')} ->> 'execution')::integer = w.number
      WHERE w.status = 'COMPLETED' AND c.status IS DISTINCT FROM 'APPLIED'`,
  };
}

const workEndedTwice: RowRule = {
  invariant: 'R4',
  query: `
    SELECT workflow_id AS "workflowID",
      format('%s commands that end execution %s have been applied', count(*), body ->> 'execution') AS found
    FROM (SELECT workflow_id, status, ${readable('body')} AS body FROM commands) commands
    WHERE status = 'APPLIED'
      AND body ->> 'kind' IN ('COMPLETE_JOB', 'THROW_JOB_ERROR', 'COMPLETE_USER_TASK', 'THROW_USER_TASK_ERROR')
    GROUP BY workflow_id, body ->> 'execution' HAVING count(*) > 1`,
};

const messagesTakenTwice: RowRule = {
  invariant: 'R6',
  query: `
    SELECT min(closed.workflow_id) AS "workflowID",
      format('message %s was taken %s times', closed.f ->> 'publicationID', count(*)) AS found
    FROM (${factsLike('SUBSCRIPTION\\_CLOSED')}) closed
      JOIN (${factsLike('SUBSCRIPTION\\_OPENED')}) opened
        ON opened.workflow_id = closed.workflow_id AND opened.f ->> 'subscription' = closed.f ->> 'subscription'
    WHERE closed.f ->> 'reason' = 'CONSUMED' AND opened.f ->> 'type' = 'message'
    GROUP BY closed.f ->> 'publicationID' HAVING count(*) > 1`,
};

const signalsTakenTwice: RowRule = {
  invariant: 'R7',
  query: `
    SELECT closed.workflow_id AS "workflowID",
      format('element %s took signal %s %s times', opened.f ->> 'element', closed.f ->> 'publicationID', count(*))
        AS found
    FROM (${factsLike('SUBSCRIPTION\\_CLOSED')}) closed
      JOIN (${factsLike('SUBSCRIPTION\\_OPENED')}) opened
        ON opened.workflow_id = closed.workflow_id AND opened.f ->> 'subscription' = closed.f ->> 'subscription'
    WHERE closed.f ->> 'reason' = 'CONSUMED' AND opened.f ->> 'type' = 'signal'
    GROUP BY closed.workflow_id, opened.f ->> 'element', opened.f ->> 'node', closed.f ->> 'publicationID'
    HAVING count(*) > 1`,
};

const timersThatFiredEarly: RowRule = {
  invariant: 'R12',
  query: `
    WITH timers AS (
      SELECT p.workflow_id, p.number AS step, place, f ->> 'timer' AS timer, f ->> 'kind' AS kind,
        (f ->> 'due')::float8 AS due, (${readable('p.inputs')} ->> 'now')::float8 AS now
      FROM steps p, json_array_elements(${readable('p.facts')}) WITH ORDINALITY facts (f, place)
      WHERE f ->> 'kind' IN ('TIMER_STARTED', 'TIMER_CHANGED', 'TIMER_FIRED')
    ), planned AS (
      SELECT DISTINCT ON (workflow_id, timer) workflow_id, timer, due FROM timers
      WHERE kind <> 'TIMER_FIRED' ORDER BY workflow_id, timer, step DESC, place DESC
    )
    SELECT fired.workflow_id AS "workflowID",
      format('timer %s fired at %s and was due at %s', timer, fired.now, planned.due) AS found
    FROM timers fired JOIN planned USING (workflow_id, timer)
    WHERE fired.kind = 'TIMER_FIRED' AND fired.now < planned.due`,
};

const childrenThatOutliveTheirCaller: RowRule = { invariant: 'R17', query: childrenThatRunBelow('COMPLETED') };

const endsOfChildrenToldTwice: RowRule = {
  invariant: 'R17',
  query: `
    SELECT workflow_id AS "workflowID",
      format('the end of child %s was recorded %s times', f ->> 'child', count(*)) AS found
    FROM (${factsLike('CHILD\\_ENDED')}) facts GROUP BY workflow_id, f ->> 'child' HAVING count(*) > 1`,
};

const nonConsecutiveSteps: RowRule = {
  invariant: 'R13',
  query: `
    WITH chain AS (
      SELECT workflow_id, number, facts_before, fact_count, json_array_length(facts) AS facts,
        coalesce(sum(fact_count) OVER earlier, 0) AS before
      FROM steps
      WINDOW earlier AS (
        PARTITION BY workflow_id ORDER BY number ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING
      )
    ), counted AS (
      SELECT workflow_id, count(*) AS steps, max(number) AS last, sum(fact_count) AS facts,
        bool_and(facts_before = before AND fact_count = facts) AS holds
      FROM chain GROUP BY workflow_id
    )
    SELECT i.workflow_id AS "workflowID",
      format('it counts %s steps and %s facts; there are %s steps up to number %s with %s facts',
        i.step_count, i.fact_count, coalesce(steps, 0), coalesce(last, 0), coalesce(facts, 0)) AS found
    FROM instances i LEFT JOIN counted c USING (workflow_id)
    WHERE coalesce(steps, 0) <> i.step_count OR coalesce(last, 0) <> i.step_count
      OR coalesce(facts, 0) <> i.fact_count OR NOT coalesce(holds, true)`,
};

const commandsThatAreMissing: RowRule = {
  invariant: 'R13',
  query: `
    SELECT i.workflow_id AS "workflowID",
      format('it counts %s commands; there are %s up to number %s',
        i.command_count, count(c.number), coalesce(max(c.number), 0)) AS found
    FROM instances i LEFT JOIN commands c USING (workflow_id)
    GROUP BY i.workflow_id HAVING count(c.number) <> i.command_count OR coalesce(max(c.number), 0) <> i.command_count`,
};

const endedAndStillOpen: RowRule = {
  invariant: 'R13',
  query: `
    WITH open AS (
      SELECT workflow_id, 'job ' || number AS what FROM jobs WHERE status = 'PENDING'
      UNION ALL SELECT workflow_id, 'user task ' || number FROM user_tasks WHERE status = 'CREATED'
      UNION ALL SELECT workflow_id, 'incident ' || number FROM incidents WHERE status = 'OPEN'
      UNION ALL SELECT workflow_id, 'command ' || number FROM commands WHERE status = 'PENDING'
      UNION ALL SELECT workflow_id, 'start' FROM instance_starts
    )
    SELECT workflow_id AS "workflowID", format('it is %s and its %s is open', status, what) AS found
    FROM open JOIN instances USING (workflow_id) WHERE status <> 'RUNNING'`,
};

const incidentsCountedWrong: RowRule = {
  invariant: 'R13',
  query: `
    SELECT i.workflow_id AS "workflowID",
      format('it counts %s open incidents; it and its children have %s', i.open_incidents, own + below) AS found
    FROM instances i,
      LATERAL (SELECT count(*) AS own FROM incidents n WHERE n.workflow_id = i.workflow_id AND n.status = 'OPEN') o,
      LATERAL (
        SELECT coalesce(sum(c.open_incidents), 0) AS below FROM instances c WHERE c.parent_workflow_id = i.workflow_id
      ) b
    WHERE i.open_incidents <> own + below`,
};

const placesCountedWrong: RowRule = {
  invariant: 'R13',
  query: `
    SELECT process_id AS "workflowID",
      format('its group %s counts %s running and %s queued instances; there are %s and %s', id, running, queued, begun, waiting)
        AS found
    FROM concurrency_groups g,
      LATERAL (
        SELECT count(*) FILTER (WHERE NOT i.queued) AS begun, count(*) FILTER (WHERE i.queued) AS waiting
        FROM instances i WHERE i.concurrency_group = g.id AND i.status = 'RUNNING'
      ) counted
    WHERE running <> begun OR queued <> waiting`,
};

const queuedWithoutRank: RowRule = {
  invariant: 'R13',
  query: `
    SELECT i.workflow_id AS "workflowID",
      format('it is %s, but its start waits in %s', CASE WHEN i.queued THEN 'queued' ELSE 'not queued' END,
        coalesce('group ' || s.queue_group, 'no group')) AS found
    FROM instances i LEFT JOIN instance_starts s USING (workflow_id)
    WHERE i.status = 'RUNNING' AND i.queued <> (s.queue_group IS NOT NULL AND s.queue_group = i.concurrency_group)`,
};

const rowRules: readonly RowRule[] = [
  startsThatAreMissing,
  elementsThatDoNotEndOnce,
  workThatDoesNotEndOnce('jobs', 'JOB', 'job', 'PENDING'),
  workThatDoesNotEndOnce('user_tasks', 'USER_TASK', 'task', 'CREATED'),
  completionsWithoutCommand('jobs', 'COMPLETE_JOB'),
  completionsWithoutCommand('user_tasks', 'COMPLETE_USER_TASK'),
  workEndedTwice,
  messagesTakenTwice,
  signalsTakenTwice,
  timersThatFiredEarly,
  childrenThatOutliveTheirCaller,
  endsOfChildrenToldTwice,
  nonConsecutiveSteps,
  commandsThatAreMissing,
  endedAndStillOpen,
  incidentsCountedWrong,
  placesCountedWrong,
  queuedWithoutRank,
  ...operatorCommandRules,
];

/** The violations that are visible in the rows alone. */
export async function checkRows(store: Database): Promise<Discrepancy[]> {
  const found: Discrepancy[] = [];
  for (const { invariant, query } of rowRules) {
    const broken = await rows<Omit<Discrepancy, 'invariant'>>(store, query, []);
    found.push(...broken.map((row) => ({ invariant, ...row })));
  }
  return found;
}
