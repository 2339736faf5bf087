/** Events of user tasks that no step causes. */
import { firstTurn, oneOf, takeTurn, turnTaken, turnsOfProjects } from '../turns/project-turns.js';
import { instant } from './instant.js';
import { dataOfInstance, insertEvents, taskName } from './record.js';
import type { EventType } from './types.js';
import type { Database } from '../sql/database.js';

/** SQL: what the events of a user task say about it. `definition` is the version that its instance runs. */
export function dataOfTask(task: string, definition: string): string {
  return `jsonb_build_object('nodeID', ${task}.node_id, 'name', ${taskName(definition, `${task}.node_id`)}, 'assignee', ${task}.assignee,
    'dueDate', ${instant(`${task}.due_date`)}, 'priority', ${task}.priority)`;
}

/**
 * SQL: one event for each row of user tasks.
 * @param tasks a statement that yields them, or its name
 */
export function insertTaskEvents(event: { tasks: string; type: EventType; actor?: string; reason?: string }): string {
  const { tasks, type, actor = 'NULL', reason = 'NULL' } = event;
  const ofInstance = dataOfInstance({
    workflowID: 'i.workflow_id',
    rootWorkflowID: 'i.root_workflow_id',
    businessID: 'i.business_id',
    definition: 'd',
  });
  return insertEvents({
    from: `${tasks} t JOIN instances i ON i.workflow_id = t.workflow_id JOIN definitions d ON d.id = i.definition_id`,
    projectID: 't.project_id',
    type,
    subject: `t.workflow_id || ':' || t.number`,
    workflowID: 't.workflow_id',
    processID: 'd.process_id',
    data: `${ofInstance} || ${dataOfTask('t', 'd')} || jsonb_build_object('actor', ${actor}, 'reason', ${reason})`,
  });
}

const MAX_OVERDUE = 500;

/** SQL: tasks of project `p` to report. A task whose end has been accepted has ended in time. */
const overdueTasks = `user_tasks WHERE project_id = p.id AND status = 'CREATED' AND due_date <= now() AND NOT overdue_reported AND ending_command IS NULL`;

const overdueStatement = `
  WITH ${turnsOfProjects({ isDue: `p.event_retention_ms IS NOT NULL AND ${oneOf(`${overdueTasks} ORDER BY due_date`)}`, most: MAX_OVERDUE, after: '$1' })}, due AS (
    SELECT t.workflow_id, t.number FROM turns p CROSS JOIN LATERAL (
      SELECT workflow_id, number FROM ${overdueTasks} ORDER BY due_date LIMIT p.share FOR UPDATE SKIP LOCKED
    ) t LIMIT ${MAX_OVERDUE}
  ), overdue AS (
    UPDATE user_tasks t SET overdue_reported = true FROM due WHERE t.workflow_id = due.workflow_id AND t.number = due.number RETURNING t.*
  ), reported AS (
    ${insertTaskEvents({ tasks: 'overdue', type: 'task.overdue' })} RETURNING 1
  )
  SELECT (SELECT count(*)::integer FROM reported) AS count, ${turnTaken}`;

/**
 * Writes the events of tasks that have become overdue, once each.
 * @param turn the projects that are next; moves on
 * @returns how many, at most 500
 */
export async function reportOverdueTasks(database: Database, turn = firstTurn()): Promise<number> {
  return (await takeTurn<{ count: number }>(database, turn, overdueStatement, [])).count;
}
