import type { InstanceStatus } from '@perdure/engine/state/state.js';
import type { Invariant } from './discrepancy.js';

export interface RowRule {
  invariant: Invariant;
  /** Returns "workflowID" and found. */
  query: string;
}

/**
 * A `json` column in a form that Postgres can query. Computed values can contain characters that Postgres accepts but
 * cannot decode (NUL, lone surrogates), and one such value must not hide the others.
 */
export const readable = (column: string) =>
  String.raw`regexp_replace(${column}::text, '\\u(0000|d[89a-f][0-9a-f]{2})', '\\ufffd', 'g')::json`;

/** Facts of these kinds, one row each, with their step and their position in it; those of an import have theirs in that. */
export const factsLike = (pattern: string) => `
  SELECT p.workflow_id, p.number AS step, nth, f ->> 'kind' AS kind, f
  FROM steps p, json_array_elements(${readable('p.facts')}) WITH ORDINALITY AS told(f, nth)
  WHERE f ->> 'kind' LIKE '${pattern}'
  UNION ALL
  SELECT p.workflow_id, p.number, i.nth, i.f ->> 'kind', i.f
  FROM steps p, json_array_elements(${readable('p.facts')}) AS told(f), json_array_elements(told.f -> 'facts') WITH ORDINALITY AS i(f, nth)
  WHERE p.number = 1 AND told.f ->> 'kind' = 'INSTANCE_IMPORTED' AND i.f ->> 'kind' LIKE '${pattern}'`;

/** Child instances that are running although their parent has ended in this way. */
export const childrenThatRunBelow = (status: InstanceStatus) => `
  SELECT child.workflow_id AS "workflowID",
    format('it is RUNNING, but its parent %s is ${status}', parent.workflow_id) AS found
  FROM instances child JOIN instances parent ON parent.workflow_id = child.parent_workflow_id
  WHERE child.status = 'RUNNING' AND parent.status = '${status}'`;
