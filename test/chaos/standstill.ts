/** R9: between the answer to a suspension and the request that ends it no token moves, as the step commits tell. */
import { factsLike } from '../../host/admin/verify/row-rule.js';
import type { Violations } from './violations.js';
import type { Database } from '../../store/sql/database.js';

/** How many step commits each paused instance had written, by workflowID. */
export type Standing = ReadonlyMap<string, number>;

/** An instance, and those below it, or a definition, while it was paused. */
export interface Standstill {
  what: string;
  /** Looked at after the suspension was answered. */
  before: Standing;
  /** Looked at before its end was asked for. */
  after: Standing;
}

/** Facts that only a moving token causes. Commands that work during a pause, rotations and deferrals bring none of it. */
const MOVES: ReadonlySet<string> = new Set([
  'ELEMENT_COMPLETED',
  'JOB_CREATED',
  'USER_TASK_CREATED',
  'TIMER_STARTED',
  'TIMER_FIRED',
  'SUBSCRIPTION_OPENED',
  'CONDITION_OPENED',
  'CHILD_CALLED',
  'MESSAGE_PUBLISHED',
  'SIGNAL_THROWN',
  'ESCALATION_THROWN',
  'INSTANCE_COMPLETED',
  'PAUSE_ENDED',
]);

const MAX_OF_A_DEFINITION = 500;

/** The step commits of an instance and of all below it; undefined if they cannot be read. */
export function standingOf(store: Database, workflowID: string): Promise<Standing | undefined> {
  return read(
    store,
    `WITH RECURSIVE below AS (
       SELECT workflow_id, step_count FROM instances WHERE workflow_id = $1
       UNION ALL SELECT i.workflow_id, i.step_count FROM instances i JOIN below b ON i.parent_workflow_id = b.workflow_id
     ) SELECT workflow_id AS id, step_count AS steps FROM below`,
    workflowID,
  );
}

/** The same of running instances of a definition, the newest ones. */
export function standingOfDefinition(store: Database, definitionID: string): Promise<Standing | undefined> {
  return read(
    store,
    `SELECT workflow_id AS id, step_count AS steps FROM instances WHERE definition_id = $1 AND status = 'RUNNING' ORDER BY number DESC LIMIT ${MAX_OF_A_DEFINITION}`,
    definitionID,
  );
}

/** Postgres is among what breaks. */
async function read(store: Database, query: string, id: string): Promise<Standing | undefined> {
  const result = await store.query<{ id: string; steps: number }>(query, [id]).catch(() => undefined);
  return result && new Map(result.rows.map(({ id: workflowID, steps }) => [workflowID, Number(steps)]));
}

/** @returns how many step commits were written during pauses */
export async function checkStandstills(
  store: Database,
  standstills: readonly Standstill[],
  violations: Violations,
): Promise<number> {
  let written = 0;
  for (const { what, before, after } of standstills) {
    for (const [workflowID, first] of before) {
      // An instance that was resumed or ended is checked as far as it was seen.
      const last = after.get(workflowID) ?? first;
      if (last <= first) continue;
      written += last - first;
      const { rows } = await store.query<{ step: number; kind: string }>(
        `SELECT step, kind FROM (${factsLike('%')}) told WHERE workflow_id = $1 AND step > $2 AND step <= $3 ORDER BY step, nth`,
        [workflowID, first, last],
      );
      for (const { step, kind } of rows)
        violations.check(
          'R9',
          !MOVES.has(kind),
          () => `${workflowID} wrote ${kind} in step ${step} while ${what} was paused`,
        );
    }
  }
  return written;
}
