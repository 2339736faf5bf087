import { randomUUID } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import type { Fact } from '@perdure/engine/contract/facts.js';
import type { StepCommit } from '@perdure/engine/contract/step-commit.js';
import { cancelInstance } from '../../store/instances/cancellation.js';
import { rows } from '../../store/sql/database.js';
import { writeStepCommit } from '../../store/steps/step-commit.js';
import { suspendInstance } from '../../store/suspension/suspension.js';
import { claimingResult, completeJob } from '../../store/work/job-ends.js';
import { pollJobs } from '../../store/work/job-queue.js';
import { beginFeed, readAll } from './support/events.js';
import { jobOf, projectID, startWithJob, submit, useStore } from './support/store.js';

const store = useStore();

/** An instance whose only job, number 3, `worker` has leased. */
async function leased(): Promise<{ workflowID: string; leaseToken: string }> {
  const taskType = randomUUID();
  const workflowID = await startWithJob(store, taskType);
  const types = [{ taskType, lockDurationMilliseconds: 30_000 }];
  const [job] = await pollJobs(
    store.database,
    { projectID, clientID: 'worker', types, maxJobs: 1 },
    { prefersHot: false },
  );
  return { workflowID, leaseToken: job!.leaseToken };
}

const completion = (workflowID: string, clientID = 'worker') => ({
  workflowID,
  projectID,
  number: 3,
  awaited: false,
  actor: 'someone',
  clientID,
  variables: { done: true },
});
const jobCompleted: Fact[] = [
  { kind: 'JOB_COMPLETED', job: 3 },
  { kind: 'COMMAND_HANDLED', number: 1 },
];
const incident: Fact = {
  kind: 'INCIDENT_RAISED',
  incident: 9,
  element: 2,
  node: 'task',
  errorType: 'FeelError',
  message: 'no value',
};
const ended: Fact[] = [...jobCompleted, { kind: 'INSTANCE_COMPLETED' }];

/** The commit of the second step, which has handled the result of job 3 as command 1. */
const handled = (workflowID: string, more: Partial<StepCommit> & { leaseToken?: string; clientID?: string } = {}) => {
  const { leaseToken, clientID, ...rest } = more;
  const claiming = claimingResult({ ...completion(workflowID, clientID), ...(leaseToken && { leaseToken }) });
  return writeStepCommit(store.database, {
    workflowID,
    number: 2,
    inputs: { now: 1_000_002, lastCommand: 1 },
    facts: jobCompleted,
    outcomes: [{ number: 1, status: 'APPLIED' }],
    result: { ...claiming, number: 1, projectID } as NonNullable<StepCommit['result']>,
    ...rest,
  });
};

const commandsOf = (workflowID: string) =>
  rows(
    store.database,
    `SELECT number, body, actor, status, code, (SELECT command_count FROM instances i WHERE i.workflow_id = c.workflow_id) AS count
     FROM commands c WHERE workflow_id = $1 ORDER BY number`,
    [workflowID],
  );

describe('a commit with the result of a job', () => {
  it('writes the command, its outcome, and the end of the job', async () => {
    const { workflowID, leaseToken } = await leased();
    const { answer, result } = await handled(workflowID, { leaseToken });
    expect(answer).toEqual({ kind: 'accepted' });
    expect(result).toEqual({ commandID: expect.any(String), workedSeconds: expect.any(Number) });
    expect(await commandsOf(workflowID)).toEqual([
      {
        number: 1,
        body: { kind: 'COMPLETE_JOB', execution: 3, variables: { done: true } },
        actor: 'someone',
        status: 'APPLIED',
        code: null,
        count: 1,
      },
    ]);
    expect(await jobOf(store, workflowID, 3)).toMatchObject({ status: 'COMPLETED', completedAt: expect.any(Date) });
  });

  it('ends the instance with it', async () => {
    const { workflowID } = await leased();
    expect((await handled(workflowID, { facts: ended })).answer).toEqual({ kind: 'accepted' });
    expect(await rows(store.database, 'SELECT status FROM instances WHERE workflow_id = $1', [workflowID])).toEqual([
      { status: 'COMPLETED' },
    ]);
  });

  it('is recognized when the client sends the result again', async () => {
    const { workflowID } = await leased();
    const { result } = await handled(workflowID);
    expect(await completeJob(store.database, completion(workflowID))).toMatchObject({
      kind: 'submitted',
      isNew: false,
      commandID: result!.commandID,
      command: { number: 1 },
    });
    expect(await completeJob(store.database, completion(workflowID, 'other'))).toMatchObject({ code: 'CONFLICT' });
  });

  it('that is rejected leaves the job to its client', async () => {
    const { workflowID } = await leased();
    const rejected = { number: 1, status: 'REJECTED' as const, code: 'CONFLICT' as const, message: 'no' };
    const facts: Fact[] = [{ kind: 'COMMAND_HANDLED', number: 1 }];
    const { answer, result } = await handled(workflowID, { facts, outcomes: [rejected] });
    expect([answer.kind, result?.commandID]).toEqual(['accepted', expect.any(String)]);
    expect(await commandsOf(workflowID)).toMatchObject([{ number: 1, status: 'REJECTED', code: 'CONFLICT' }]);
    expect(await completeJob(store.database, completion(workflowID))).toMatchObject({
      kind: 'submitted',
      command: { number: 2 },
    });
  });

  it('names its actor in the events of the step', async () => {
    await beginFeed(store, projectID);
    const { workflowID } = await leased();
    await handled(workflowID, { facts: ended });
    const events = (await readAll(store, { projectID })).filter(({ data }) =>
      JSON.stringify(data).includes(workflowID),
    );
    const { workflowID: other } = await leased();
    await completeJob(store.database, completion(other));
    await writeStepCommit(store.database, {
      workflowID: other,
      number: 2,
      inputs: { now: 1_000_002, lastCommand: 1 },
      facts: ended,
      outcomes: [{ number: 1, status: 'APPLIED' }],
    });
    const asBefore = (await readAll(store, { projectID })).filter(({ data }) => JSON.stringify(data).includes(other));
    const actors = (all: typeof events) => all.map(({ type, data }) => [type, (data as { actor?: string }).actor]);
    expect(events.length).toBeGreaterThan(0);
    expect(actors(events)).toEqual(actors(asBefore));
    await beginFeed(store, projectID, null);
  });
});

describe('the result is withdrawn and nothing is written', () => {
  const cases: [string, (workflowID: string) => Promise<unknown>][] = [
    ['when the lease has expired', (workflowID) => change(workflowID, "lock_expires_at = now() - interval '1 second'")],
    ['when another client has the job', (workflowID) => change(workflowID, "locked_by = 'other'")],
    ['when the job was leased again', (workflowID) => change(workflowID, 'lease = lease + 1')],
    ['when another request has ended the job', (workflowID) => completeJob(store.database, completion(workflowID))],
    [
      'when another command has its number',
      (workflowID) => submit(store, workflowID, { kind: 'SET_VARIABLES', variables: {} }),
    ],
    [
      'when the instance is suspended',
      (workflowID) =>
        suspendInstance(store.database, { projectID, workflowID, actor: 'ann', actorType: 'user' } as never),
    ],
    [
      'when the instance is being canceled',
      (workflowID) => cancelInstance(store.database, { projectID, workflowID, awaited: false }),
    ],
  ];
  const change = (workflowID: string, set: string) =>
    store.database.query(`UPDATE jobs SET ${set} WHERE workflow_id = $1`, [workflowID]);
  const writtenOf = (workflowID: string) =>
    Promise.all([
      commandsOf(workflowID),
      jobOf(store, workflowID, 3),
      rows(store.database, 'SELECT step_count, command_count, status FROM instances WHERE workflow_id = $1', [
        workflowID,
      ]),
    ]);

  it.for(cases)('%s', async ([, happen]) => {
    for (const facts of [jobCompleted, ended]) {
      const { workflowID, leaseToken } = await leased();
      await happen(workflowID);
      const before = await writtenOf(workflowID);
      expect((await handled(workflowID, { facts, leaseToken })).answer).toEqual({ kind: 'withdrawn' });
      expect(await writtenOf(workflowID)).toEqual(before);
    }
  });
});

describe('a step that an earlier attempt has committed', () => {
  it('is adopted, even with the same inputs: its command may be another one', async () => {
    const { workflowID } = await leased();
    await handled(workflowID);
    expect((await handled(workflowID)).answer).toMatchObject({
      kind: 'adopt',
      inputs: { now: 1_000_002, lastCommand: 1 },
    });
    expect(await commandsOf(workflowID)).toHaveLength(1);
  });

  it('is adopted when it reaches other instances and another client has ended the job', async () => {
    const { workflowID } = await leased();
    const raising: Fact[] = [...jobCompleted, incident];
    await handled(workflowID, { facts: raising });
    const { answer } = await handled(workflowID, {
      facts: raising,
      clientID: 'other',
      inputs: { now: 7, lastCommand: 1 },
    });
    expect(answer).toMatchObject({ kind: 'adopt', inputs: { now: 1_000_002 } });
  });
});

describe('a step that needs several statements', () => {
  it('writes the result first', async () => {
    const { workflowID } = await leased();
    const { answer, result } = await handled(workflowID, { facts: [...jobCompleted, incident] });
    expect(answer).toEqual({ kind: 'accepted' });
    expect(result).toEqual({ commandID: expect.any(String), workedSeconds: expect.any(Number) });
    expect(await commandsOf(workflowID)).toMatchObject([{ number: 1, status: 'APPLIED' }]);
    expect(await jobOf(store, workflowID, 3)).toMatchObject({ status: 'COMPLETED' });
  });

  it('withdraws a result that another client may report', async () => {
    const { workflowID } = await leased();
    const { answer } = await handled(workflowID, { facts: [...jobCompleted, incident], clientID: 'other' });
    expect(answer).toEqual({ kind: 'withdrawn' });
    expect(await commandsOf(workflowID)).toEqual([]);
  });
});

it('a commit and a request that race with the same result write it once', async () => {
  const attempts = Array.from({ length: 40 }, async () => {
    const { workflowID } = await leased();
    const [commit, request] = await Promise.all([
      handled(workflowID, { facts: ended }),
      completeJob(store.database, completion(workflowID)),
    ]);
    expect(request).toMatchObject({ kind: 'submitted', command: { number: 1 } });
    expect(await commandsOf(workflowID)).toHaveLength(1);
    return commit.answer.kind;
  });
  const answers = await Promise.all(attempts);
  expect(new Set(answers).size).toBeLessThanOrEqual(2);
  expect(answers.every((kind) => kind === 'accepted' || kind === 'withdrawn')).toBe(true);
}, 30_000);

it('when a commit and a cancellation race, only the first one is written', async () => {
  await Promise.all(
    Array.from({ length: 40 }, async () => {
      const { workflowID } = await leased();
      const [commit] = await Promise.all([
        handled(workflowID, { facts: ended }),
        cancelInstance(store.database, { projectID, workflowID, awaited: false }),
      ]);
      const commands = (await commandsOf(workflowID)) as { body: { kind: string } }[];
      const kinds = commands.map(({ body }) => body.kind);
      expect(kinds).toEqual(commit.answer.kind === 'accepted' ? ['COMPLETE_JOB'] : ['CANCEL_INSTANCE']);
    }),
  );
}, 30_000);
