/** Whether something takes, or took, longer than the target that was in force when it began. */

/** SQL: whether the instance in the row `i` is over its target. */
export function isOverTarget(i: string): string {
  return `EXISTS (SELECT FROM definitions od JOIN targets t ON t.project_id = od.project_id AND t.process_id = od.process_id AND t.node_id = ''
    WHERE od.id = ${i}.definition_id AND t.project_id = ${i}.project_id AND ${isInForce('t', `${i}.created_at`)}
      AND coalesce(${i}.completed_at, now()) - ${i}.created_at > t.duration_ms * interval '1 millisecond')`;
}

/** SQL: whether the target in the row `t` applies to what began at that time. */
export function isInForce(t: string, beganAt: string): string {
  return `${t}.since <= ${beganAt} AND (${t}.until IS NULL OR ${beganAt} < ${t}.until)`;
}
