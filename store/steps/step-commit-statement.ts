/**
 * The single statement of a step commit. It locks the instance, compares the step number, and writes the commit and
 * every row it changes, or nothing. It contains only the parts that the step needs; frequent combinations of parts are
 * prepared.
 *
 * All parts see the database as of before the statement waited for the lock. That is correct for rows that only steps
 * of this instance change. It can miss rows that others insert in the meantime (commands), so an instance that ends
 * with pending commands is not written here unless `locked` says that the caller already holds the lock.
 */
import type { CommandOutcome } from '@perdure/engine/contract/commands.js';
import { DEFAULT_TASK_PRIORITY, type Fact } from '@perdure/engine/contract/facts.js';
import type { StepCommit } from '@perdure/engine/contract/step-commit.js';
import { eventPart } from '../events/step-part.js';
import { unindexed } from '../sql/by-key.js';
import { boundForm, isEmbedded } from '../forms/bound-form.js';
import { entriesIn, farStepPart } from './far-steps.js';
import { withholdsJobs } from '../work/withheld-jobs.js';
import { migrationParts } from '../migration/migrated-rows.js';
import type { IncidentEnd, JobEnd, StepChanges, UserTaskEnd } from './project.js';
import { searchSummaryOf } from '../sql/search-summary.js';
import { isPaused } from '../instances/paused.js';
import { messageParts } from '../messages/subscriptions.js';
import { claimable, claimValues, resultParts, writtenResult, type WrittenResult } from '../work/job-results.js';
import { StatementNames } from '../sql/statement-names.js';
import { indexedText, jsonText, optionalIndexedText, storableText } from '../sql/text.js';

export interface Statement {
  /** Absent if it is not worth preparing. */
  name: string | undefined;
  text: string;
  values: unknown[];
}

/** Result of the statement; no row if the instance does not exist. */
export interface CommitRow {
  written: boolean;
  /** Whether the step was not written because the instance is paused or being canceled. */
  paused: boolean;
  stepCount: number;
  status: string;
  projectID: string;
  /** Numbers of the commands whose outcome is awaited. */
  awaited: number[] | null;
  /** Number of the last command written for the instance. */
  commandCount: number;
  /** Whether a request waits for its result. */
  resultAwaited: boolean;
  /** The job result that was written with the step; absent if it had none. */
  result?: WrittenResult | null;
}

/** The worker whose commit waits for the next command once written, and for how long. */
export interface LingerMark {
  worker: string;
  milliseconds: number;
}

/** How a step is written. */
export interface WriteMode {
  /** The caller's transaction has locked the instance in an earlier statement. */
  locked: boolean;
  /** By how much open incidents grow. */
  incidents: number;
  /** Number of the last command that the instance has read. The next one is signaled. */
  received: number;
  /** Recorded in the row if no later command exists, so that the next one goes to the worker instead of being signaled. */
  linger?: LingerMark | undefined;
}

const partNames = [
  'start_done',
  'outcomes',
  'jobs_released',
  'user_tasks_released',
  'incidents_released',
  'jobs_created',
  'jobs_ended',
  'user_tasks_created',
  'user_tasks_ended',
  'incidents_raised',
  'incidents_ended',
  'subscriptions_opened',
  'subscriptions_closed',
  'messages_taken',
  'messages_ended',
  'messages_released',
  'signals_released',
  'signals_uncounted',
  'signals_due_again',
  'published',
  'jobs_renamed',
  'user_tasks_renamed',
  'subscriptions_renamed',
  'incidents_migrated',
  'commands_deferred',
  'far_steps',
  'events',
  'command_written',
  'job_claimed',
] as const;

const names = new StatementNames('step');

/** One change of rows other than those of the commit and the instance. */
export interface Part {
  name: (typeof partNames)[number];
  /** @param place returns the placeholder of the part's n-th value, from 0 */
  sql: (place: (index: number) => string) => string;
  values: unknown[];
}

export function stepCommitStatement(
  commit: StepCommit,
  changes: StepChanges,
  { locked, incidents, received, linger }: WriteMode,
): Statement {
  const values: unknown[] = [
    commit.workflowID,
    commit.number,
    commit.inputs.now,
    commit.inputs.lastCommand,
    JSON.stringify(commit.inputs),
    JSON.stringify(commit.facts),
    commit.facts.length,
    jsonText(commit.snapshot),
    jsonText(commit.variables),
    changes.end?.status ?? null,
    changes.end?.reason ?? null,
    locked,
    incidents,
    commit.variables === undefined ? null : searchSummaryOf(commit.variables),
    changes.migration?.definitionID ?? null,
    locked || isTakenDuringPause(commit),
    commit.activeNodes ?? null,
    entriesIn(commit.facts),
    linger?.worker ?? null,
    linger?.milliseconds ?? null,
    received,
  ];
  const { result } = commit;
  const claimOffset = values.length + 1;
  if (result) values.push(...claimValues(result));
  const claim = result && claimable((index) => `$${claimOffset + index}`);
  const parts = partsOf(commit, changes);
  const texts = parts.map((part) => {
    const offset = values.length + 1;
    values.push(...part.values);
    return `,\n${part.name} AS (${part.sql((index) => `$${offset + index}`)})`;
  });
  const awaited = parts.some(({ name }) => name === 'outcomes')
    ? '(SELECT array_agg(number) FROM outcomes WHERE awaited)'
    : 'NULL::integer[]';
  return {
    name: names.nameFor(parts.map(({ name }) => partNames.indexOf(name)).join(' ')),
    text: `${head(claim)}${texts.join('')}\n${tail(awaited, result ? writtenResult : 'NULL')}`,
    values,
  };
}

/** In a rotation nothing moves, and a lone cancel only ends things: both may happen during a pause. */
export function isTakenDuringPause({ inputs, facts }: StepCommit): boolean {
  return inputs.paused === true || inputs.rotate === true || isCancelAlone(facts);
}

function isCancelAlone(facts: readonly Fact[]): boolean {
  const isCancel = facts.some(({ kind }) => kind === 'INSTANCE_CANCELED');
  return isCancel && facts.every(({ kind }) => kind === 'COMMAND_HANDLED' || kind.endsWith('_CANCELED'));
}

/** @param claim the expression `claimable`, if the commit writes the job result that the step handled */
const head = (claim: string | undefined) => `
WITH locked AS MATERIALIZED (
  SELECT workflow_id, project_id, definition_id, status, step_count, fact_count, entry_count, command_count, parent_wait,
    coalesce(result_awaited_until > now(), false) AS result_awaited, canceling, suspended_at, ancestor_suspended, ancestor_definitions,
    CASE WHEN command_count <= $21::integer THEN $19::text END AS lingering_worker, CASE WHEN command_count <= $21 THEN now() + $20::integer * interval '1 millisecond' END AS lingering_until
  FROM instances WHERE workflow_id = $1 FOR UPDATE
), guarded AS MATERIALIZED (
  SELECT *, NOT $16::boolean AND (l.canceling OR ${isPaused('l')}) AS paused FROM locked l
)${claim === undefined ? '' : `, ${claim}`}, writable AS MATERIALIZED (
  SELECT * FROM guarded
  WHERE NOT paused AND step_count = $2::integer - 1 AND status = 'RUNNING'
    AND ($12::boolean OR $10::text IS NULL OR (${claim === undefined ? 'command_count = $4::integer AND ' : ''}parent_wait IS NULL))${claim === undefined ? '' : '\n    AND EXISTS (SELECT FROM claimable)'}
), step AS (
  INSERT INTO steps (workflow_id, number, facts_before, fact_count, entries_before, inputs, facts, snapshot)
  SELECT workflow_id, $2, fact_count, $7::integer, entry_count, $5::json, $6::json, $8::json FROM writable
), to_fold AS (
  INSERT INTO steps_to_fold (workflow_id) SELECT workflow_id FROM writable WHERE strpos(project_id, '~') = 0
), instance AS (
  UPDATE instances i SET
    step_count = $2,${claim === undefined ? '' : ' command_count = i.command_count + 1,'} fact_count = i.fact_count + $7, entry_count = i.entry_count + $18::integer,
    variables = coalesce($9::json, i.variables), search_summary = CASE WHEN $9 IS NULL THEN i.search_summary ELSE $14::jsonb END,
    captured_at = CASE WHEN $9 IS NULL THEN i.captured_at ELSE now() END,
    status = coalesce($10, i.status), failure_reason = CASE WHEN $10 = 'FAILED' THEN $11::text END,
    completed_at = CASE WHEN $10 IS NOT NULL THEN greatest(i.created_at, to_timestamp($3::float8 / 1000)) END,
    open_incidents = i.open_incidents + $13::integer, active_nodes = $17::text[], definition_id = coalesce($15::uuid, i.definition_id),
    received_commands = $21, lingering_worker = w.lingering_worker, lingering_until = w.lingering_until,
    started_definition_id = CASE WHEN $15 IS NULL THEN i.started_definition_id ELSE coalesce(i.started_definition_id, i.definition_id) END
  FROM writable w WHERE i.workflow_id = $1
)`;

const tail = (awaited: string, result: string) => `
SELECT w.workflow_id IS NOT NULL AS written, l.paused, l.step_count AS "stepCount", l.status, l.project_id AS "projectID",
  ${awaited} AS awaited, l.command_count AS "commandCount", l.result_awaited AS "resultAwaited", ${result} AS result
FROM guarded l LEFT JOIN writable w ON true`;

function partsOf(commit: StepCommit, changes: StepChanges): Part[] {
  const parts: Part[] = [];
  if (commit.number === 1) parts.push(startDone);
  if (commit.result) parts.push(...resultParts(commit, changes, commit.result));
  const outcomesOfRows = commit.outcomes.filter(({ number }) => number !== commit.result?.number);
  if (outcomesOfRows.length > 0) parts.push(outcomes(outcomesOfRows));
  if (commit.outcomes.some(({ status }) => status === 'REJECTED')) parts.push(...claimsReleased(commit, changes));
  if (changes.commandsDeferred.length > 0) parts.push(commandsDeferred(commit, changes));
  if (changes.jobsCreated.size > 0) parts.push(jobsCreated(commit, changes));
  const isClaimed = parts.some(({ name }) => name === 'job_claimed');
  const jobs = endedBefore(changes.jobsEnded, changes.jobsCreated).filter(
    ([number]) => !isClaimed || number !== commit.result!.execution,
  );
  if (jobs.length > 0) parts.push(jobsEnded(jobs));
  if (changes.userTasksCreated.size > 0) parts.push(userTasksCreated(changes));
  const userTasks = endedBefore(changes.userTasksEnded, changes.userTasksCreated);
  if (userTasks.length > 0) parts.push(userTasksEnded(userTasks));
  if (changes.incidentsRaised.size > 0) parts.push(incidentsRaised(commit, changes));
  const incidents = endedBefore(changes.incidentsEnded, changes.incidentsRaised);
  if (incidents.length > 0) parts.push(incidentsEnded(incidents));
  parts.push(...messageParts(commit, changes));
  if (changes.migration) parts.push(...migrationParts(changes, changes.migration));
  const far = farStepPart(commit);
  if (far) parts.push(far);
  const events = eventPart(
    commit,
    changes,
    parts.map(({ name }) => name),
  );
  if (events) parts.push(events);
  return parts;
}

/** Ends of existing rows; rows created and ended in one step are inserted with their end. */
function endedBefore<End>(ends: Map<number, End>, created: Map<number, unknown>): [number, End][] {
  return [...ends].filter(([number]) => !created.has(number));
}

const startDone: Part = {
  name: 'start_done',
  sql: () => 'DELETE FROM instance_starts s USING writable w WHERE s.workflow_id = $1',
  values: [],
};

function outcomes(all: readonly CommandOutcome[]): Part {
  return {
    name: 'outcomes',
    sql: (place) => `
      UPDATE commands c SET status = o.status, code = o.code, message = o.message, issues = o.issues, applied_at = now()
      FROM writable w, unnest(${place(0)}::integer[], ${place(1)}::text[], ${place(2)}::text[], ${place(3)}::text[], ${place(4)}::json[])
        AS o(number, status, code, message, issues)
      WHERE c.workflow_id = $1 AND c.number = o.number
      RETURNING c.number, c.awaited`,
    values: [
      all.map(({ number }) => number),
      all.map(({ status }) => status),
      all.map(({ code }) => code ?? null),
      all.map(({ message }) => message ?? null),
      all.map(({ issues }) => (issues === undefined ? null : JSON.stringify(issues.map(storableText)))),
    ],
  };
}

/**
 * A rejected command does not end anything, so another one may end what it had claimed. Rows that this step ends are
 * excluded, because one statement changes a row only once.
 */
function claimsReleased({ outcomes: all }: StepCommit, changes: StepChanges): Part[] {
  const rejected = all.filter(({ status }) => status === 'REJECTED').map(({ number }) => number);
  const release = (
    table: 'jobs' | 'user_tasks' | 'incidents',
    open: string,
    ended: Map<number, unknown>,
    also = '',
  ): Part => ({
    name: `${table}_released`,
    sql: (place) => `
      UPDATE ${table} t SET ending_command = NULL${also} FROM writable w
      WHERE t.workflow_id = $1 AND t.ending_command = ANY(${place(0)}::integer[]) AND ${unindexed('t.status')} = '${open}'
        AND t.number <> ALL(${place(1)}::integer[])`,
    values: [rejected, [...ended.keys()]],
  });
  return [
    release(
      'jobs',
      'PENDING',
      changes.jobsEnded,
      ', ended_by_client = NULL, ending_sha256 = NULL, available_at = now()',
    ),
    release('user_tasks', 'CREATED', changes.userTasksEnded),
    release('incidents', 'OPEN', changes.incidentsEnded),
  ];
}

/** The instance has them; they need not be delivered again. */
function commandsDeferred({ outcomes: all }: StepCommit, { commandsDeferred: deferred }: StepChanges): Part {
  const done = new Set(all.map(({ number }) => number));
  return {
    name: 'commands_deferred',
    sql: (place) => `
      UPDATE commands c SET deliver_at = 'infinity' FROM writable w
      WHERE c.workflow_id = $1 AND c.number = ANY(${place(0)}::integer[])`,
    values: [deferred.filter((number) => !done.has(number))],
  };
}

function jobsCreated({ traceContext }: StepCommit, { jobsCreated: created, jobsEnded }: StepChanges): Part {
  const jobs = [...created.values()];
  const ends = jobs.map(({ job }) => jobsEnded.get(job));
  return {
    name: 'jobs_created',
    sql: (place) => `
      INSERT INTO jobs (workflow_id, number, project_id, definition_path, element, node_id, task_type, retries, priority, headers, local_variables,
        created_at, available_at, status, completed_at, error_code, error_message, cancel_reason, trace_context, withheld, hot_until)
      SELECT w.workflow_id, j.number, w.project_id, w.ancestor_definitions || w.definition_id, j.element, j.node_id, j.task_type, j.retries, j.priority, j.headers, j.local_variables,
        to_timestamp($3::float8 / 1000), now(), j.status, CASE WHEN j.status <> 'PENDING' THEN to_timestamp($3::float8 / 1000) END,
        j.error_code, j.error_message, j.cancel_reason, ${place(11)}::json, ${withholdsJobs('w')}, w.lingering_until
      FROM writable w, unnest(${place(0)}::integer[], ${place(1)}::integer[], ${place(2)}::text[], ${place(3)}::text[],
        ${place(4)}::integer[], ${place(5)}::json[], ${place(6)}::json[], ${place(7)}::text[], ${place(8)}::text[],
        ${place(9)}::text[], ${place(10)}::text[], ${place(12)}::integer[])
        AS j(number, element, node_id, task_type, retries, headers, local_variables, status, error_code, error_message, cancel_reason, priority)`,
    values: [
      jobs.map(({ job }) => job),
      jobs.map(({ element }) => element),
      jobs.map(({ node }) => node),
      jobs.map(({ taskType }) => indexedText(taskType)),
      jobs.map(({ retries }) => Math.min(Math.trunc(retries), 2 ** 31 - 1)),
      jobs.map(({ headers }) => jsonText(headers)),
      jobs.map(({ localVariables }) => jsonText(localVariables)),
      ends.map((end) => end?.status ?? 'PENDING'),
      ...jobEndValues(ends),
      jsonText(traceContext),
      jobs.map(({ priority }) => priority ?? 0),
    ],
  };
}

function jobsEnded(ended: [number, JobEnd][]): Part {
  const ends = ended.map(([, end]) => end);
  return {
    name: 'jobs_ended',
    sql: (place) => `
      UPDATE jobs j SET status = e.status, completed_at = to_timestamp($3::float8 / 1000), error_code = e.error_code,
        error_message = e.error_message, cancel_reason = e.cancel_reason
      FROM writable w, unnest(${place(0)}::integer[], ${place(1)}::text[], ${place(2)}::text[], ${place(3)}::text[],
        ${place(4)}::text[]) AS e(number, status, error_code, error_message, cancel_reason)
      WHERE j.workflow_id = $1 AND j.number = e.number AND ${unindexed('j.status')} = 'PENDING'`,
    values: [ended.map(([number]) => number), ends.map(({ status }) => status), ...jobEndValues(ends)],
  };
}

function jobEndValues(ends: (JobEnd | undefined)[]): (string | null)[][] {
  return [
    ends.map((end) => optionalIndexedText(end?.errorCode)),
    ends.map((end) => end?.errorMessage ?? null),
    ends.map((end) => end?.cancelReason ?? null),
  ];
}

function userTasksCreated({ userTasksCreated: created, userTasksEnded }: StepChanges): Part {
  const tasks = [...created.values()];
  const ends = tasks.map(({ task }) => userTasksEnded.get(task));
  return {
    name: 'user_tasks_created',
    sql: (place) => `
      INSERT INTO user_tasks (workflow_id, number, project_id, element, node_id, assignee, candidate_users, candidate_groups,
        form_key, form_id, headers, local_variables, created_at, status, completed_at, completion_variables, error_code, cancel_reason,
        assigned_at, first_assigned_at, due_date, follow_up_date, priority, form_binding, form_version_id, form_definition_id)
      SELECT w.workflow_id, t.number, w.project_id, t.element, t.node_id, t.assignee,
        ARRAY(SELECT json_array_elements_text(t.candidate_users)), ARRAY(SELECT json_array_elements_text(t.candidate_groups)),
        t.form_key, t.form_id, t.headers, t.local_variables, to_timestamp($3::float8 / 1000), t.status,
        CASE WHEN t.status <> 'CREATED' THEN to_timestamp($3::float8 / 1000) END, t.completion_variables, t.error_code, t.cancel_reason,
        CASE WHEN t.assignee IS NOT NULL THEN to_timestamp($3::float8 / 1000) END, CASE WHEN t.assignee IS NOT NULL THEN to_timestamp($3::float8 / 1000) END, to_timestamp(t.due_date / 1000),
        to_timestamp(t.follow_up_date / 1000), t.priority,
        t.form_binding, ${boundForm({ projectID: 'w.project_id', formID: 't.form_id', binding: 't.form_binding', definitionID: 'coalesce($15::uuid, w.definition_id)' })},
        CASE WHEN ${isEmbedded('t.form_key')} THEN coalesce($15::uuid, w.definition_id) END
      FROM writable w, unnest(${place(0)}::integer[], ${place(1)}::integer[], ${place(2)}::text[], ${place(3)}::text[],
        ${place(4)}::json[], ${place(5)}::json[], ${place(6)}::text[], ${place(7)}::text[], ${place(8)}::json[], ${place(9)}::json[],
        ${place(10)}::text[], ${place(11)}::json[], ${place(12)}::text[], ${place(13)}::text[],
        ${place(14)}::float8[], ${place(15)}::float8[], ${place(16)}::integer[], ${place(17)}::json[])
        AS t(number, element, node_id, assignee, candidate_users, candidate_groups, form_key, form_id, headers, local_variables,
          status, completion_variables, error_code, cancel_reason, due_date, follow_up_date, priority, form_binding)`,
    values: [
      tasks.map(({ task }) => task),
      tasks.map(({ element }) => element),
      tasks.map(({ node }) => node),
      tasks.map(({ assignee }) => optionalIndexedText(assignee)),
      tasks.map(({ candidateUsers }) => JSON.stringify((candidateUsers ?? []).map(indexedText))),
      tasks.map(({ candidateGroups }) => JSON.stringify((candidateGroups ?? []).map(indexedText))),
      tasks.map(({ formKey }) => formKey ?? null),
      tasks.map(({ formID }) => formID ?? null),
      tasks.map(({ headers }) => jsonText(headers)),
      tasks.map(({ localVariables }) => jsonText(localVariables)),
      ends.map((end) => end?.status ?? 'CREATED'),
      ...userTaskEndValues(ends),
      tasks.map(({ dueDate }) => dueDate ?? null),
      tasks.map(({ followUpDate }) => followUpDate ?? null),
      tasks.map(({ priority }) => priority ?? DEFAULT_TASK_PRIORITY),
      tasks.map(({ formBinding }) => jsonText(formBinding)),
    ],
  };
}

function userTasksEnded(ended: [number, UserTaskEnd][]): Part {
  const ends = ended.map(([, end]) => end);
  return {
    name: 'user_tasks_ended',
    sql: (place) => `
      UPDATE user_tasks t SET status = e.status, completed_at = to_timestamp($3::float8 / 1000),
        completion_variables = e.completion_variables, error_code = e.error_code, cancel_reason = e.cancel_reason
      FROM writable w, unnest(${place(0)}::integer[], ${place(1)}::text[], ${place(2)}::json[], ${place(3)}::text[],
        ${place(4)}::text[]) AS e(number, status, completion_variables, error_code, cancel_reason)
      WHERE t.workflow_id = $1 AND t.number = e.number AND ${unindexed('t.status')} = 'CREATED'
      RETURNING t.number, t.node_id, t.assignee, t.due_date, t.priority, t.ending_command`,
    values: [ended.map(([number]) => number), ends.map(({ status }) => status), ...userTaskEndValues(ends)],
  };
}

function userTaskEndValues(ends: (UserTaskEnd | undefined)[]): (string | null)[][] {
  return [
    ends.map((end) => jsonText(end?.variables)),
    ends.map((end) => optionalIndexedText(end?.errorCode)),
    ends.map((end) => end?.cancelReason ?? null),
  ];
}

function incidentsRaised({ incidentScopes = {} }: StepCommit, changes: StepChanges): Part {
  const { incidentsRaised: raised, incidentsEnded, jobsEnded, userTasksEnded } = changes;
  const incidents = [...raised.values()];
  const failedWork = [...jobsEnded, ...userTasksEnded].filter(([, { status }]) => status === 'FAILED');
  const ends = incidents.map(({ incident }) => incidentsEnded.get(incident));
  return {
    name: 'incidents_raised',
    sql: (place) => `
      INSERT INTO incidents (workflow_id, number, project_id, definition_id, element, node_id, error_type, error_code, message,
        previous, raised_at, status, ended_at, resolved_by, scope, failed_work)
      SELECT w.workflow_id, n.number, w.project_id, coalesce($15::uuid, w.definition_id), n.element, n.node_id, n.error_type, n.error_code, n.message,
        n.previous, to_timestamp($3::float8 / 1000), n.status, CASE WHEN n.status <> 'OPEN' THEN to_timestamp($3::float8 / 1000) END, n.resolved_by, n.scope,
        (SELECT max(f.number) FROM (SELECT workflow_id, number, element FROM jobs UNION ALL SELECT workflow_id, number, element FROM user_tasks) f
          WHERE f.workflow_id = $1 AND f.number = ANY(${place(10)}::integer[]) AND f.element = n.element)
      FROM writable w, unnest(${place(0)}::integer[], ${place(1)}::integer[], ${place(2)}::text[], ${place(3)}::text[],
        ${place(4)}::text[], ${place(5)}::text[], ${place(6)}::integer[], ${place(7)}::text[], ${place(8)}::text[], ${place(9)}::integer[])
        AS n(number, element, node_id, error_type, error_code, message, previous, status, resolved_by, scope)`,
    values: [
      incidents.map(({ incident }) => incident),
      incidents.map(({ element }) => element),
      incidents.map(({ node }) => node),
      incidents.map(({ errorType }) => errorType),
      incidents.map(({ errorCode }) => optionalIndexedText(errorCode)),
      incidents.map(({ message }) => message),
      incidents.map(({ previous }) => previous ?? null),
      ends.map((end) => end?.status ?? 'OPEN'),
      ends.map((end) => end?.resolvedBy ?? null),
      incidents.map(({ incident }) => incidentScopes[incident] ?? null),
      failedWork.map(([number]) => number),
    ],
  };
}

function incidentsEnded(ended: [number, IncidentEnd][]): Part {
  return {
    name: 'incidents_ended',
    sql: (place) => `
      UPDATE incidents n SET status = e.status, ended_at = to_timestamp($3::float8 / 1000), resolved_by = e.resolved_by
      FROM writable w, unnest(${place(0)}::integer[], ${place(1)}::text[], ${place(2)}::text[]) AS e(number, status, resolved_by)
      WHERE n.workflow_id = $1 AND n.number = e.number AND ${unindexed('n.status')} = 'OPEN'
      RETURNING n.number, n.node_id, n.error_type, n.error_code, n.previous, n.ending_command`,
    values: [
      ended.map(([number]) => number),
      ended.map(([, { status }]) => status),
      ended.map(([, { resolvedBy }]) => resolvedBy ?? null),
    ],
  };
}
