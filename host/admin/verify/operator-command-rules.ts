/** Invariants of operator commands. */
import { childrenThatRunBelow, factsLike, readable, type RowRule } from './row-rule.js';

const canceledAndStillMoving: RowRule = {
  invariant: 'R10',
  query: `
    SELECT later.workflow_id AS "workflowID", format('%s was recorded after its cancellation', later.kind) AS found
    FROM (${factsLike('INSTANCE\\_CANCELED')}) canceled
      JOIN (${factsLike('%')}) later
        ON later.workflow_id = canceled.workflow_id AND (later.step, later.nth) > (canceled.step, canceled.nth)
    WHERE later.kind IN ('ELEMENT_ACTIVATED', 'ELEMENT_COMPLETED', 'JOB_CREATED', 'JOB_COMPLETED',
      'USER_TASK_CREATED', 'USER_TASK_COMPLETED', 'TIMER_FIRED', 'CHILD_CALLED')`,
};

const childrenThatOutliveACanceledCaller: RowRule = { invariant: 'R10', query: childrenThatRunBelow('CANCELED') };

const incidentsResolvedTwice: RowRule = {
  invariant: 'R11',
  query: `
    SELECT workflow_id AS "workflowID",
      format('%s commands that resolve incident %s have been applied', count(*), body ->> 'incident') AS found
    FROM (SELECT workflow_id, status, ${readable('body')} AS body FROM commands) commands
    WHERE status = 'APPLIED' AND body ->> 'kind' = 'RESOLVE_INCIDENT'
    GROUP BY workflow_id, body ->> 'incident' HAVING count(*) > 1`,
};

export const operatorCommandRules: readonly RowRule[] = [
  canceledAndStillMoving,
  childrenThatOutliveACanceledCaller,
  incidentsResolvedTwice,
];
