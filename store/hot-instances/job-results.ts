/**
 * A job result that the commit of the step that handles it writes: the command, its outcome and the end of the job are
 * written in the statement of the commit, or nothing is. It saves the statement that would write the result first.
 */
import type { CommandOutcome } from '@perdure/engine/contract/commands.js';
import type { StepCommit } from '@perdure/engine/contract/step-commit.js';
import { unindexed } from '../sql/by-key.js';
import { isLeased } from '../work/leases.js';
import { endsCountedLease } from '../work/limits/freed-places.js';
import type { JobEnd, StepChanges } from '../steps/project.js';
import { Parameter, raw, sql, type Sql } from '../sql/builder.js';
import type { Part, StepParameters } from '../steps/commit/part.js';
import { storableText } from '../sql/text.js';

/** The part of a written result that its request reports. */
export interface WrittenResult {
  commandID: string;
  /** Time since the job was last leased; absent if another request wrote the same result first. */
  workedSeconds?: number | undefined;
}

/** A written result with the outcome of its step; undefined if the step did not handle it. */
export interface AppliedResult extends WrittenResult {
  outcome: CommandOutcome | undefined;
}

type JobResult = NonNullable<StepCommit['result']>;

/**
 * The common table expression of the job, if the client still has it and the command's number is free. It follows
 * `guarded`, which has locked the instance.
 */
export function claimable({ workflowID, lastCommand }: StepParameters, { number, execution, claim }: JobResult): Sql {
  const command = new Parameter(number);
  return sql`claimable AS MATERIALIZED (
  SELECT j.leased_at, CASE WHEN ${raw(endsCountedLease('j'))} THEN j.task_type END AS frees FROM guarded l JOIN jobs j ON j.workflow_id = ${workflowID} AND j.number = ${execution}::integer
  WHERE l.command_count = ${command}::integer - 1 AND ${command} = ${lastCommand}::integer AND ${raw(unindexed('j.status'))} = 'PENDING' AND j.ending_command IS NULL
    AND ${isLeased({ client: sql`${claim.clientID}`, lease: sql`${new Parameter(claim.leaseToken ?? null)}` })}
  FOR UPDATE OF j
)`;
}

/** SQL: the result as `WrittenResult`, or null. */
export const writtenResult = `(SELECT json_build_object('commandID', r.id, 'workedSeconds', extract(epoch FROM now() - c.leased_at)) FROM command_written r, claimable c)`;

/**
 * The parts that write the command and the end of its job. A rejected result does not end its job.
 * @param changes of the step, which ends the job unless the result is rejected or not handled yet
 */
export function resultParts(
  step: StepParameters,
  { outcomes }: StepCommit,
  changes: StepChanges,
  result: JobResult,
): Part[] {
  const outcome = outcomes.find(({ number }) => number === result.number);
  const status = new Parameter(outcome?.status ?? 'PENDING');
  const issues = outcome?.issues === undefined ? null : JSON.stringify(outcome.issues.map(storableText));
  const written: Part = {
    name: 'command_written',
    sql: sql`
      INSERT INTO commands (workflow_id, project_id, number, body, actor, reason, awaited, status, code, message, issues, deliver_at, applied_at)
      SELECT workflow_id, project_id, ${step.lastCommand}::integer, ${JSON.stringify(bodyOf(result))}::json, ${result.actor ?? null}::text, ${result.reason ?? null}::text, false,
        ${status}::text, ${outcome?.code ?? null}::text, ${outcome?.message ?? null}::text, ${issues}::json, now(), CASE WHEN ${status} <> 'PENDING' THEN now() END
      FROM writable RETURNING id, number, actor, reason`,
  };
  return outcome?.status === 'REJECTED'
    ? [written]
    : [written, jobClaimed(step, result, changes.jobsEnded.get(result.execution))];
}

function jobClaimed(step: StepParameters, { execution, claim }: JobResult, end: JobEnd | undefined): Part {
  const status = new Parameter(end?.status ?? 'PENDING');
  return {
    name: 'job_claimed',
    sql: sql`
      UPDATE jobs j SET ending_command = ${step.lastCommand}::integer, ended_by_client = ${claim.clientID}::text, ending_sha256 = ${claim.sha256}::text, available_at = 'infinity',
        status = ${status}::text, completed_at = CASE WHEN ${status} <> 'PENDING' THEN w.stepped_at END,
        error_code = ${end?.errorCode ?? null}::text, error_message = ${end?.errorMessage ?? null}::text, cancel_reason = ${end?.cancelReason ?? null}::text
      FROM writable w WHERE j.workflow_id = ${step.workflowID} AND j.number = ${execution}::integer`,
  };
}

/** As the row has it. The kind is its first member, the job its second. */
function bodyOf({
  number: _number,
  actor: _actor,
  reason: _reason,
  claim: _claim,
  projectID: _project,
  ...body
}: JobResult) {
  return body;
}
