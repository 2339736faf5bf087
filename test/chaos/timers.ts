/** R12: how late timers fire. That none is early, and none is forgotten, `host/admin/verify` sees in the rows. */
import { factsLike, readable } from '../../host/admin/verify/row-rule.js';
import type { Violations } from './violations.js';
import type { Database } from '../../store/sql/database.js';

/**
 * How late a timer may be when nothing breaks and nothing is paused: a workflow task that was on its way to a dead
 * worker is given up after ten seconds and is retried with a pause, on a machine that makes up for lost time.
 */
const MAX_SECONDS_LATE = 60;

/** SQL: all that have fired, with `due` and `fired` in epoch milliseconds. */
export const firedTimers = `
  SELECT fired.workflow_id, started.due, fired.now AS fired FROM (${timerFacts('TIMER_FIRED')}) fired
  JOIN (${timerFacts('TIMER_STARTED')}) started USING (workflow_id, timer)`;

function timerFacts(kind: 'TIMER_STARTED' | 'TIMER_FIRED'): string {
  return `
    SELECT f.workflow_id, f.f ->> 'timer' AS timer, (f.f ->> 'due')::float8 AS due, (${readable('p.inputs')} ->> 'now')::float8 AS now
    FROM (${factsLike(kind.replace('_', '\\_'))}) f JOIN steps p ON p.workflow_id = f.workflow_id AND p.number = f.step`;
}

/** @param quietSince from when on nothing broke and nothing was paused, in epoch milliseconds */
export async function checkTimers(store: Database, quietSince: number, violations: Violations): Promise<void> {
  const { rows } = await store.query<{ workflowID: string; secondsLate: number }>(
    `SELECT workflow_id AS "workflowID", (fired - greatest(due, $1::float8)) / 1000 AS "secondsLate" FROM (${firedTimers}) timers WHERE fired > $1::float8`,
    [quietSince],
  );
  for (const { workflowID, secondsLate } of rows) {
    violations.check(
      'R12',
      secondsLate <= MAX_SECONDS_LATE,
      () => `a timer of ${workflowID} fired ${secondsLate.toFixed(1)} s late when nothing was broken`,
    );
  }
}
