/**
 * A job result that the commit of the step that handles it writes: the command, its outcome and the end of the job are
 * written in the statement of the commit, or nothing is. It saves the statement that would write the result first.
 */
import type { CommandOutcome } from '@perdure/engine/contract/commands.js';
import type { StepCommit } from '@perdure/engine/contract/step-commit.js';
import { unindexed } from '../sql/by-key.js';
import { isLeased } from './leases.js';
import type { JobEnd, StepChanges } from '../steps/project.js';
import type { Part } from '../steps/step-commit-statement.js';
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

/** The values of `claimable`, in order. */
export function claimValues({ number, execution, claim }: JobResult): unknown[] {
  return [number, execution, claim.clientID, claim.leaseToken ?? null];
}

/**
 * SQL of a common table expression: the job, if the client still has it and the command's number is free. It follows
 * `guarded`, which has locked the instance.
 * @param place returns the placeholder of the n-th value, from 0
 */
export function claimable(place: (index: number) => string): string {
  return `claimable AS MATERIALIZED (
  SELECT j.leased_at FROM guarded l JOIN jobs j ON j.workflow_id = $1 AND j.number = ${place(1)}::integer
  WHERE l.command_count = ${place(0)}::integer - 1 AND ${place(0)} = $4::integer AND ${unindexed('j.status')} = 'PENDING' AND j.ending_command IS NULL
    AND ${isLeased({ client: place(2), lease: place(3) })}
  FOR UPDATE OF j
)`;
}

/** SQL: the result as `WrittenResult`, or null. */
export const writtenResult = `(SELECT json_build_object('commandID', r.id, 'workedSeconds', extract(epoch FROM now() - c.leased_at)) FROM command_written r, claimable c)`;

/**
 * The parts that write the command and the end of its job. A rejected result does not end its job.
 * @param changes of the step, which ends the job unless the result is rejected or not handled yet
 */
export function resultParts({ outcomes }: StepCommit, changes: StepChanges, result: JobResult): Part[] {
  const outcome = outcomes.find(({ number }) => number === result.number);
  const written: Part = {
    name: 'command_written',
    sql: (place) => `
      INSERT INTO commands (workflow_id, project_id, number, body, actor, reason, awaited, status, code, message, issues, deliver_at, applied_at)
      SELECT workflow_id, project_id, $4::integer, ${place(0)}::json, ${place(1)}::text, ${place(2)}::text, false, ${place(3)}::text, ${place(4)}::text, ${place(5)}::text,
        ${place(6)}::json, now(), CASE WHEN ${place(3)} <> 'PENDING' THEN now() END FROM writable RETURNING id, number, actor, reason`,
    values: [
      JSON.stringify(bodyOf(result)),
      result.actor ?? null,
      result.reason ?? null,
      outcome?.status ?? 'PENDING',
      outcome?.code ?? null,
      outcome?.message ?? null,
      outcome?.issues === undefined ? null : JSON.stringify(outcome.issues.map(storableText)),
    ],
  };
  return outcome?.status === 'REJECTED'
    ? [written]
    : [written, jobClaimed(result, changes.jobsEnded.get(result.execution))];
}

function jobClaimed({ execution, claim }: JobResult, end: JobEnd | undefined): Part {
  return {
    name: 'job_claimed',
    sql: (place) => `
      UPDATE jobs j SET ending_command = $4::integer, ended_by_client = ${place(1)}::text, ending_sha256 = ${place(2)}::text, available_at = 'infinity',
        status = ${place(3)}::text, completed_at = CASE WHEN ${place(3)} <> 'PENDING' THEN to_timestamp($3::float8 / 1000) END,
        error_code = ${place(4)}::text, error_message = ${place(5)}::text, cancel_reason = ${place(6)}::text
      FROM writable w WHERE j.workflow_id = $1 AND j.number = ${place(0)}::integer`,
    values: [
      execution,
      claim.clientID,
      claim.sha256,
      end?.status ?? 'PENDING',
      end?.errorCode ?? null,
      end?.errorMessage ?? null,
      end?.cancelReason ?? null,
    ],
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
