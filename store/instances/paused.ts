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
