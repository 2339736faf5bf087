import { describe, expect, it, vi } from 'vitest';
import { cancelInstance } from '../../store/instances/cancellation.js';
import { testProjectOf } from '../../store/projects/tests.js';
import { ensureProject } from '../../store/projects/projects.js';
import type { Database } from '../../store/sql/database.js';
import { suspendDefinition, resumeDefinition } from '../../store/suspension/definitions.js';
import { completeJob, throwJobError } from '../../store/work/job-ends.js';
import { extendLease, pollJobs, takeBack, type PollOptions } from '../../store/work/job-queue.js';
import { countLeases, deleteLimit, putLimit, type LimitSettings } from '../../store/work/limits/limits.js';
import { began, commitStep, deploy, jobCreated, projectID, start, useStore, valueOf } from './support/store.js';

const store = useStore();

interface JobOptions {
  key?: string | number | boolean;
  priority?: number;
  project?: string;
  definitionID?: string;
}

/** Starts an instance that waits for a job. */
async function job(taskType: string, { key, priority, ...rest }: JobOptions = {}): Promise<string> {
  const workflowID = await start(store, rest);
  const more = { ...(key !== undefined && { limitKey: key }), ...(priority !== undefined && { priority }) };
  await commitStep(store, workflowID, 1, [...began, ...jobCreated(2, taskType, more)]);
  return workflowID;
}

async function jobs(taskType: string, ...all: JobOptions[]): Promise<string[]> {
  const made: string[] = [];
  for (const options of all) made.push(await job(taskType, options));
  return made;
}

const requestOf = (taskTypes: readonly string[], maxJobs: number, lock = 60_000, project = projectID) => ({
  projectID: project,
  clientID: 'w',
  types: taskTypes.map((taskType) => ({ taskType, lockDurationMilliseconds: lock })),
  maxJobs,
});
const polled = (request: ReturnType<typeof requestOf>, options: PollOptions = {}) =>
  pollJobs(store.database, request, options);
const poll = async (taskType: string, maxJobs = 1, lock?: number) =>
  (await polled(requestOf([taskType], maxJobs, lock))).map(({ workflowID }) => workflowID);
const limit = (taskType: string, settings: LimitSettings) =>
  putLimit(store.database, { projectID, taskType, actor: 'ada', ...settings });
const complete = (workflowID: string) =>
  completeJob(store.database, { projectID, workflowID, number: 3, clientID: 'w', awaited: false });

describe('concurrent', () => {
  it('limits the leases of a type, those from before the limit included', async () => {
    await jobs('late', {}, {}, {}, {});
    const before = await poll('late', 2);
    await limit('late', { concurrent: 3 });
    const after = await poll('late', 10);
    expect(after).toHaveLength(1);
    expect(await poll('late', 10)).toEqual([]);
    await complete(before[0]!);
    expect(await poll('late', 10)).toHaveLength(1);
  });

  it('counts each key, no key, and keys of other types of values apart', async () => {
    await limit('keys', { concurrent: 1 });
    const [one, , text, , yes, none] = await jobs(
      'keys',
      { key: 1 },
      { key: 1 },
      { key: '1' },
      { key: '1' },
      { key: true },
      {},
      {},
    );
    expect(await poll('keys', 10)).toEqual([one, text, yes, none]);
    expect(await poll('keys', 10)).toEqual([]);
  });

  it('frees the place of a lease that ends, expires, is taken back, or is canceled', async () => {
    await limit('ends', { concurrent: 1 });
    const all = await jobs('ends', {}, {}, {}, {}, {}, {});
    expect(await poll('ends')).toEqual([all[0]]);
    await complete(all[0]!);
    expect(await poll('ends')).toEqual([all[1]]);
    const error = { errorCode: 'E', retryable: true, retryBackoffMilliseconds: 60_000, clientID: 'w', awaited: false };
    await throwJobError(store.database, { projectID, workflowID: all[1]!, number: 3, ...error });
    const [leased] = await polled(requestOf(['ends'], 1));
    expect(leased!.workflowID).toBe(all[2]);
    await takeBack(store.database, requestOf(['ends'], 1), [leased!]);
    await cancelInstance(store.database, { projectID, workflowID: all[2]!, awaited: false });
    expect(await poll('ends')).toEqual([all[3]]);
    await commitStep(store, all[3]!, 2, [{ kind: 'JOB_CANCELED', job: 3, reason: 'boundary event' }]);
    expect(await poll('ends')).toEqual([all[4]]);
    expect(await poll('ends')).toEqual([]);
    await store.database.query(
      "UPDATE jobs SET lock_expires_at = now() - interval '1 ms', available_at = now() + interval '1 hour' WHERE workflow_id = $1",
      [all[4]],
    );
    expect(await poll('ends')).toEqual([all[5]]);
  });

  it('counts a lease as long as it is extended', async () => {
    await limit('beats', { concurrent: 1 });
    const [first] = await jobs('beats', {}, {});
    await poll('beats', 1, 200);
    const held = { projectID, workflowID: first!, number: 3, clientID: 'w', lockDurationMilliseconds: 60_000 };
    await extendLease(store.database, held);
    await new Promise((resolve) => setTimeout(resolve, 250));
    expect(await poll('beats')).toEqual([]);
  });

  it('a lower limit ends no lease, and a removed one holds nothing back', async () => {
    await limit('lower', { concurrent: 3 });
    await jobs('lower', {}, {}, {}, {}, {});
    expect(await poll('lower', 10)).toHaveLength(3);
    await limit('lower', { concurrent: 1 });
    expect(await poll('lower')).toEqual([]);
    await deleteLimit(store.database, projectID, 'lower');
    await deleteLimit(store.database, projectID, 'lower');
    expect(await poll('lower', 10)).toHaveLength(2);
  });

  it('holds in its project alone', async () => {
    await ensureProject(store.database, 'other');
    await limit('shared', { concurrent: 1 });
    await putLimit(store.database, { projectID: 'other', taskType: 'theirs', actor: 'eve', concurrent: 1 });
    await jobs('shared', {}, {}, { project: 'other' }, { project: 'other' });
    expect(await polled(requestOf(['shared'], 10, 60_000, 'other'))).toHaveLength(2);
    expect(await poll('shared', 10)).toHaveLength(1);
    await deleteLimit(store.database, 'other', 'shared');
    expect(await poll('shared', 10)).toEqual([]);
  });

  it('counts leases of tests of the project apart', async () => {
    const tests = testProjectOf(projectID);
    await ensureProject(store.database, tests);
    await limit('tested', { concurrent: 1 });
    await jobs('tested', {}, {}, { project: tests }, { project: tests });
    expect(await polled(requestOf(['tested'], 10, 60_000, tests))).toHaveLength(1);
    expect(await poll('tested', 10)).toHaveLength(1);
    expect(await polled(requestOf(['tested'], 10, 60_000, tests))).toEqual([]);
  });
});

describe('a process that dies while it sets a limit', () => {
  it('leaves the counting of earlier leases to the next poll', async () => {
    await jobs('orphan', {}, {}, {});
    await poll('orphan', 2);
    await limit('orphan', { concurrent: 2 });
    await store.database.query("UPDATE job_limits SET counting = gen_random_uuid() WHERE task_type = 'orphan'");
    await store.database.query("UPDATE jobs SET counted = false WHERE task_type = 'orphan'");
    expect(await poll('orphan', 10)).toEqual([]);
    await deleteLimit(store.database, projectID, 'orphan');
    await countLeases(store.database, projectID, 'orphan');
    expect(await poll('orphan', 10)).toHaveLength(1);
  });
});

describe('rate', () => {
  it('lets at most that many be leased in any window, those that are leased again included', async () => {
    const perMilliseconds = 3_600_000;
    await limit('rated', { rate: { count: 3, perMilliseconds } });
    await jobs('rated', {}, {}, {}, {});
    const [taken] = await polled(requestOf(['rated'], 1));
    await takeBack(store.database, requestOf(['rated'], 1), [taken!]);
    expect(await poll('rated', 10)).toHaveLength(2);
    expect(await poll('rated', 10)).toEqual([]);
    const age = (milliseconds: number) =>
      store.database.query(
        `UPDATE limit_groups SET counted_at = ARRAY(SELECT at - $1 * interval '1 ms' FROM unnest(counted_at) at) WHERE task_type = 'rated'`,
        [milliseconds],
      );
    await age(perMilliseconds - 60_000);
    expect(await poll('rated', 10)).toEqual([]);
    await age(60_000);
    expect(await poll('rated', 10)).toHaveLength(2);
  });

  it('counts from the PUT that gave the type a rate, and continues with a later one', async () => {
    await jobs('counted', {}, {}, {}, {}, {});
    await poll('counted', 2);
    await limit('counted', { rate: { count: 2, perMilliseconds: 3_600_000 } });
    expect(await poll('counted')).toHaveLength(1);
    await limit('counted', { rate: { count: 2, perMilliseconds: 3_600_000 }, concurrent: 100 });
    expect(await poll('counted', 10)).toHaveLength(1);
    await limit('counted', { concurrent: 100 });
    await limit('counted', { rate: { count: 1, perMilliseconds: 3_600_000 } });
    expect(await poll('counted', 10)).toHaveLength(1);
  });

  it('above 1,000, keeps at most 64 counters, in which a partly covered slot counts whole', async () => {
    await limit('ring', { rate: { count: 1_001, perMilliseconds: 630 } });
    await jobs('ring', {});
    await store.database.query("UPDATE jobs SET retries = 100000 WHERE task_type = 'ring'");
    const until = Date.now() + 1_500;
    while (Date.now() < until) {
      const [leased] = await polled(requestOf(['ring'], 1));
      if (leased) await takeBack(store.database, requestOf(['ring'], 1), [leased]);
    }
    const counters = await valueOf<number>(
      store,
      "SELECT cardinality(counted) AS value FROM limit_groups WHERE task_type = 'ring'",
    );
    expect(counters).toBeLessThanOrEqual(64);
    const onSlots = await valueOf<boolean>(
      store,
      "SELECT bool_and(extract(epoch FROM at) * 1000 % 10 = 0) AS value FROM limit_groups, unnest(counted_at) at WHERE task_type = 'ring'",
    );
    expect(onSlots).toBe(true);
  });
});

describe('jobs of a limited type', () => {
  it('are leased by priority, then of the key that was served longest ago, then the longest available', async () => {
    await limit('order', { concurrent: 100 });
    const [a1, a2, b1, a3, high, b2] = await jobs(
      'order',
      { key: 'a' },
      { key: 'a' },
      { key: 'b' },
      { key: 'a' },
      { key: 'a', priority: 5 },
      { key: 'b' },
    );
    expect(await poll('order')).toEqual([high]);
    expect(await poll('order')).toEqual([b1]);
    expect(await poll('order')).toEqual([a1]);
    expect(await poll('order', 10)).toEqual([b2, a2, a3]);
  });

  it('have the same order in one poll as in many', async () => {
    await limit('batch', { concurrent: 100 });
    const all = { key: 'a' };
    const [a1, a2, a3, b1, c1, c2] = await jobs('batch', all, all, all, { key: 'b' }, { key: 'c' }, { key: 'c' });
    expect(await poll('batch', 100)).toEqual([a1, b1, c1, a2, c2, a3]);
  });

  it('include the longest available of those that no limit holds, one of ten', async () => {
    await limit('longest', { concurrent: 1 });
    const [, held, low] = await jobs(
      'longest',
      { key: 'full', priority: 9 },
      { key: 'full', priority: -9 },
      { key: 'open', priority: -5 },
      { key: 'other', priority: 5 },
    );
    await poll('longest');
    await store.database.query("UPDATE jobs SET available_at = now() - interval '1 hour' WHERE workflow_id = $1", [
      held,
    ]);
    const leased = await polled(requestOf(['longest'], 1), { untilLongest: () => 1 });
    expect(leased.map(({ workflowID, wasLongest }) => [workflowID, wasLongest])).toEqual([[low, true]]);
  });

  it('do not delay other keys and types, in whose order they are', async () => {
    await limit('mixed-a', { concurrent: 1 });
    const [a5, , b1] = await jobs(
      'mixed-a',
      { key: 'x', priority: 5 },
      { key: 'x', priority: 4 },
      { key: 'y', priority: 1 },
    );
    const [c3, c0] = await jobs('mixed-b', { priority: 3 }, { priority: 0 });
    const both = async (maxJobs: number) =>
      (await polled(requestOf(['mixed-b', 'mixed-a'], maxJobs))).map(({ workflowID }) => workflowID);
    expect(await both(2)).toEqual([a5, c3]);
    expect(await both(10)).toEqual([b1, c0]);
  });

  it('of a suspended definition are passed over', async () => {
    await limit('asleep', { concurrent: 1 });
    const { definitionID } = await deploy(store);
    await job('asleep', { definitionID, key: 'k' });
    const awake = await job('asleep', { key: 'k' });
    const suspension = { projectID, definitionID, actor: 'ada' };
    await suspendDefinition(store.database, suspension);
    expect(await poll('asleep', 10)).toEqual([awake]);
    await resumeDefinition(store.database, suspension);
  });
});

describe('a poll of types without a limit', () => {
  it('is one statement, which reads no more blocks than without any limits', async () => {
    const blocks = async () => {
      let read = 0;
      const explaining = {
        query: async ({ text, values }: { text: string; values: unknown[] }) => {
          const { rows } = await store.database.query<{ 'QUERY PLAN': [{ Plan: Record<string, number> }] }>(
            `EXPLAIN (ANALYZE, BUFFERS, FORMAT JSON) ${text}`,
            values,
          );
          const plan = rows[0]!['QUERY PLAN'][0].Plan;
          read += plan['Shared Hit Blocks']! + plan['Shared Read Blocks']!;
          return { rows: [{ isSuspended: false, isLimited: false, place: null }] };
        },
      };
      await pollJobs(explaining as unknown as Database, requestOf(['plain'], 1));
      return read;
    };
    await poll('plain');
    await store.database.query('VACUUM ANALYZE job_limits, jobs, job_workers, definitions');
    await blocks();
    const before = await blocks();
    for (let n = 0; n < 20; n += 1) await limit(`limited-${n}`, { concurrent: 1 });
    expect(await blocks()).toBeLessThanOrEqual(before);
    const statements = vi.spyOn(store.database, 'query');
    await poll('plain');
    expect(statements).toHaveBeenCalledTimes(1);
    statements.mockRestore();
  });
});

describe('jobs with keys of a type without a limit', () => {
  it('are leased with those without keys, by priority and then the longest available', async () => {
    const [a, b, c, high] = await jobs('free', { key: 'k' }, {}, { key: 'k' }, { key: 'l', priority: 1 });
    expect(await poll('free', 10)).toEqual([high, a, b, c]);
    const definition = await deploy(store);
    await suspendDefinition(store.database, { projectID, definitionID: definition.definitionID, actor: 'ada' });
    const more = await jobs('free', { key: 'k' }, {});
    expect(await poll('free', 10)).toEqual(more);
    await resumeDefinition(store.database, { projectID, definitionID: definition.definitionID, actor: 'ada' });
  });
});
