/** Changes of jobs in the statement of a step commit. */
import { TASK_HEADERS, type FactOf } from '@perdure/engine/contract/facts.js';
import type { StepCommit } from '@perdure/engine/contract/step-commit.js';
import { instant } from '../events/instant.js';
import { raw, rowsOf, sql } from '../sql/builder.js';
import { unindexed } from '../sql/by-key.js';
import { indexedText, jsonText, optionalIndexedText } from '../sql/text.js';
import { endedBefore, type Part, type StepParameters } from '../steps/commit/part.js';
import type { JobEnd, StepChanges } from '../steps/project.js';
import { limitGroup, limitKeyText } from './limits/limit-group.js';
import { endsCountedLease } from './limits/freed-places.js';
import { withholdsJobs } from './withheld-jobs.js';

/** @param claimed number of the job that the step ends with its result, by another part */
export function jobParts(
  step: StepParameters,
  { traceContext }: StepCommit,
  changes: StepChanges,
  claimed: number | undefined,
): Part[] {
  const ended = endedBefore(changes.jobsEnded, changes.jobsCreated).filter(([number]) => number !== claimed);
  return [
    ...(changes.jobsCreated.size > 0 ? [created(changes, traceContext)] : []),
    ...(ended.length > 0 ? [jobsEnded(step, ended)] : []),
  ];
}

/** SQL: an array as JSON text; null if it is empty. */
const listText = (column: string) => `CASE WHEN cardinality(${column}) > 0 THEN array_to_json(${column})::text END`;

/**
 * SQL: the headers of job `j` with those whose values the row of its task has. The engine does not know them, because people
 * assign and update tasks in their rows.
 */
const headersWithTask = `(
  SELECT json_object_agg(h.key, h.value) FROM (
    SELECT key, value FROM json_each(j.headers)
    UNION ALL
    SELECT '${TASK_HEADERS}' || key, value FROM json_each(json_build_object(
      'assignee', t.assignee, 'candidateUsers', ${listText('t.candidate_users')}, 'candidateGroups', ${listText('t.candidate_groups')},
      'dueDate', ${instant('t.due_date')}, 'followUpDate', ${instant('t.follow_up_date')}, 'priority', t.priority::text,
      'formKey', t.form_key, 'userTaskKey', w.workflow_id || ':' || j.task))
    WHERE j.task_headers ? key AND json_typeof(value) <> 'null'
  ) h)`;

function created({ jobsCreated, jobsEnded }: StepChanges, traceContext: StepCommit['traceContext']): Part {
  // Listeners of user tasks are rare, and the rows of the tasks are read for them only.
  const forTasks = [...jobsCreated.values()].some(({ task }) => task !== undefined);
  const jobs = [...jobsCreated.values()].map((fact) => ({ ...fact, end: jobsEnded.get(fact.job) }));
  const job = rowsOf('j', jobs, {
    number: ['integer', (fact) => fact.job],
    element: ['integer', ({ element }) => element],
    node_id: ['text', ({ node }) => node],
    task_type: ['text', ({ taskType }) => indexedText(taskType)],
    retries: ['integer', ({ retries }) => Math.min(Math.trunc(retries), 2 ** 31 - 1)],
    headers: ['json', ({ headers }) => jsonText(headers)],
    listener: ['json', ({ listener }) => (listener ? JSON.stringify(listener) : null)],
    local_variables: ['json', ({ localVariables }) => jsonText(localVariables)],
    status: ['text', ({ end }) => end?.status ?? 'PENDING'],
    error_code: ['text', ({ end }) => optionalIndexedText(end?.errorCode)],
    error_message: ['text', ({ end }) => end?.errorMessage ?? null],
    cancel_reason: ['text', ({ end }) => end?.cancelReason ?? null],
    priority: ['integer', ({ priority }) => priority ?? 0],
    limit_key: ['text', ({ limitKey }) => limitKeyText(limitKey)],
    limit_group: ['text', ({ limitKey }) => limitGroup(limitKey)],
    ...(forTasks && {
      task: ['integer', ({ task }: FactOf<'JOB_CREATED'>) => task?.number ?? null] as const,
      task_headers: ['jsonb', ({ task }: FactOf<'JOB_CREATED'>) => jsonText(task?.headers)] as const,
    }),
  });
  return {
    name: forTasks ? 'listener_jobs_created' : 'jobs_created',
    sql: sql`
      INSERT INTO jobs (workflow_id, number, project_id, definition_path, element, node_id, task_type, retries, priority, headers, listener, local_variables,
        created_at, available_at, status, completed_at, error_code, error_message, cancel_reason, trace_context, withheld, hot_until, limit_key, limit_group)
      SELECT w.workflow_id, j.number, w.project_id, w.ancestor_definitions || w.definition_id, j.element, j.node_id, j.task_type, j.retries, j.priority, ${raw(forTasks ? headersWithTask : 'j.headers')}, j.listener, j.local_variables,
        w.stepped_at, now(), j.status, CASE WHEN j.status <> 'PENDING' THEN w.stepped_at END,
        j.error_code, j.error_message, j.cancel_reason, ${jsonText(traceContext)}::json, ${raw(withholdsJobs('w'))}, w.lingering_until, j.limit_key, j.limit_group
      FROM writable w${raw(forTasks ? ' CROSS JOIN ' : ', ')}${job}${raw(forTasks ? ' LEFT JOIN user_tasks t ON t.workflow_id = w.workflow_id AND t.number = j.task' : '')}`,
  };
}

function jobsEnded({ workflowID }: StepParameters, ended: [number, JobEnd][]): Part {
  const end = rowsOf('e', ended, {
    number: ['integer', ([number]) => number],
    status: ['text', ([, { status }]) => status],
    error_code: ['text', ([, { errorCode }]) => optionalIndexedText(errorCode)],
    error_message: ['text', ([, { errorMessage }]) => errorMessage ?? null],
    cancel_reason: ['text', ([, { cancelReason }]) => cancelReason ?? null],
  });
  return {
    name: 'jobs_ended',
    sql: sql`
      UPDATE jobs j SET status = e.status, completed_at = w.stepped_at, error_code = e.error_code,
        error_message = e.error_message, cancel_reason = e.cancel_reason
      FROM writable w, ${end}
      WHERE j.workflow_id = ${workflowID} AND j.number = e.number AND ${raw(unindexed('j.status'))} = 'PENDING'
      RETURNING j.task_type, ${raw(endsCountedLease('j'))} AS frees_place`,
  };
}
