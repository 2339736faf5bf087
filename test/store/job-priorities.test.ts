import { describe, expect, it } from 'vitest';
import { changeJob } from '../../store/work/job-changes.js';
import { completeJob, throwJobError } from '../../store/work/job-ends.js';
import { pollJobs, type PollOptions } from '../../store/work/job-queue.js';
import { Notifications } from '../../store/notifications.js';
import { suspendInstance } from '../../store/suspension/suspension.js';
import { began, commitStep, jobCreated, jobOf, projectID, start, startWithJob, useStore } from './support/store.js';

const store = useStore();

async function startWithPriority(taskType: string, priority: number): Promise<string> {
  const workflowID = await start(store);
  await commitStep(store, workflowID, 1, [...began, ...jobCreated(2, taskType, { priority })]);
  return workflowID;
}

async function startAll(taskType: string, priorities: readonly number[]): Promise<string[]> {
  const started: string[] = [];
  for (const priority of priorities) started.push(await startWithPriority(taskType, priority));
  return started;
}

const request = (taskTypes: readonly string[], maxJobs: number, clientID = 'worker') => ({
  projectID,
  clientID,
  types: taskTypes.map((taskType) => ({ taskType, lockDurationMilliseconds: 60_000 })),
  maxJobs,
});
const poll = async (taskTypes: readonly string[], maxJobs: number, options: PollOptions = {}) =>
  (await pollJobs(store.database, request(taskTypes, maxJobs), options)).map(({ priority }) => priority);
const change = (workflowID: string, changes: Partial<Parameters<typeof changeJob>[1]>) =>
  changeJob(store.database, { projectID, workflowID, number: 3, ...changes });
const inAnHour = () => new Date(Date.now() + 3_600_000);

describe('jobs', () => {
  it('of a higher priority are leased first, then those that have been available longest', async () => {
    const [low, first, high, second] = await startAll('mixed', [-1, 0, 5, 0]);
    const jobs = await pollJobs(store.database, request(['mixed'], 3));
    expect(jobs.map(({ workflowID }) => workflowID)).toEqual([high, first, second]);
    expect((await pollJobs(store.database, request(['mixed'], 3))).map(({ workflowID }) => workflowID)).toEqual([low]);
  });

  it('of several types are leased in one order, each type with its own lease and variables', async () => {
    await startAll('letters', [1, 3]);
    await startAll('parcels', [2, 4]);
    const jobs = await pollJobs(store.database, {
      projectID,
      clientID: 'worker',
      types: [
        { taskType: 'parcels', lockDurationMilliseconds: 3_600_000, fetchVariables: [] },
        { taskType: 'letters', lockDurationMilliseconds: 1_000 },
        { taskType: 'nothing', lockDurationMilliseconds: 1_000 },
      ],
      maxJobs: 3,
    });
    expect(jobs.map(({ taskType, priority }) => `${taskType} ${priority}`)).toEqual([
      'parcels 4',
      'letters 3',
      'parcels 2',
    ]);
    const [parcel, letter] = jobs;
    expect(parcel!.lockExpiresAt!.getTime()).toBeGreaterThan(letter!.lockExpiresAt!.getTime());
    expect(await poll(['letters', 'parcels'], 10)).toEqual([1]);
  });

  it('of many priorities and types are each leased once by polls at the same time', async () => {
    await startAll(
      'rush-a',
      Array.from({ length: 20 }, (_, n) => n % 4),
    );
    await startAll(
      'rush-b',
      Array.from({ length: 20 }, (_, n) => -n),
    );
    const taken: string[] = [];
    const worker = async (clientID: string) => {
      for (;;) {
        const jobs = await pollJobs(store.database, request(['rush-b', 'rush-a'], 3, clientID));
        if (jobs.length === 0) return;
        taken.push(...jobs.map(({ executionKey }) => executionKey));
      }
    };
    await Promise.all(Array.from({ length: 8 }, (_, n) => worker(`w${n}`)));
    // A poll that finds all heads locked may give up early.
    await worker('last');
    expect(taken).toHaveLength(40);
    expect(new Set(taken).size).toBe(40);
  });

  it('that have been available longest get their turn, whatever their priority', async () => {
    const [oldest, older] = await startAll('turns', [-2, 0, 1, 2, 3, 4]);
    const [first] = await pollJobs(store.database, request(['turns'], 1), { untilLongest: () => 1 });
    expect(first).toMatchObject({ workflowID: oldest, wasLongest: true });
    const two = await pollJobs(store.database, request(['turns'], 2), { untilLongest: () => 2 });
    expect(two.map(({ priority, wasLongest }) => [priority, wasLongest])).toEqual([
      [4, false],
      [0, true],
    ]);
    expect(two[1]!.workflowID).toBe(older);
    expect(await poll(['turns'], 10, { untilLongest: () => 3 })).toEqual([3, 2, 1]);
  });

  it('of a low priority are one in ten, over polls of any size', async () => {
    await startAll('starved', [-1, ...Array.from({ length: 20 }, () => 1)]);
    const notifications = await Notifications.open(store.database, store.databaseUrl);
    try {
      const taken: number[] = [];
      for (const size of [3, 3, 3, 1]) {
        const jobs = await notifications.pollJobs(store.database, request(['starved'], size), 0);
        taken.push(...jobs.map(({ priority }) => priority));
      }
      expect(taken).toEqual([...Array.from({ length: 9 }, () => 1), -1]);
    } finally {
      await notifications.close();
    }
  });

  it('whose instances wait for them do not overtake those of a higher priority', async () => {
    const [hot] = await startAll('overtaken', [0, 1]);
    await store.database.query("UPDATE jobs SET hot_until = now() + interval '1 hour' WHERE workflow_id = $1", [hot]);
    expect(await poll(['overtaken'], 1, { prefersHot: true })).toEqual([1]);
    expect(await poll(['overtaken'], 1, { prefersHot: true })).toEqual([0]);
  });

  it('keep their priority in a retry', async () => {
    const workflowID = await startWithPriority('retried', 7);
    await poll(['retried'], 1);
    const failed = {
      projectID,
      workflowID,
      number: 3,
      clientID: 'worker',
      awaited: false,
      errorCode: 'E',
      retryable: true,
    };
    await throwJobError(store.database, failed);
    expect(await poll(['retried'], 1)).toEqual([7]);
  });
});

describe('a poll for several types', () => {
  it('waits until there is a job of any of them', async () => {
    const notifications = await Notifications.open(store.database, store.databaseUrl);
    try {
      const polling = notifications.pollJobs(store.database, request(['awaited-a', 'awaited-b'], 1), 20_000);
      const workflowID = await startWithJob(store, 'awaited-b');
      expect(await polling).toMatchObject([{ workflowID }]);
    } finally {
      await notifications.close();
    }
  });
});

describe('a pending job', () => {
  it('can get another priority, more attempts, and a later time', async () => {
    const workflowID = await startWithJob(store, 'changed');
    const availableAt = inAnHour();
    expect(await change(workflowID, { priority: 4, retries: 9, availableAt })).toMatchObject({
      kind: 'changed',
      job: { priority: 4, retries: 9, availableAt },
    });
    expect(await poll(['changed'], 1)).toEqual([]);
    await change(workflowID, { availableAt: new Date(0) });
    expect(await poll(['changed'], 1)).toEqual([4]);
    expect(await jobOf(store, workflowID, 3)).toMatchObject({ retries: 9 });
  });

  it('keeps its place when it is made available although it is', async () => {
    const [first] = await startAll('places', [0, 0]);
    await change(first!, { availableAt: new Date() });
    const [job] = await pollJobs(store.database, request(['places'], 1));
    expect(job!.workflowID).toBe(first);
  });

  it('that is leased keeps its lease, and changes otherwise', async () => {
    const workflowID = await startWithJob(store, 'leased');
    await poll(['leased'], 1);
    expect(await change(workflowID, { availableAt: new Date() })).toMatchObject({ kind: 'refused', code: 'CONFLICT' });
    expect(await change(workflowID, { availableAt: new Date(), retries: 5 })).toMatchObject({ code: 'CONFLICT' });
    expect(await change(workflowID, { retries: 5 })).toMatchObject({ job: { retries: 5, lockedBy: 'worker' } });
  });

  it('changes while its instance is suspended, and not once its end is requested', async () => {
    const workflowID = await startWithJob(store, 'ending');
    await suspendInstance(store.database, { projectID, workflowID, actor: 'ada' });
    expect(await change(workflowID, { priority: 1 })).toMatchObject({ job: { priority: 1 } });
    const other = await startWithJob(store, 'ending');
    await completeJob(store.database, { projectID, workflowID: other, number: 3, awaited: false });
    expect(await change(other, { priority: 1 })).toMatchObject({
      code: 'CONFLICT',
      message: expect.stringContaining('is ending'),
    });
  });

  it('of another project does not exist', async () => {
    const workflowID = await startWithJob(store, 'foreign');
    expect(await change(workflowID, { projectID: 'other', priority: 1 })).toMatchObject({ code: 'NOT_FOUND' });
  });
});
