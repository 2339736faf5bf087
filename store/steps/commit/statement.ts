/**
 * The single statement of a step commit. It locks the instance, compares the step number, and writes the commit and
 * every row it changes, or nothing. It contains only the parts that the step needs; frequent combinations of parts are
 * prepared.
 *
 * All parts see the database as of before the statement waited for the lock. That is correct for rows that only steps
 * of this instance change. It can miss rows that others insert in the meantime (commands), so an instance that ends
 * with pending commands is not written here unless `locked` says that the caller already holds the lock.
 */
import type { Fact } from '@perdure/engine/contract/facts.js';
import type { StepCommit } from '@perdure/engine/contract/step-commit.js';
import { eventParts } from '../../events/step-part.js';
import { claimable, resultParts, writtenResult, type WrittenResult } from '../../hot-instances/job-results.js';
import { lingerColumns, type LingerMark } from '../../hot-instances/linger-mark.js';
import { isStopped } from '../../instances/paused.js';
import { messageParts } from '../../messages/subscriptions.js';
import { migrationParts } from '../../migration/migrated-rows.js';
import { joined, Parameter, raw, sql, statementOf, type Sql } from '../../sql/builder.js';
import type { Statement } from '../../sql/database.js';
import { searchSummaryOf } from '../../sql/search-summary.js';
import { StatementNames } from '../../sql/statement-names.js';
import { jsonText } from '../../sql/text.js';
import { incidentParts } from '../../work/incidents/step-parts.js';
import { jobParts } from '../../work/step-parts.js';
import { userTaskParts } from '../../work/user-tasks/step-parts.js';
import { entriesIn, farStepParts } from '../far-steps.js';
import type { StepChanges } from '../project.js';
import { commandParts } from './command-parts.js';
import { partNames, stepParameters, type Part, type StepParameters } from './part.js';

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
  /** Whether its end frees a place of its process. */
  hasPlace: boolean;
  /** Limited types of which ended leases took places, each as often as they did. */
  freed: string[] | null;
  /** The job result that was written with the step; absent if it had none. */
  result?: WrittenResult | null;
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

const names = new StatementNames('step');

export function stepCommitStatement(
  commit: StepCommit,
  changes: StepChanges,
  mode: WriteMode,
): Statement & { values: unknown[] } {
  const step = stepParameters(commit, changes);
  const parts = partsOf(step, commit, changes);
  const awaited = parts.some(({ name }) => name === 'outcomes')
    ? raw('(SELECT array_agg(number) FROM outcomes WHERE awaited)')
    : raw('NULL::integer[]');
  const frees = [
    ...(parts.some(({ name }) => name === 'jobs_ended') ? ['SELECT task_type FROM jobs_ended WHERE frees_place'] : []),
    ...(commit.result ? ['SELECT frees FROM claimable, command_written WHERE frees IS NOT NULL'] : []),
  ];
  const freed = raw(frees.length > 0 ? `ARRAY(${frees.join(' UNION ALL ')})` : 'NULL::text[]');
  const statement = sql`
WITH ${joined([...head(step, commit, changes, mode), ...parts.map(asExpression)], ',\n')}
SELECT w.workflow_id IS NOT NULL AS written, l.paused, l.step_count AS "stepCount", l.status, l.project_id AS "projectID",
  ${awaited} AS awaited, ${freed} AS freed, l.command_count AS "commandCount", l.result_awaited AS "resultAwaited", l.has_place AS "hasPlace", ${raw(commit.result ? writtenResult : 'NULL')} AS result
FROM guarded l LEFT JOIN writable w ON true`;
  // The parts determine the text.
  return statementOf(statement, names.nameFor(parts.map(({ name }) => partNames.indexOf(name)).join(' ')));
}

function asExpression({ name, sql: text }: Part): Sql {
  return sql`${raw(name)} AS (${text})`;
}

/** In a rotation nothing moves, and a lone cancel only ends things: both may happen during a pause. */
export function isTakenDuringPause({ inputs, facts }: StepCommit): boolean {
  return inputs.paused === true || inputs.rotate === true || isCancelAlone(facts);
}

function isCancelAlone(facts: readonly Fact[]): boolean {
  const isCancel = facts.some(({ kind }) => kind === 'INSTANCE_CANCELED');
  return isCancel && facts.every(({ kind }) => kind === 'COMMAND_HANDLED' || kind.endsWith('_CANCELED'));
}

/** The expressions that every step commit has. */
function head(step: StepParameters, commit: StepCommit, changes: StepChanges, mode: WriteMode): Sql[] {
  const received = new Parameter(mode.received);
  const status = new Parameter(changes.end?.status ?? null);
  const factCount = new Parameter(commit.facts.length);
  return [
    locked(step, received, mode.linger),
    guarded(commit, mode),
    ...(commit.result ? [claimable(step, commit.result)] : []),
    writable(step, commit, status, mode),
    stepRow(step, commit, factCount),
    raw(`to_fold AS (
  INSERT INTO steps_to_fold (workflow_id) SELECT workflow_id FROM writable WHERE strpos(project_id, '~') = 0
)`),
    instance(step, commit, { status, factCount, received, incidents: mode.incidents, reason: changes.end?.reason }),
  ];
}

function locked({ workflowID }: StepParameters, received: Parameter, linger: LingerMark | undefined): Sql {
  return sql`locked AS MATERIALIZED (
  SELECT workflow_id, root_workflow_id, parent_workflow_id, depth, project_id, definition_id, status, step_count, fact_count, entry_count, command_count, parent_wait,
    coalesce(result_awaited_until > now(), false) AS result_awaited, canceling, suspended_at, ancestor_suspended, ancestor_definitions,
    concurrency_group IS NOT NULL AS has_place, ${lingerColumns(received, linger)}
  FROM instances WHERE workflow_id = ${workflowID} FOR UPDATE
)`;
}

function guarded(commit: StepCommit, mode: WriteMode): Sql {
  return sql`guarded AS MATERIALIZED (
  SELECT *, NOT ${mode.locked || isTakenDuringPause(commit)}::boolean AND ${raw(isStopped('l'))} AS paused FROM locked l
)`;
}

/**
 * The instance, if the step can be written. No step handles a command that has no row (ADR 135); with a job result,
 * `claimable` has compared the number of commands.
 */
function writable(step: StepParameters, { result }: StepCommit, status: Parameter, mode: WriteMode): Sql {
  const hasRows = result ? raw('EXISTS (SELECT FROM claimable)') : sql`command_count >= ${step.lastCommand}::integer`;
  const hasAllCommands = result ? raw('') : sql`command_count = ${step.lastCommand}::integer AND `;
  return sql`writable AS MATERIALIZED (
  SELECT *, to_timestamp(${step.now}::float8 / 1000) AS stepped_at, coalesce(${step.newDefinitionID}::uuid, definition_id) AS next_definition_id FROM guarded
  WHERE NOT paused AND step_count = ${step.number}::integer - 1 AND status = 'RUNNING'
    AND (${mode.locked}::boolean OR ${status}::text IS NULL OR (${hasAllCommands}parent_wait IS NULL))
    AND ${hasRows}
)`;
}

function stepRow({ number }: StepParameters, { facts, inputs, snapshot }: StepCommit, factCount: Parameter): Sql {
  return sql`step AS (
  INSERT INTO steps (workflow_id, number, facts_before, fact_count, entries_before, inputs, facts, snapshot)
  SELECT workflow_id, ${number}, fact_count, ${factCount}::integer, entry_count, ${JSON.stringify(inputs)}::json, ${JSON.stringify(facts)}::json, ${jsonText(snapshot)}::json FROM writable
)`;
}

interface InstanceChange {
  status: Parameter;
  factCount: Parameter;
  received: Parameter;
  incidents: number;
  /** Why it failed. */
  reason: string | undefined;
}

function instance(step: StepParameters, commit: StepCommit, change: InstanceChange): Sql {
  const { status, factCount, received, incidents, reason } = change;
  const variables = new Parameter(jsonText(commit.variables));
  const summary = commit.variables === undefined ? null : searchSummaryOf(commit.variables);
  return sql`instance AS (
  UPDATE instances i SET
    step_count = ${step.number},${raw(commit.result ? ' command_count = i.command_count + 1,' : '')} fact_count = i.fact_count + ${factCount}, entry_count = i.entry_count + ${entriesIn(commit.facts)}::integer,
    variables = coalesce(${variables}::json, i.variables), search_summary = CASE WHEN ${variables} IS NULL THEN i.search_summary ELSE ${summary}::jsonb END,
    captured_at = CASE WHEN ${variables} IS NULL THEN i.captured_at ELSE now() END,
    status = coalesce(${status}, i.status), failure_reason = CASE WHEN ${status} = 'FAILED' THEN ${reason ?? null}::text END,
    completed_at = CASE WHEN ${status} IS NOT NULL THEN greatest(i.created_at, w.stepped_at) END,
    open_incidents = i.open_incidents + ${incidents}::integer, active_nodes = ${commit.activeNodes ?? null}::text[], definition_id = w.next_definition_id,
    received_commands = ${received}, lingering_worker = w.lingering_worker, lingering_until = w.lingering_until,
    started_definition_id = CASE WHEN ${step.newDefinitionID} IS NULL THEN i.started_definition_id ELSE coalesce(i.started_definition_id, i.definition_id) END
  FROM writable w WHERE i.workflow_id = ${step.workflowID}
)`;
}

function partsOf(step: StepParameters, commit: StepCommit, changes: StepChanges): Part[] {
  const result = commit.result ? resultParts(step, commit, changes, commit.result) : [];
  const claimed = result.some(({ name }) => name === 'job_claimed') ? commit.result?.execution : undefined;
  const parts = [
    ...(commit.number === 1 || commit.endsStart ? [startDone(step)] : []),
    ...result,
    ...commandParts(step, commit, changes),
    ...jobParts(step, commit, changes, claimed),
    ...userTaskParts(step, commit, changes),
    ...incidentParts(step, commit, changes),
    ...messageParts(step, commit, changes),
    ...(changes.migration ? migrationParts(step, changes, changes.migration) : []),
    ...farStepParts(step, commit),
  ];
  return [...parts, ...eventParts(step, commit, changes, parts)];
}

function startDone({ workflowID }: StepParameters): Part {
  return {
    name: 'start_done',
    sql: sql`DELETE FROM instance_starts s USING writable w WHERE s.workflow_id = ${workflowID}`,
  };
}
