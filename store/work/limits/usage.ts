/** SQL: how much of a limit a key uses. */
import { ordinaryProject } from '../../projects/tests.js';
import { usedOf } from './rate-window.js';

/** SQL expressions: the jobs of a key of a limited type, and the row `l` of its limit. */
export interface KeyOfType {
  project: string;
  taskType: string;
  group: string;
  l: string;
  /** The time at which leases are counted. */
  at: string;
}

/**
 * SQL: the project and the type of the job `j`, as only the indexes of limited types have them. Other indexes of jobs begin
 * with the columns themselves. Before Postgres has statistics, each of those looks as selective to it, and it would read
 * all jobs of the type once per key.
 */
export function typeOf(j: string): string {
  return queueName(`${j}.project_id`, `${j}.task_type`);
}

/** SQL: what `typeOf` is compared with. No id of a project has a blank. */
export function queueName(project: string, taskType: string): string {
  return `(${project} || ' ' || ${taskType})`;
}

/** SQL: whether the lease of the job `c` counts for the key. */
function isCounted(c: string, { project, taskType, group, at }: KeyOfType): string {
  return `${typeOf(c)} = ${queueName(project, taskType)} AND coalesce(${c}.limit_group, '') = ${group} AND ${areCounted(c, at)}`;
}

/** SQL: whether the job `c` has a lease that counts. */
export function areCounted(c: string, at: string): string {
  return `${c}.counted AND ${c}.status = 'PENDING' AND ${c}.ending_command IS NULL AND ${c}.lock_expires_at > ${at}`;
}

/** SQL: leases at this moment, as far as the limit compares them. */
export function leasedOf(key: KeyOfType): string {
  return `CASE WHEN ${key.l}.concurrent IS NULL THEN 0 ELSE (SELECT count(*) FROM (
      SELECT FROM jobs c WHERE ${isCounted('c', key)} LIMIT ${key.l}.concurrent) counted) END`;
}

/** SQL: leases in the window of the rate; `s` is the row of the key in `limit_groups`. */
export function leasedInWindow(s: string, { l, at }: KeyOfType): string {
  return `CASE WHEN ${l}.rate_count IS NULL THEN 0 ELSE ${usedOf(s, l, at)} END`;
}

/** SQL: whether the row `s` of `limit_groups` is that of the key. */
export function isGroupOf(s: string, { project, taskType, group }: KeyOfType): string {
  return `${s}.project_id = ${ordinaryProject(project)} AND ${s}.task_type = ${taskType}
    AND ${s}.in_tests = (strpos(${project}, '~') > 0) AND ${s}.limit_group = ${group}`;
}
