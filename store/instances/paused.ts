/**
 * Definition of paused: an instance is paused if it, its definition or any ancestor is suspended. All code that decides
 * whether something may move uses these conditions.
 */

/** SQL: whether one of the definitions in the array `path` is suspended. */
export function isAnySuspended(path: string): string {
  return `EXISTS (SELECT 1 FROM definitions s WHERE s.id = ANY(${path}) AND s.suspended_at IS NOT NULL)`;
}

/** SQL: whether the instance in the row `i` is paused. */
export function isPaused(i: string): string {
  return `(${i}.suspended_at IS NOT NULL OR ${i}.ancestor_suspended OR ${isAnySuspended(`${i}.ancestor_definitions || ${i}.definition_id`)})`;
}

/** SQL: whether the instance in the row `i` is paused through an ancestor or an ancestor's definition. */
export function isPausedByAncestor(i: string): string {
  return `(${i}.ancestor_suspended OR ${isAnySuspended(`${i}.ancestor_definitions`)})`;
}

/**
 * SQL: whether a cancel or a pause stops the steps of the instance in the row `i`. Its row says so, except while not all
 * rows of its tree follow their ancestors (ADR 180): then the rows of the ancestors are asked.
 */
export function isStopped(i: string): string {
  const isLate = `${i}.depth > 0 AND EXISTS (SELECT FROM parents_to_follow f WHERE f.root_workflow_id = ${i}.root_workflow_id)`;
  return `(${i}.canceling OR CASE WHEN ${isLate} THEN ${isStoppedByPath(i)} ELSE ${isPaused(i)} END)`;
}

function isStoppedByPath(i: string): string {
  return `EXISTS (
    WITH RECURSIVE path AS (
      SELECT ${i}.parent_workflow_id, ${i}.definition_id, ${i}.canceling, ${i}.suspended_at
      UNION ALL
      SELECT a.parent_workflow_id, a.definition_id, a.canceling, a.suspended_at FROM instances a JOIN path ON a.workflow_id = path.parent_workflow_id
    )
    SELECT FROM path WHERE canceling OR suspended_at IS NOT NULL OR ${isAnySuspended('ARRAY[path.definition_id]')})`;
}
