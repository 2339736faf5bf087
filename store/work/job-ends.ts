/**
 * Ending a job. The first request to end it wins: its row is claimed in the statement that writes the command.
 *
 * With a client id the lease is fenced: only its holder can end the job, with a lease token only under exactly that
 * lease. Without one (an operator) any caller can, unless the instance is paused: a result of the lease holder is
 * deferred until resume, all others are refused.
 */
import { createHash } from 'node:crypto';
import type { CommandBody, JobResult, UnwrittenResult } from '@perdure/engine/contract/commands.js';
import type { Variables } from '@perdure/engine/contract/json.js';
import { auditJson, insertEntry } from '../audit/entries.js';
import { Parameter, raw, sql } from '../sql/builder.js';
import { jobsAnnouncements } from './announced-jobs.js';
import { unindexed } from '../sql/by-key.js';
import {
  commandSql,
  commandStatement,
  insertedColumns,
  submitted,
  type Request,
  type Submitted,
} from '../instances/submit-command.js';
import { firstRow, rows, type Database } from '../sql/database.js';
import { isLeased } from './leases.js';
import { endsCountedLease } from './limits/freed-places.js';
import { isPaused } from '../instances/paused.js';
import { refusalByInstance, refused, refusedByPause, type Refusal } from '../sql/refusal.js';
import { indexedText } from '../sql/text.js';
import { canonicalJson } from '@perdure/lib/canonical-json.js';

/** UTF-16 code units of the error message that a job worker reports. */
export const MAX_ERROR_MESSAGE_LENGTH = 4_000;

interface EndRequest extends Request {
  /** The job's number in its instance. */
  number: number;
  clientID?: string | undefined;
  /** The lease of the client (default: any). */
  leaseToken?: string | undefined;
}

export interface JobCompletion extends EndRequest {
  variables?: Variables | undefined;
  /** Of a job that drives an ad-hoc sub-process. */
  result?: JobResult | undefined;
}

export interface JobError extends EndRequest {
  errorCode: string;
  errorMessage?: string | undefined;
  variables?: Variables | undefined;
  /** A technical failure: the job is retried while attempts remain. */
  retryable: boolean;
  /** Backoff before the job is available again. */
  retryBackoffMilliseconds?: number | undefined;
  /** Attempts that remain after this failure, if the job worker decides it (default: one less than before). */
  attemptsLeft?: number | undefined;
  /** After the last attempt, an incident although an event would catch the code. */
  uncaught?: true | undefined;
}

/** The job is available again: no command was written. */
export interface Requeued {
  kind: 'requeued';
  /** Attempts left. */
  retries: number;
}

/** The end of the job is written as a command. */
export interface EndSubmitted extends Submitted {
  /** Time since the job was last leased; absent if it never was, and if the same end is submitted again. */
  workedSeconds?: number;
}

export type JobRefusal = Refusal<'NOT_FOUND' | 'CONFLICT' | 'INSTANCE_ENDED' | 'LEASE_LOST' | 'SUSPENDED'>;

type JobEnding = Extract<CommandBody, { kind: 'COMPLETE_JOB' | 'THROW_JOB_ERROR' }>;

/** Completes a job. A repeated request of the same client with the same variables and result returns the first command. */
export async function completeJob(database: Database, completion: JobCompletion): Promise<EndSubmitted | JobRefusal> {
  return endJob(database, completion, completionBody(completion));
}

/** The result of a completion by a job worker, for a step commit to write. */
export function claimingResult(completion: JobCompletion & { clientID: string }): Omit<UnwrittenResult, 'number'> {
  const { clientID, leaseToken, actor, reason, traceContext } = completion;
  const body = completionBody(completion);
  return {
    ...body,
    ...(traceContext && { traceContext }),
    ...(actor !== undefined && { actor }),
    ...(reason !== undefined && { reason }),
    claim: { clientID, ...(leaseToken !== undefined && { leaseToken }), sha256: digestOf(body) },
  };
}

function completionBody({
  number: execution,
  variables,
  result,
}: JobCompletion): Extract<JobEnding, { kind: 'COMPLETE_JOB' }> {
  return { kind: 'COMPLETE_JOB', execution, ...(variables && { variables }), ...(result && { result }) };
}

/** Fails a job: requeued if attempts remain, otherwise routed as a BPMN error. */
export async function throwJobError(
  database: Database,
  error: JobError,
): Promise<EndSubmitted | Requeued | JobRefusal> {
  const { number: execution, errorCode, errorMessage, variables, uncaught } = error;
  const requeued = error.retryable ? await requeue(database, error) : undefined;
  if (requeued) return requeued;
  return endJob(database, error, {
    kind: 'THROW_JOB_ERROR',
    execution,
    errorCode,
    ...(errorMessage !== undefined && { message: errorMessage }),
    ...(variables && { variables }),
    ...(uncaught && { uncaught }),
  });
}

interface EndedRow {
  id: string;
  number: number;
  lingeringWorker: string | null;
  hasReadOthers: boolean;
  waitsForResume: boolean;
  workedSeconds: number | null;
  /** The limited type of which its lease took a place. */
  frees: string | null;
}

/** Locks the instance, then the job; claims the job; numbers the command; inserts it. */
async function endJob(database: Database, request: EndRequest, body: JobEnding): Promise<EndSubmitted | JobRefusal> {
  const hash = digestOf(body);
  // The history has the work of job workers.
  const { workflowID, takesCommands, insertClaimed } = commandSql(
    request.clientID === undefined ? request : { ...request, audit: undefined },
    body,
  );
  const client = new Parameter(request.clientID ?? null);
  const statement = sql`
  WITH instance AS MATERIALIZED (
    SELECT workflow_id, command_count, ${raw(isPaused('i'))} AS paused FROM instances i
    WHERE ${takesCommands} FOR UPDATE
  ), claim AS (
    UPDATE jobs j SET ending_command = instance.command_count + 1, ended_by_client = ${client}, ending_sha256 = ${hash}, available_at = 'infinity'
    FROM instance WHERE j.workflow_id = ${workflowID} AND j.number = ${request.number} AND ${raw(unindexed('status'))} = 'PENDING' AND ending_command IS NULL
      AND (${client}::text IS NULL OR ${isLeased({ client: sql`${client}`, lease: sql`${new Parameter(request.leaseToken ?? null)}` })})
      AND (${client} IS NOT NULL OR NOT instance.paused) RETURNING j.workflow_id, j.leased_at, CASE WHEN ${raw(endsCountedLease('j'))} THEN j.task_type END AS frees
  ), ${insertClaimed}
  SELECT ${insertedColumns}, instance.paused AS "waitsForResume",
    (SELECT extract(epoch FROM now() - leased_at)::float8 FROM claim) AS "workedSeconds", (SELECT frees FROM claim) AS frees FROM inserted, instance`;
  const [row] = (await database.query<EndedRow>(commandStatement(statement, 'end job', request))).rows;
  if (!row) return firstAnswerOrRefusal(database, request, body, hash);
  if (row.frees !== null) database.announce(jobsAnnouncements(request.projectID, [row.frees]));
  return { ...submitted(request, body, row), ...(row.workedSeconds !== null && { workedSeconds: row.workedSeconds }) };
}

function digestOf(body: JobEnding): string {
  return createHash('sha256').update(canonicalJson(body)).digest('base64url');
}

/** Uses one attempt; undefined if it was the last one, or if the client cannot end the job. */
async function requeue(database: Database, error: JobError): Promise<Requeued | undefined> {
  const [requeued] = await rows<{ retries: number; taskType: string; counted: boolean }>(
    database,
    `WITH requeued AS (
       UPDATE jobs SET retries = coalesce($10::integer, retries - 1), locked_by = NULL, lock_expires_at = NULL,
       available_at = now() + $5 * interval '1 millisecond', error_code = $6, error_message = $7
     WHERE project_id = $1 AND workflow_id = $2 AND number = $3 AND ($10::integer IS NOT NULL OR retries > 1) AND status = 'PENDING' AND ending_command IS NULL
       AND CASE WHEN $4::text IS NULL THEN NOT EXISTS (SELECT 1 FROM instances i WHERE i.workflow_id = $2 AND ${isPaused('i')})
         ELSE ${isLeased({ client: '$4', lease: '$8' })} END
     RETURNING retries, task_type AS "taskType", counted
     ), entry AS (
       ${insertEntry({ source: 'requeued', draft: '$9', projectID: '$1', ids: { workflowID: '$2' } })}
     ) SELECT * FROM requeued`,
    [
      error.projectID,
      error.workflowID,
      error.number,
      error.clientID ?? null,
      error.retryBackoffMilliseconds ?? 0,
      indexedText(error.errorCode),
      error.errorMessage ?? null,
      error.leaseToken ?? null,
      auditJson(error.clientID === undefined ? error.audit : undefined),
      error.attemptsLeft ?? null,
    ],
  );
  if (!requeued) return undefined;
  // With a backoff it is not available itself, but it may leave a place to another one.
  if (!error.retryBackoffMilliseconds || requeued.counted)
    database.announce(jobsAnnouncements(error.projectID, [requeued.taskType]));
  return { kind: 'requeued', retries: requeued.retries };
}

interface UnendableJob {
  status: string;
  lockedBy: string | null;
  leased: boolean;
  endingCommand: number | null;
  endedByClient: string | null;
  endingSHA256: string | null;
  commandID: string | null;
  instanceStatus: string;
  canceling: boolean;
  paused: boolean;
}

async function firstAnswerOrRefusal(
  database: Database,
  request: EndRequest,
  body: JobEnding,
  hash: string,
): Promise<Submitted | JobRefusal> {
  const { workflowID, number, clientID } = request;
  const job = await firstRow<UnendableJob>(
    database,
    `SELECT j.status, j.locked_by AS "lockedBy", coalesce(j.lock_expires_at > now(), false) AS leased,
       j.ending_command AS "endingCommand", j.ended_by_client AS "endedByClient", j.ending_sha256 AS "endingSHA256",
       c.id AS "commandID", i.status AS "instanceStatus", i.canceling, ${isPaused('i')} AS paused
     FROM jobs j JOIN instances i USING (workflow_id)
     LEFT JOIN commands c ON c.workflow_id = j.workflow_id AND c.number = j.ending_command
     WHERE j.project_id = $1 AND j.workflow_id = $2 AND j.number = $3`,
    [request.projectID, workflowID, number],
  );
  if (!job) return refused('NOT_FOUND', `There is no job ${number} of instance ${workflowID} in this project`);
  if (clientID !== undefined && job.endedByClient === clientID && job.endingSHA256 === hash) {
    return submitted(request, body, {
      id: job.commandID!,
      number: job.endingCommand!,
      waitsForResume: job.paused && job.status === 'PENDING',
      isNew: false,
      // The first request has sent it, and the outbox relay sends it again.
      hasReadOthers: false,
    });
  }
  if (job.endingCommand !== null)
    return refused('CONFLICT', `Job ${number} of instance ${workflowID} was ended by another request`);
  if (job.status !== 'PENDING') return refused('CONFLICT', `Job ${number} of instance ${workflowID} is ${job.status}`);
  const byInstance = refusalByInstance(workflowID, { status: job.instanceStatus, canceling: job.canceling });
  if (byInstance) return byInstance;
  if (job.paused) return refusedByPause(workflowID);
  const holder = job.leased
    ? job.lockedBy === clientID
      ? 'the job was leased again under a new lease token'
      : 'another client holds it'
    : 'the lease has expired';
  return refused('LEASE_LOST', `Client ${clientID} has no lease on job ${number} of instance ${workflowID}: ${holder}`);
}
