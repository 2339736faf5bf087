/**
 * Commits a step: all facts of one step of an instance, in one transaction, exactly once.
 *
 * Nearly every step commit is one statement. A commit that affects other instances (calls, cancels or answers one,
 * opens or closes an incident that counts for its ancestors), and the last one of an instance with pending requests,
 * locks what it needs first and is then a transaction of several statements.
 */
import { digestOf } from '@perdure/engine/state/facts-digest.js';
import type { StepCommit, CommitResult, StepInputs } from '@perdure/engine/contract/step-commit.js';
import {
  outboxAnnouncements,
  type OutboxSort,
  outcomeAnnouncement,
  resultAnnouncement,
  type Announcement,
} from '../sql/announcements.js';
import { callChildren, cancelChildren, reportEnd, reportEscalations } from '../instances/children.js';
import { rejectPending } from '../instances/commands.js';
import { firstRow, preparedRows, type Database, type Queryable, type Transaction } from '../sql/database.js';
import { isPermanent } from '../sql/permanence.js';
import { waitIfPaused } from './pause-waiters.js';
import { lockWithAncestors, type LockedInstance } from '../instances/locks.js';
import { isTakenDuringPause, stepCommitStatement, type CommitRow, type WriteMode } from './commit/statement.js';
import { incidentBalance, project, type StepChanges } from './project.js';
import { reasonNotToKeep } from '../messages/room.js';
import { leavesSomethingToMatch, releaseMessages } from '../messages/subscriptions.js';
import { thinSnapshots } from './snapshots.js';
import type { WrittenResult } from '../hot-instances/job-results.js';
import { jobsAnnouncements } from '../work/announced-jobs.js';
import { completeJob } from '../work/job-ends.js';
import { noteKeyedTypes } from '../work/limits/limits.js';
import { canonicalJson } from '@perdure/lib/canonical-json.js';

/** The result of a step commit, with the number of the last command written for its instance before. */
export interface WrittenCommit {
  answer: CommitResult;
  /** Undefined if the instance has no row. */
  commandCount?: number;
  /** The job result that was written with the step. */
  result?: WrittenResult;
}

/**
 * Commits the step `commit` unless a step with its number is already committed.
 * @param received number of the last command that the instance has read (default: that the step handled); recorded if the
 *   step is written now
 * @param linger recorded if the step is written now and no command after `received` exists
 * @returns `accepted` if the step is committed, now or earlier with the same inputs; `adopt` if a step with this number was
 *   committed with other inputs, with which the instance must repeat the step; `paused` if the instance is paused or being
 *   canceled and tokens may have moved in the step, which is then not written: the instance receives a signal when the pause
 *   ends, or the command that cancels it; `ended` if the instance was ended while its workflow did not exist; `withdrawn`
 *   if the job result of the commit cannot be written; `unkept` if the project has no room for the messages of the step
 * @throws if the instance does not exist, or if an earlier step commit or a command of the step is missing
 */
export async function writeStepCommit(
  database: Database,
  commit: StepCommit,
  received = commit.inputs.lastCommand,
  linger?: WriteMode['linger'],
): Promise<WrittenCommit> {
  const reading = { received, linger };
  const result = await writeOnce(database, commit, reading).catch((error: unknown) => {
    // A snapshot only saves reading: its step is written without it.
    if (!commit.snapshot || !isPermanent(error)) throw error;
    const { snapshot: _unstorable, ...rest } = commit;
    return writeOnce(database, rest, reading);
  });
  if (commit.snapshot) await thinSnapshots(database, commit.workflowID, commit.number);
  return result;
}

async function writeOnce(database: Database, commit: StepCommit, reading: Reading): Promise<WrittenCommit> {
  const changes = project(commit.facts);
  const keyed = [...changes.jobsCreated.values()].filter(({ limitKey }) => limitKey !== undefined);
  if (keyed.length > 0)
    await noteKeyedTypes(
      database,
      commit.workflowID,
      keyed.map(({ taskType }) => taskType),
    );
  const unkept = await reasonNotToKeep(database, commit, changes);
  // A result without a row is written by the API as any other command, which is then judged alone.
  if (unkept !== undefined)
    return { answer: commit.result ? { kind: 'withdrawn' } : { kind: 'unkept', message: unkept } };
  if (!reachesOthers(changes)) {
    const answer = await write(database, commit, changes, { locked: false, incidents: 0, ...reading });
    if (!answer) return { answer: await answerWithoutInstance(database, commit) };
    const { commandCount } = answer;
    if (answer.written) {
      const matching = leavesSomethingToMatch(commit, changes) ? outboxAnnouncements(['matching']) : [];
      const result = changes.end && answer.resultAwaited ? [resultAnnouncement(commit.workflowID)] : [];
      database.announce([
        ...outcomesOf(commit, answer.awaited),
        ...result,
        ...jobsOf(changes, answer),
        ...matching,
        ...(changes.end && answer.hasPlace ? outboxAnnouncements(['places']) : []),
      ]);
      return { answer: { kind: 'accepted' }, commandCount, ...(answer.result && { result: answer.result }) };
    }
    if (answer.stepCount !== commit.number - 1 || answer.status !== 'RUNNING')
      return { answer: await answerRepeated(database, commit, answer), commandCount };
    // The last commit of a called instance needs several statements.
    const needsMore = changes.end !== undefined && !answer.paused && commandCount + 1 === commit.result?.number;
    if (commit.result && !needsMore) return { answer: { kind: 'withdrawn' }, commandCount };
  }
  return commit.result
    ? writeResultFirst(database, commit, commit.result, changes, reading)
    : writeWithOthers(database, commit, changes, reading);
}

/** Writes the result with a separate statement: a commit that affects other instances takes several anyway. */
async function writeResultFirst(
  database: Database,
  { result: _result, ...commit }: StepCommit,
  result: NonNullable<StepCommit['result']>,
  changes: StepChanges,
  reading: Reading,
): Promise<WrittenCommit> {
  const { execution, claim, number, variables, actor, reason, traceContext, projectID } = result;
  const job = { workflowID: commit.workflowID, number: execution, projectID };
  const request = { actor, reason, traceContext, variables, result: result.result, ...claim, awaited: false };
  const submitted = await completeJob(database, { ...job, ...request });
  if (submitted.kind === 'refused' || submitted.command.number !== number)
    return { answer: await answerUnclaimed(database, commit) };
  const written = await writeWithOthers(database, commit, changes, reading);
  const { commandID, workedSeconds } = submitted;
  return written.answer.kind === 'accepted' ? { ...written, result: { commandID, workedSeconds } } : written;
}

function reachesOthers(changes: StepChanges): boolean {
  const { childrenCalled, childrenCanceled, escalations } = changes;
  return (
    childrenCalled.size > 0 || childrenCanceled.length > 0 || escalations.length > 0 || incidentBalance(changes) !== 0
  );
}

/** The commands that the instance has read, and how its commit waits for the next one. */
type Reading = Pick<WriteMode, 'received' | 'linger'>;

async function write(
  database: Queryable,
  commit: StepCommit,
  changes: StepChanges,
  how: WriteMode,
): Promise<CommitRow | undefined> {
  const { name, text, values } = stepCommitStatement(commit, changes, how);
  const [answer] = await preparedRows<CommitRow>(database, name, text, values);
  return answer;
}

/** Retention may have removed an instance before its workflow learned that its last step is committed. */
async function answerWithoutInstance(database: Queryable, { workflowID, number }: StepCommit): Promise<CommitResult> {
  const removed = await firstRow(
    database,
    'SELECT FROM removed_instances WHERE workflow_id = $1 UNION ALL SELECT FROM gone_instances WHERE workflow_id = $1',
    [workflowID],
  );
  if (removed) return { kind: 'ended' };
  throw new Error(
    `Cannot commit step ${number} of instance ${workflowID}: the database has no such instance. Check DATABASE_URL; after a restore, run resync.`,
  );
}

async function writeWithOthers(
  database: Database,
  commit: StepCommit,
  changes: StepChanges,
  reading: Reading,
): Promise<WrittenCommit> {
  return database.transaction(async (transaction): Promise<WrittenCommit> => {
    const locked = await lockWithAncestors(transaction, commit.workflowID);
    if (!locked) return { answer: await answerWithoutInstance(transaction, commit) };
    const { instance, ancestors } = locked;
    const { commandCount } = instance;
    if (instance.stepCount !== commit.number - 1 || instance.status !== 'RUNNING') {
      return { answer: await answerRepeated(transaction, commit, instance), commandCount };
    }
    // Once a cancel is written, nothing moves below it either. Its command will follow.
    if (!isTakenDuringPause(commit)) {
      if ([instance, ...ancestors].some(({ canceling }) => canceling))
        return { answer: { kind: 'paused' }, commandCount };
      const refusal = await waitIfPaused(transaction, instance, ancestors);
      if (refusal !== undefined) return { answer: { kind: 'paused', refusal }, commandCount };
    }
    await writeLocked(transaction, commit, changes, instance, ancestors, reading);
    return { answer: { kind: 'accepted' }, commandCount };
  });
}

/**
 * Refuses a step that handled a command without a row: the number would be given to the next command, which the instance
 * would then drop as handled (ADR 135).
 */
function assertCommandsExist({ workflowID, number, inputs }: StepCommit, commandCount: number): void {
  if (inputs.lastCommand <= commandCount) return;
  throw new Error(
    `Cannot commit step ${number} of instance ${workflowID}: it handled command ${inputs.lastCommand}, but the last command with a row is ${commandCount}. If Postgres was restored, run resync.`,
  );
}

/** Commits the next step of an instance that the transaction has locked together with all its ancestors. */
export async function writeLocked(
  transaction: Transaction,
  commit: StepCommit,
  changes: StepChanges,
  instance: LockedInstance,
  ancestors: readonly LockedInstance[],
  reading: Reading = { received: commit.inputs.lastCommand },
): Promise<void> {
  assertCommandsExist(commit, instance.commandCount);
  const incidents = incidentBalance(changes);
  const written = (await write(transaction, commit, changes, { locked: true, incidents, ...reading }))!;
  transaction.announce([
    ...outcomesOf(commit, written.awaited),
    ...jobsOf(changes, written),
    ...outboxAnnouncements(outboxSortsOf(commit, changes)),
    ...(changes.end && instance.hasPlace ? outboxAnnouncements(['places']) : []),
  ]);
  if (changes.end || incidents > 0)
    transaction.announce(resultsOf(incidents > 0 ? [instance, ...ancestors] : [instance]));
  if (incidents !== 0) await countIncidents(transaction, ancestors, incidents);
  if (changes.childrenCalled.size > 0)
    await callChildren(transaction, instance, [...changes.childrenCalled.values()], commit.traceContext);
  if (changes.childrenCanceled.length > 0) await cancelChildren(transaction, changes.childrenCanceled);
  if (changes.escalations.length > 0) await reportEscalations(transaction, instance, changes.escalations);
  if (changes.end) {
    const rejected = await rejectPending(
      transaction,
      instance.workflowID,
      `Instance ${instance.workflowID} is ${changes.end.status}`,
    );
    await releaseMessages(transaction, instance.workflowID);
    transaction.announce(
      rejected.map((number) => outcomeAnnouncement(instance.workflowID, { number, status: 'REJECTED' })),
    );
    await reportEnd(transaction, instance, changes.end);
  }
}

/** The work that the commit leaves to the outbox relay. */
function outboxSortsOf(commit: StepCommit, changes: StepChanges): OutboxSort[] {
  const { end, childrenCalled, childrenCanceled, escalations } = changes;
  return [
    // The end releases messages that were on their way to the instance.
    ...(end || leavesSomethingToMatch(commit, changes) ? (['matching'] as const) : []),
    ...(childrenCalled.size > 0 ? (['starts'] as const) : []),
    ...(end || childrenCanceled.length > 0 || escalations.length > 0 ? (['commands'] as const) : []),
  ];
}

async function countIncidents(
  transaction: Transaction,
  ancestors: readonly LockedInstance[],
  incidents: number,
): Promise<void> {
  if (ancestors.length === 0) return;
  await transaction.query(
    'UPDATE instances SET open_incidents = open_incidents + $2 WHERE workflow_id = ANY($1::text[])',
    [ancestors.map(({ workflowID }) => workflowID), incidents],
  );
}

async function answerRepeated(
  database: Queryable,
  commit: StepCommit,
  instance: { stepCount: number; status: string },
): Promise<CommitResult> {
  const isOver = instance.status !== 'RUNNING';
  // A workflow task may commit several steps; if it is lost, all of them are repeated from the first on.
  if (instance.stepCount < commit.number) {
    if (isOver) return { kind: 'ended' };
    throw new Error(
      `Cannot commit step ${commit.number} of instance ${commit.workflowID}: its last committed step is ${instance.stepCount} (status ${instance.status}). If Postgres was restored, run resync.`,
    );
  }
  const stored = await storedStep(database, commit);
  const inputs = stored?.inputs;
  // Commits of an ended instance are kept for a while only.
  if (inputs?.endedElsewhere || (!inputs && isOver)) return { kind: 'ended' };
  if (!inputs) throw new Error(`Step ${commit.number} of instance ${commit.workflowID} is counted but not stored`);
  const digest = digestOf(stored!.facts);
  const behind = instance.stepCount > commit.number && { behind: true as const };
  // A result without a row may differ from the command that the committed step handled under its number.
  return !commit.result && sameInputs(inputs, commit.inputs)
    ? { kind: 'accepted', digest, repeated: true, ...behind }
    : { kind: 'adopt', inputs, digest, ...behind };
}

/** For a commit whose job result cannot be written: an earlier attempt may have committed the step. */
async function answerUnclaimed(database: Database, commit: StepCommit): Promise<CommitResult> {
  const instance = await firstRow<{ stepCount: number; status: string }>(
    database,
    'SELECT step_count AS "stepCount", status FROM instances WHERE workflow_id = $1',
    [commit.workflowID],
  );
  if (!instance) return answerWithoutInstance(database, commit);
  const isNext = instance.stepCount === commit.number - 1 && instance.status === 'RUNNING';
  return isNext ? { kind: 'withdrawn' } : answerRepeated(database, commit, instance);
}

async function storedStep(
  database: Queryable,
  { workflowID, number }: StepCommit,
): Promise<Pick<StepCommit, 'inputs' | 'facts'> | undefined> {
  return firstRow(database, 'SELECT inputs, facts FROM steps WHERE workflow_id = $1 AND number = $2', [
    workflowID,
    number,
  ]);
}

/** Compared as stored: an undefined member is absent. */
function sameInputs(stored: StepInputs, given: StepInputs): boolean {
  return canonicalJson(stored) === canonicalJson(given);
}

function outcomesOf(commit: StepCommit, awaited: number[] | null): Announcement[] {
  if (awaited === null) return [];
  return commit.outcomes
    .filter(({ number }) => awaited.includes(number))
    .map((outcome) => outcomeAnnouncement(commit.workflowID, outcome));
}

function resultsOf(instances: readonly LockedInstance[]): Announcement[] {
  return instances.filter(({ resultAwaited }) => resultAwaited).map(({ workflowID }) => resultAnnouncement(workflowID));
}

/** New jobs, and places that ended leases leave to others. */
function jobsOf(changes: StepChanges, { projectID, freed }: CommitRow): Announcement[] {
  const created = [...changes.jobsCreated.values()].filter(({ job }) => !changes.jobsEnded.has(job));
  return jobsAnnouncements(projectID, [...created.map(({ taskType }) => taskType), ...(freed ?? [])]);
}
