import { describe, expect, it } from 'vitest';
import { cancelInstance } from '../../store/instances/cancellation.js';
import { readOutcome } from '../../store/instances/commands.js';
import { completeJob, throwJobError } from '../../store/work/job-ends.js';
import { extendLease, listWorkers, pollJobs, queueDepth, takeBack } from '../../store/work/job-queue.js';
import { listJobs } from '../../store/work/job-lists.js';
import { Notifications } from '../../store/notifications.js';
import { suspendDefinition } from '../../store/suspension/definitions.js';
import {
  began,
  deploy,
  jobCreated,
  jobOf,
  commitStep,
  projectID,
  start,
  startWithJob,
  useStore,
} from './support/store.js';

const store = useStore();

const poll = (taskType: string, more: Partial<Parameters<typeof pollJobs>[1]> = {}, prefersHot = false) =>
  pollJobs(
    store.database,
    { projectID, clientID: 'worker', types: [{ taskType, lockDurationMilliseconds: 30_000 }], maxJobs: 10, ...more },
    { prefersHot },
  );
const makeHot = (workflowID: string, milliseconds: number) =>
  store.database.query("UPDATE jobs SET hot_until = now() + $2 * interval '1 millisecond' WHERE workflow_id = $1", [
    workflowID,
    milliseconds,
  ]);
const ending = (workflowID: string, clientID?: string) => ({
  workflowID,
  projectID,
  number: 3,
  awaited: false,
  clientID,
});
const error = (workflowID: string, more: Partial<Parameters<typeof throwJobError>[1]> = {}) =>
  throwJobError(store.database, { ...ending(workflowID, 'worker'), errorCode: 'E', retryable: true, ...more });

/** Makes every lease of the instance end in the past. */
async function runOut(workflowID: string): Promise<void> {
  await store.database.query(
    "UPDATE jobs SET lock_expires_at = now() - interval '1 second', available_at = now() - interval '1 second' WHERE workflow_id = $1",
    [workflowID],
  );
}

describe('polling', () => {
  it('leases each job once, the oldest first, with the variables visible at its node', async () => {
    const first = await startWithJob(store, 'order', { variables: { x: 1, y: 1 }, localVariables: { y: 2 } });
    const second = await startWithJob(store, 'order');
    const [job, ...others] = await poll('order', { maxJobs: 1 });
    expect(others).toEqual([]);
    expect(job).toMatchObject({
      executionKey: `${first}:3`,
      variables: { x: 1, y: 2 },
      lockedBy: 'worker',
      retries: 3,
      status: 'PENDING',
    });
    expect((await poll('order')).map(({ workflowID }) => workflowID)).toEqual([second]);
    expect(await poll('order')).toEqual([]);
  });

  it('leases the named variables only, when names are given', async () => {
    await startWithJob(store, 'narrow', { variables: { x: 1, y: 1 } });
    const [job] = await poll('narrow', {
      types: [{ taskType: 'narrow', lockDurationMilliseconds: 30_000, fetchVariables: ['y', 'toString'] }],
    });
    expect(job!.variables).toEqual({ y: 1 });
  });

  it('gives each of many jobs to one of many workers', async () => {
    const count = 40;
    const { definitionID } = await deploy(store);
    await Promise.all(Array.from({ length: count }, () => startWithJob(store, 'race', { definitionID })));
    const workers = Array.from({ length: 10 }, async (_, worker) => {
      const taken: string[] = [];
      for (
        let jobs = await poll('race', { clientID: `w${worker}`, maxJobs: 3 });
        jobs.length > 0;
        jobs = await poll('race', { clientID: `w${worker}`, maxJobs: 3 })
      ) {
        taken.push(...jobs.map(({ executionKey }) => executionKey));
      }
      return taken;
    });
    const taken = (await Promise.all(workers)).flat();
    expect(taken).toHaveLength(count);
    expect(new Set(taken).size).toBe(count);
  });

  it('gives a job first whose instance waits for it in its workflow task, when asked to', async () => {
    const oldest = await startWithJob(store, 'hot');
    const other = await startWithJob(store, 'hot');
    const hot = await startWithJob(store, 'hot');
    await makeHot(hot, 60_000);
    expect((await poll('hot', { maxJobs: 2 }, true)).map(({ workflowID }) => workflowID).toSorted()).toEqual(
      [oldest, hot].toSorted(),
    );
    await runOut(hot);
    await makeHot(other, -1);
    // A job that was leased is hot no longer, nor is one whose instance has stopped waiting.
    expect((await poll('hot', {}, true)).map(({ workflowID }) => workflowID).toSorted()).toEqual(
      [other, hot].toSorted(),
    );
  });

  it('gives the oldest job first in spite of hot ones, when not asked to prefer them', async () => {
    const oldest = await startWithJob(store, 'fair');
    await makeHot(await startWithJob(store, 'fair'), 60_000);
    expect((await poll('fair', { maxJobs: 1 })).map(({ workflowID }) => workflowID)).toEqual([oldest]);
  });

  it('gives no hot job of an instance that is suspended', async () => {
    const { definitionID } = await deploy(store);
    const workflowID = await startWithJob(store, 'hotPaused', { definitionID });
    await makeHot(workflowID, 60_000);
    await suspendDefinition(store.database, { projectID, definitionID, actor: 'operator' });
    expect(await poll('hotPaused', {}, true)).toEqual([]);
  });

  it('hands a job out again when its lease has run out', async () => {
    const workflowID = await startWithJob(store, 'again');
    await poll('again');
    await runOut(workflowID);
    expect(await poll('again', { clientID: 'other' })).toMatchObject([{ workflowID, lockedBy: 'other' }]);
  });

  it('leases nothing of an instance that is being canceled, suspended or of a suspended definition', async () => {
    const canceled = await startWithJob(store, 'held');
    await cancelInstance(store.database, { workflowID: canceled, projectID, awaited: false });
    const suspended = await startWithJob(store, 'held');
    await store.database.query('UPDATE instances SET suspended_at = now() WHERE workflow_id = $1', [suspended]);
    const { definitionID } = await deploy(store);
    await startWithJob(store, 'held', { definitionID });
    await store.database.query('UPDATE definitions SET suspended_at = now() WHERE id = $1', [definitionID]);
    expect(await poll('held')).toEqual([]);
  });

  it('never crosses projects', async () => {
    await startWithJob(store, 'mine');
    expect(await poll('mine', { projectID: 'elsewhere' })).toEqual([]);
  });

  it('tells who works and how deep the queue is', async () => {
    await startWithJob(store, 'watched');
    await poll('watched', { clientID: 'wanda' });
    await poll('watched', { clientID: 'wanda' });
    const { data } = await listWorkers(store.database, projectID, { page: 1, pageSize: 100 });
    expect(data.filter(({ taskType }) => taskType === 'watched')).toMatchObject([{ clientID: 'wanda' }]);
    expect(await queueDepth(store.database, projectID)).toContainEqual({ taskType: 'watched', pendingCount: 1 });
    expect(await queueDepth(store.database, projectID, new Date(Date.now() + 60_000))).toEqual([]);
  });
});

describe('a long poll', () => {
  it('is woken by the step commit that creates a job', async () => {
    const notifications = await Notifications.open(store.database, store.databaseUrl);
    try {
      const jobs = notifications.pollJobs(
        store.database,
        { projectID, clientID: 'w', types: [{ taskType: 'woken', lockDurationMilliseconds: 1_000 }], maxJobs: 5 },
        20_000,
      );
      const workflowID = await startWithJob(store, 'woken');
      expect(await jobs).toMatchObject([{ workflowID }]);
    } finally {
      await notifications.close();
    }
  });

  it('gives several jobs to several workers that wait', async () => {
    const notifications = await Notifications.open(store.database, store.databaseUrl);
    try {
      const request = { projectID, types: [{ taskType: 'several', lockDurationMilliseconds: 1_000 }], maxJobs: 1 };
      const waiting = Array.from({ length: 3 }, (_, worker) =>
        notifications.pollJobs(store.database, { ...request, clientID: `w${worker}` }, 20_000),
      );
      const workflowID = await start(store);
      await commitStep(store, workflowID, 1, [
        ...began,
        ...jobCreated(2, 'several'),
        ...jobCreated(4, 'several'),
        ...jobCreated(6, 'several'),
      ]);
      const keys = (await Promise.all(waiting)).flat().map(({ executionKey }) => executionKey);
      expect(keys.sort()).toEqual([3, 5, 7].map((number) => `${workflowID}:${number}`));
    } finally {
      await notifications.close();
    }
  });

  it('ends with nothing when its time is over, its caller is gone or the host stops', async () => {
    const notifications = await Notifications.open(store.database, store.databaseUrl);
    const request = {
      projectID,
      clientID: 'w',
      types: [{ taskType: 'none', lockDurationMilliseconds: 1_000 }],
      maxJobs: 1,
    };
    expect(await notifications.pollJobs(store.database, request, 0)).toEqual([]);
    expect(await notifications.pollJobs(store.database, request, 10)).toEqual([]);
    const gone = new AbortController();
    const abandoned = notifications.pollJobs(store.database, request, 20_000, gone.signal);
    const stopped = notifications.pollJobs(store.database, request, 20_000);
    gone.abort();
    expect(await abandoned).toEqual([]);
    await notifications.close();
    expect(await stopped).toEqual([]);
  });
});

describe('completing a job', () => {
  it('is done by one of fifty that try at once', async () => {
    const workflowID = await startWithJob(store, 'fifty');
    const answers = await Promise.all(
      Array.from({ length: 50 }, () => completeJob(store.database, ending(workflowID))),
    );
    expect(answers.filter(({ kind }) => kind === 'submitted')).toHaveLength(1);
    expect(answers.filter((answer) => answer.kind === 'refused' && answer.code === 'CONFLICT')).toHaveLength(49);
    const { rows } = await store.database.query('SELECT number FROM commands WHERE workflow_id = $1', [workflowID]);
    expect(rows).toEqual([{ number: 1 }]);
  });

  it('gives the same client with the same variables its first answer again, also after the job has ended', async () => {
    const workflowID = await startWithJob(store, 'twice');
    await poll('twice');
    const first = await completeJob(store.database, {
      ...ending(workflowID, 'worker'),
      variables: { a: 1, b: { c: 2, d: 3 } },
    });
    const again = { ...ending(workflowID, 'worker'), variables: { b: { d: 3, c: 2 }, a: 1 } };
    expect(await completeJob(store.database, again)).toMatchObject({
      kind: 'submitted',
      commandID: (first as { commandID: string }).commandID,
    });
    await commitStep(store, workflowID, 2, [{ kind: 'JOB_COMPLETED', job: 3 }], {
      inputs: { now: 1, lastCommand: 1 },
      outcomes: [{ number: 1, status: 'APPLIED' }],
    });
    expect(await completeJob(store.database, again)).toMatchObject({ kind: 'submitted', command: { number: 1 } });
    expect(await completeJob(store.database, { ...again, variables: { a: 2 } })).toMatchObject({
      kind: 'refused',
      code: 'CONFLICT',
    });
    expect(await completeJob(store.database, { ...again, clientID: 'other' })).toMatchObject({
      kind: 'refused',
      code: 'CONFLICT',
    });
    expect(await readOutcome(store.database, workflowID, 1)).toMatchObject({ status: 'APPLIED' });
  });

  it('is refused to a client whose lease has run out or belongs to another one', async () => {
    const workflowID = await startWithJob(store, 'fenced');
    expect(await completeJob(store.database, ending(workflowID, 'worker'))).toMatchObject({ code: 'LEASE_LOST' });
    await poll('fenced');
    await runOut(workflowID);
    expect(await completeJob(store.database, ending(workflowID, 'worker'))).toMatchObject({ code: 'LEASE_LOST' });
    await poll('fenced', { clientID: 'other' });
    expect(await completeJob(store.database, ending(workflowID, 'worker'))).toMatchObject({ code: 'LEASE_LOST' });
    expect(await completeJob(store.database, ending(workflowID, 'other'))).toMatchObject({ kind: 'submitted' });
  });

  it('takes the job out of the queue at once', async () => {
    const workflowID = await startWithJob(store, 'gone');
    await completeJob(store.database, ending(workflowID));
    expect(await poll('gone')).toEqual([]);
  });

  it('is possible again when the instance rejected the first command', async () => {
    const workflowID = await startWithJob(store, 'rejected');
    await completeJob(store.database, ending(workflowID));
    await commitStep(store, workflowID, 2, [], {
      inputs: { now: 1, lastCommand: 1 },
      outcomes: [{ number: 1, status: 'REJECTED', code: 'BAD_REQUEST' }],
    });
    expect(await poll('rejected')).toMatchObject([{ workflowID }]);
    expect(await completeJob(store.database, ending(workflowID))).toMatchObject({
      kind: 'submitted',
      command: { number: 2 },
    });
  });

  it('leaves a job canceled that the same step commit canceled while it rejected the command', async () => {
    const workflowID = await startWithJob(store, 'both');
    await completeJob(store.database, ending(workflowID));
    await commitStep(store, workflowID, 2, [{ kind: 'JOB_CANCELED', job: 3, reason: 'interrupted' }], {
      inputs: { now: 1, lastCommand: 1 },
      outcomes: [{ number: 1, status: 'REJECTED', code: 'NOT_FOUND' }],
    });
    expect(await jobOf(store, workflowID, 3)).toMatchObject({ status: 'CANCELED' });
  });

  it('finds no job that is not there or belongs to another project', async () => {
    const workflowID = await startWithJob(store, 'hidden');
    expect(await completeJob(store.database, { ...ending(workflowID), number: 9 })).toMatchObject({
      code: 'NOT_FOUND',
    });
    expect(await completeJob(store.database, { ...ending(workflowID), projectID: 'elsewhere' })).toMatchObject({
      code: 'NOT_FOUND',
    });
  });

  it('is refused while the instance is being canceled', async () => {
    const workflowID = await startWithJob(store, 'late');
    await cancelInstance(store.database, { workflowID, projectID, awaited: false });
    expect(await completeJob(store.database, ending(workflowID))).toMatchObject({ code: 'INSTANCE_ENDED' });
  });
});

describe('failing a job', () => {
  it('requeues it while attempts are left, then routes the error', async () => {
    const workflowID = await startWithJob(store, 'flaky', { retries: 2 });
    await poll('flaky');
    expect(await error(workflowID)).toEqual({ kind: 'requeued', retries: 1 });
    expect(await poll('flaky')).toMatchObject([{ retries: 1, errorCode: 'E' }]);
    expect(await error(workflowID, { errorMessage: 'm', variables: { v: 1 } })).toMatchObject({
      kind: 'submitted',
      command: { kind: 'THROW_JOB_ERROR', execution: 3, errorCode: 'E', message: 'm', variables: { v: 1 }, number: 1 },
    });
  });

  it('routes at once what is not retryable', async () => {
    const workflowID = await startWithJob(store, 'broken');
    await poll('broken');
    expect(await error(workflowID, { retryable: false })).toMatchObject({ kind: 'submitted' });
  });

  it('lets the job rest for its backoff', async () => {
    const workflowID = await startWithJob(store, 'resting');
    await poll('resting');
    await error(workflowID, { retryBackoffMilliseconds: 60_000 });
    expect(await poll('resting')).toEqual([]);
    await runOut(workflowID);
    expect(await poll('resting')).toHaveLength(1);
  });

  it('costs no attempt without the lease', async () => {
    const workflowID = await startWithJob(store, 'stale');
    await poll('stale', { clientID: 'other' });
    expect(await error(workflowID)).toMatchObject({ kind: 'refused', code: 'LEASE_LOST' });
    expect(await jobOf(store, workflowID, 3)).toMatchObject({ retries: 3 });
  });
});

describe('a lease', () => {
  const extend = (workflowID: string, clientID: string) =>
    extendLease(store.database, { projectID, workflowID, number: 3, clientID, lockDurationMilliseconds: 60_000 });

  it('is extended for its holder only', async () => {
    const workflowID = await startWithJob(store, 'beating');
    const [job] = await poll('beating');
    expect((await extend(workflowID, 'worker'))!.getTime()).toBeGreaterThan(job!.lockExpiresAt!.getTime());
    expect(await extend(workflowID, 'other')).toBeUndefined();
    await runOut(workflowID);
    expect(await extend(workflowID, 'worker')).toBeUndefined();
  });

  it('is not extended once the job is completed', async () => {
    const workflowID = await startWithJob(store, 'done');
    await poll('done');
    await completeJob(store.database, ending(workflowID, 'worker'));
    expect(await extend(workflowID, 'worker')).toBeUndefined();
  });
});

describe('a lease token', () => {
  it('distinguishes two workers that share a client id: only the one that leased the job last ends, fails or extends it', async () => {
    const workflowID = await startWithJob(store, 'shared');
    const [zombie] = await poll('shared');
    await runOut(workflowID);
    const [holder] = await poll('shared');
    expect(holder!.leaseToken).not.toBe(zombie!.leaseToken);
    const late = { ...ending(workflowID, 'worker'), leaseToken: zombie!.leaseToken };
    expect(await completeJob(store.database, late)).toMatchObject({
      code: 'LEASE_LOST',
      message: expect.stringContaining('lease token'),
    });
    expect(await error(workflowID, { leaseToken: zombie!.leaseToken })).toMatchObject({ code: 'LEASE_LOST' });
    const renewal = { projectID, workflowID, number: 3, clientID: 'worker', lockDurationMilliseconds: 60_000 };
    expect(await extendLease(store.database, { ...renewal, leaseToken: zombie!.leaseToken })).toBeUndefined();
    expect(await jobOf(store, workflowID, 3)).toMatchObject({ retries: 3, status: 'PENDING' });
    expect(await extendLease(store.database, { ...renewal, leaseToken: holder!.leaseToken })).toBeInstanceOf(Date);
    await takeBack(
      store.database,
      { projectID, clientID: 'worker', types: [{ taskType: 'shared', lockDurationMilliseconds: 1 }], maxJobs: 1 },
      [zombie!],
    );
    expect(await completeJob(store.database, { ...late, leaseToken: holder!.leaseToken })).toMatchObject({
      kind: 'submitted',
    });
  });

  it('that is made up is refused, and none at all leaves the client id to decide', async () => {
    const workflowID = await startWithJob(store, 'tokenless');
    await poll('tokenless');
    expect(await completeJob(store.database, { ...ending(workflowID, 'worker'), leaseToken: 'x' })).toMatchObject({
      code: 'LEASE_LOST',
    });
    expect(await completeJob(store.database, ending(workflowID, 'worker'))).toMatchObject({ kind: 'submitted' });
  });
});

describe('the list of jobs', () => {
  it('is narrowed by every filter and paged', async () => {
    const workflowID = await startWithJob(store, 'listed', { businessID: 'b-1' });
    await startWithJob(store, 'listed', { businessID: 'b-2' });
    await startWithJob(store, 'listed');
    await commitStep(store, workflowID, 2, [{ kind: 'JOB_FAILED', job: 3, errorCode: 'E' }]);
    const list = async (filter: Parameters<typeof listJobs>[2], page = 1) =>
      listJobs(store.database, projectID, { taskType: ['listed'], ...filter }, { page, pageSize: 2 });
    expect((await list({})).total).toBe(3);
    expect((await list({}, 2)).data).toHaveLength(1);
    expect((await list({ status: ['FAILED'] })).data).toMatchObject([{ workflowID, businessID: 'b-1' }]);
    expect((await list({ businessId: 'b-2' })).total).toBe(1);
    expect((await list({ workflowID })).total).toBe(1);
    expect((await list({ createdAfter: new Date(1_000_001).toISOString() })).total).toBe(0);
    expect((await list({ createdAfter: new Date(1_000_000).toISOString() })).total).toBe(3);
  });
});
