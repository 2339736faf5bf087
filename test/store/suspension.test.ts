import { describe, expect, it } from 'vitest';
import type { Fact } from '@perdure/engine/contract/facts.js';
import { cancelInstance } from '../../store/instances/cancellation.js';
import { submitUnlessPaused } from '../../store/instances/submit-command.js';
import { rows } from '../../store/sql/database.js';
import { waitersToWake, deleteWokenWaiters } from '../../store/steps/pause-waiters.js';
import { findInstance } from '../../store/instances/instances.js';
import { listInstances } from '../../store/instances/lists.js';
import { completeJob, throwJobError } from '../../store/work/job-ends.js';
import { extendLease, pollJobs } from '../../store/work/job-queue.js';
import { publish } from '../../store/messages/messages.js';
import { channelsToMatch, matchChannel } from '../../store/messages/matching.js';
import { writeStepCommit } from '../../store/steps/step-commit.js';
import { resumeDefinition, suspendDefinition } from '../../store/suspension/definitions.js';
import { resumeInstance, suspendInstance } from '../../store/suspension/suspension.js';
import { completeUserTask } from '../../store/work/user-tasks/ending.js';
import { listWaiting } from '../../store/suspension/waiting.js';
import {
  began,
  deploy,
  jobCreated,
  commitStep,
  projectID,
  start,
  startWithJob,
  submit,
  useStore,
  valueOf,
} from './support/store.js';

const store = useStore();
const by = { projectID, actor: 'ada' };

const suspend = (workflowID: string, reason?: string) => suspendInstance(store.database, { ...by, workflowID, reason });
const resume = (workflowID: string) => resumeInstance(store.database, { ...by, workflowID });
const row = async (workflowID: string) => (await findInstance(store.database, projectID, workflowID))!;
const poll = (taskType: string, clientID = 'worker') =>
  pollJobs(store.database, {
    projectID,
    clientID,
    types: [{ taskType, lockDurationMilliseconds: 60_000 }],
    maxJobs: 10,
  });

/** An instance of a separate process that has called another one, and the id of that one. */
async function startWithChild(
  definitionID?: string,
  calledBy?: string,
): Promise<{ parent: string; child: string; childDefinition: string }> {
  const parent = calledBy ?? (await start(store, definitionID === undefined ? {} : { definitionID }));
  const processID = `called-by-${parent}`;
  const { definitionID: childDefinition } = await deploy(store, processID);
  const child = `${parent}-child`;
  const depth =
    (await valueOf<number>(store, 'SELECT depth AS value FROM instances WHERE workflow_id = $1', [parent])) + 1;
  const called: Fact[] = [
    { kind: 'ELEMENT_ACTIVATED', element: 2, node: 'call', scope: 1 },
    {
      kind: 'CHILD_CALLED',
      child: 3,
      element: 2,
      node: 'call',
      workflowID: child,
      processID,
      binding: { kind: 'latest' },
      variables: {},
      caughtErrors: [],
      depth,
    },
  ];
  await commitStep(store, parent, 1, [...began, ...called]);
  return { parent, child, childDefinition };
}

describe('suspending an instance', () => {
  it('keeps who did it first, when and why, and resuming takes it away', async () => {
    const workflowID = await start(store);
    expect(await suspend(workflowID, 'audit')).toEqual({ kind: 'done' });
    const first = await row(workflowID);
    expect(first).toMatchObject({ suspendedBy: 'ada', suspendReason: 'audit', status: 'RUNNING' });
    await suspendInstance(store.database, { projectID, workflowID, actor: 'bob', reason: 'other' });
    expect(await row(workflowID)).toEqual(first);
    await resume(workflowID);
    await resume(workflowID);
    expect(await row(workflowID)).toMatchObject({ suspendedAt: null, suspendedBy: null, suspendReason: null });
  });

  it('is refused for what is unknown, in another project or has ended', async () => {
    const workflowID = await start(store);
    expect(await suspend('unknown')).toMatchObject({ code: 'NOT_FOUND' });
    expect(await suspendInstance(store.database, { ...by, projectID: 'other', workflowID })).toMatchObject({
      code: 'NOT_FOUND',
    });
    await commitStep(store, workflowID, 1, [...began, { kind: 'INSTANCE_COMPLETED' }]);
    expect(await suspend(workflowID)).toMatchObject({ code: 'INSTANCE_ENDED' });
    expect(await resume(workflowID)).toMatchObject({ code: 'INSTANCE_ENDED' });
  });

  it('pauses what is below it, and resuming leaves paused what is suspended directly in between', async () => {
    const { parent, child } = await startWithChild();
    const { child: grandchild } = await startWithChild(undefined, child);
    await suspend(parent);
    expect([await row(child), await row(grandchild)]).toMatchObject([
      { parentSuspended: true },
      { parentSuspended: true },
    ]);
    await suspend(child);
    await resume(parent);
    expect([await row(child), await row(grandchild)]).toMatchObject([
      { parentSuspended: false, suspendedBy: 'ada' },
      { parentSuspended: true },
    ]);
    await resume(child);
    expect(await row(grandchild)).toMatchObject({ parentSuspended: false });
  });
});

describe('a paused instance', () => {
  it('takes no step in which something moves, and is woken when the last suspension above it is resumed', async () => {
    const { definitionID } = await deploy(store);
    const workflowID = await startWithJob(store, 'step', { definitionID });
    await suspendDefinition(store.database, { ...by, definitionID });
    await suspend(workflowID);
    expect(await commitStep(store, workflowID, 2, [])).toMatchObject({ kind: 'paused' });
    expect(
      await valueOf(store, 'SELECT blocked_by AS value FROM pause_waiters WHERE workflow_id = $1', [workflowID]),
    ).toBe(workflowID);
    await resume(workflowID);
    const [told] = (await waitersToWake(store.database, 100)).filter((held) => held.workflowID === workflowID);
    expect(told).toBeDefined();
    // It tries again before the one who told it has noted that, and runs into the other pause.
    expect(await commitStep(store, workflowID, 2, [])).toMatchObject({ kind: 'paused' });
    await deleteWokenWaiters(store.database, [told!]);
    expect(
      await valueOf(store, 'SELECT blocked_by AS value FROM pause_waiters WHERE workflow_id = $1', [workflowID]),
    ).toBe(definitionID);
    await resumeDefinition(store.database, { ...by, definitionID });
    expect((await waitersToWake(store.database, 100)).map((held) => held.workflowID)).toContain(workflowID);
    expect(await commitStep(store, workflowID, 2, [])).toEqual({ kind: 'accepted' });
  });

  it('is woken for each of its refusals, because it may know any of them', async () => {
    const { definitionID } = await deploy(store);
    const workflowID = await startWithJob(store, 'step', { definitionID });
    await suspend(workflowID);
    const refusals = [await commitStep(store, workflowID, 2, []), await commitStep(store, workflowID, 2, [])].map(
      (answer) => (answer.kind === 'paused' ? answer.refusal : undefined),
    );
    expect(new Set(refusals).size).toBe(2);
    await resume(workflowID);
    const told = (await waitersToWake(store.database, 100)).filter((held) => held.workflowID === workflowID);
    expect(told.map(({ refusal }) => refusal)).toEqual(expect.arrayContaining(refusals));
  });

  it('takes a step in which nothing moves and a rotation, and keeps what it deferred from being sent again', async () => {
    const workflowID = await startWithJob(store, 'deferring');
    const { command } = await submit(store, workflowID, { kind: 'COMPLETE_JOB', execution: 3 });
    await suspend(workflowID);
    const inputs = { now: 1_000_002, lastCommand: command.number, paused: true as const };
    expect(
      await commitStep(store, workflowID, 2, [{ kind: 'COMMAND_DEFERRED', number: command.number }], { inputs }),
    ).toEqual({ kind: 'accepted' });
    expect(
      await commitStep(store, workflowID, 3, [{ kind: 'INSTANCE_ROTATED' }], {
        inputs: { now: 1, lastCommand: 1, rotate: true },
      }),
    ).toEqual({ kind: 'accepted' });
    expect(
      await valueOf(store, 'SELECT deliver_at::text AS value FROM commands WHERE workflow_id = $1', [workflowID]),
    ).toBe('infinity');
  });

  it('is woken by a resume that comes while its deferral is being written', async () => {
    const { definitionID } = await deploy(store);
    const ids = await Promise.all(Array.from({ length: 20 }, () => startWithJob(store, 'racing', { definitionID })));
    await suspendDefinition(store.database, { ...by, definitionID });
    const [answers] = await Promise.all([
      Promise.all(ids.map((id) => commitStep(store, id, 2, []))),
      resumeDefinition(store.database, { ...by, definitionID }),
    ]);
    const paused = ids.filter((_id, index) => answers[index]!.kind === 'paused');
    const told = new Set<string>();
    for (
      let page = await waitersToWake(store.database, 7);
      page.length > 0;
      page = await waitersToWake(store.database, 7)
    ) {
      for (const held of page) told.add(held.workflowID);
      await deleteWokenWaiters(store.database, page);
    }
    expect(paused.filter((id) => !told.has(id))).toEqual([]);
    expect(await rows(store.database, 'SELECT 1 FROM resumptions WHERE blocker = $1', [definitionID])).toEqual([]);
  });

  it('leases no job while any of its ancestors is suspended', async () => {
    const { definitionID } = await deploy(store);
    const { parent, child, childDefinition } = await startWithChild(definitionID);
    await commitStep(store, child, 1, [...began, ...jobCreated(2, 'nested')]);
    const handedOut = async () => {
      const jobs = await poll('nested');
      await store.database.query("UPDATE jobs SET available_at = now() WHERE task_type = 'nested'");
      return jobs.length;
    };
    expect(await handedOut()).toBe(1);
    for (const [pause, end] of [
      [() => suspend(parent), () => resume(parent)],
      [() => suspend(child), () => resume(child)],
      [
        () => suspendDefinition(store.database, { ...by, definitionID }),
        () => resumeDefinition(store.database, { ...by, definitionID }),
      ],
      [
        () => suspendDefinition(store.database, { ...by, definitionID: childDefinition }),
        () => resumeDefinition(store.database, { ...by, definitionID: childDefinition }),
      ],
    ] as const) {
      await pause();
      expect(await handedOut()).toBe(0);
      await end();
      expect(await handedOut()).toBe(1);
    }
  });

  it('has its jobs and those below it marked, so that polls do not read past them, until nothing above suspends or cancels them', async () => {
    const withheld = async (...ids: string[]) =>
      Promise.all(ids.map((id) => valueOf(store, 'SELECT withheld AS value FROM jobs WHERE workflow_id = $1', [id])));
    const { parent, child } = await startWithChild();
    const { child: grandchild } = await startWithChild(undefined, child);
    await commitStep(store, parent, 2, jobCreated(8, 'marked'));
    await commitStep(store, child, 2, jobCreated(8, 'marked'));
    await commitStep(store, grandchild, 1, [...began, ...jobCreated(8, 'marked')]);
    await suspend(parent);
    await suspend(child);
    expect(await withheld(parent, child, grandchild)).toEqual([true, true, true]);
    await resume(parent);
    expect(await withheld(parent, child, grandchild)).toEqual([false, true, true]);
    expect((await poll('marked')).map(({ workflowID }) => workflowID)).toEqual([parent]);
    await resume(child);
    expect(await withheld(child, grandchild)).toEqual([false, false]);
    await suspend(grandchild);
    await cancelInstance(store.database, { workflowID: child, projectID, awaited: false });
    await resume(grandchild);
    expect(await withheld(parent, child, grandchild)).toEqual([false, true, true]);
  });

  it('takes the result of the client that holds the lease, extends its lease, and refuses other clients', async () => {
    const workflowID = await startWithJob(store, 'leased');
    const lease = await poll('leased', 'holder');
    expect(lease).toHaveLength(1);
    await suspend(workflowID);
    const job = { projectID, workflowID, number: 3, awaited: false };
    expect(
      await extendLease(store.database, { ...job, clientID: 'holder', lockDurationMilliseconds: 60_000 }),
    ).toBeInstanceOf(Date);
    expect(await completeJob(store.database, job)).toMatchObject({ code: 'SUSPENDED' });
    expect(await completeJob(store.database, { ...job, clientID: 'other' })).toMatchObject({ code: 'SUSPENDED' });
    expect(await throwJobError(store.database, { ...job, errorCode: 'E', retryable: true })).toMatchObject({
      code: 'SUSPENDED',
    });
    expect(await throwJobError(store.database, { ...job, errorCode: 'E', retryable: false })).toMatchObject({
      code: 'SUSPENDED',
    });
    const first = await completeJob(store.database, { ...job, clientID: 'holder' });
    expect(first).toMatchObject({ kind: 'submitted', waitsForResume: true });
    expect(await completeJob(store.database, { ...job, clientID: 'holder' })).toMatchObject({
      kind: 'submitted',
      commandID: (first as { commandID: string }).commandID,
    });
    expect(await completeJob(store.database, { ...job, clientID: 'other' })).toMatchObject({ code: 'CONFLICT' });
  });

  it('lets a holder give its job back, and hands it out again after the pause', async () => {
    const workflowID = await startWithJob(store, 'given-back');
    await poll('given-back', 'holder');
    await suspend(workflowID);
    const error = {
      projectID,
      workflowID,
      number: 3,
      awaited: false,
      clientID: 'holder',
      errorCode: 'E',
      retryable: true,
    };
    expect(await throwJobError(store.database, error)).toEqual({ kind: 'requeued', retries: 2 });
    expect(await poll('given-back')).toEqual([]);
    await resume(workflowID);
    expect(await poll('given-back')).toHaveLength(1);
  });

  it('refuses the end of a user task and whatever else would move it', async () => {
    const workflowID = await start(store);
    await commitStep(store, workflowID, 1, [
      ...began,
      { kind: 'ELEMENT_ACTIVATED', element: 2, node: 'task', scope: 1 },
      { kind: 'USER_TASK_CREATED', task: 3, element: 2, node: 'task' },
    ]);
    await suspend(workflowID);
    expect(await completeUserTask(store.database, { projectID, workflowID, number: 3, awaited: false })).toMatchObject({
      code: 'SUSPENDED',
    });
    const trigger = {
      projectID,
      workflowID,
      awaited: false,
      body: { kind: 'TRIGGER_AD_HOC' as const, node: 'adHoc', nodeID: 'inside' },
    };
    expect(await submitUnlessPaused(store.database, trigger)).toMatchObject({ code: 'SUSPENDED' });
    expect(await submitUnlessPaused(store.database, { ...trigger, workflowID: 'unknown' })).toMatchObject({
      code: 'NOT_FOUND',
    });
    await resume(workflowID);
    expect(await submitUnlessPaused(store.database, trigger)).toMatchObject({ kind: 'submitted' });
    expect(await completeUserTask(store.database, { projectID, workflowID, number: 3, awaited: false })).toMatchObject({
      kind: 'submitted',
    });
  });

  it('is found by the filter whatever pauses it, and no longer when it has ended', async () => {
    const { definitionID } = await deploy(store);
    const { parent, child, childDefinition } = await startWithChild(definitionID);
    const listed = async (suspended: boolean) =>
      (
        await Promise.all(
          [definitionID, childDefinition].map((id) =>
            listInstances(store.database, projectID, { definitionID: id, suspended }, { page: 1, pageSize: 100 }),
          ),
        )
      ).flatMap(({ data }) => data.map(({ workflowID }) => workflowID));
    expect([await listed(true), await listed(false)]).toEqual([[], [parent, child]]);
    await suspend(child);
    expect([await listed(true), await listed(false)]).toEqual([[child], [parent]]);
    await suspendDefinition(store.database, { ...by, definitionID });
    await resume(child);
    expect([await listed(true), await listed(false)]).toEqual([[parent, child], []]);
    await writeStepCommit(store.database, {
      workflowID: child,
      number: 1,
      inputs: { now: 1, lastCommand: 0, paused: true },
      facts: [...began, { kind: 'INSTANCE_CANCELED' }],
      outcomes: [],
    });
    expect([await listed(true), await listed(false)]).toEqual([[parent], [child]]);
  });
});

describe('an instance that continues with another definition', () => {
  it('is paused by that one from then on, and so is everything below it', async () => {
    const { definitionID: before } = await deploy(store);
    const { definitionID: after } = await deploy(store);
    const { parent, child } = await startWithChild(before);
    await commitStep(store, child, 1, [...began, ...jobCreated(2, 'moved')]);
    await store.database.query('UPDATE instances SET definition_id = $2 WHERE workflow_id = $1', [parent, after]);
    await suspendDefinition(store.database, { ...by, definitionID: before });
    expect(await commitStep(store, child, 2, [])).toEqual({ kind: 'accepted' });
    expect(await row(child)).toMatchObject({ parentSuspended: false });
    await suspendDefinition(store.database, { ...by, definitionID: after });
    expect(await row(child)).toMatchObject({ parentSuspended: true });
    expect(await poll('moved')).toEqual([]);
    await resumeDefinition(store.database, { ...by, definitionID: after });
    expect(await poll('moved')).toHaveLength(1);
  });

  it('is woken when a suspension of it or of its descendants ends', async () => {
    const { definitionID: before } = await deploy(store);
    const { definitionID: after } = await deploy(store);
    const { parent, child } = await startWithChild(before);
    await suspendDefinition(store.database, { ...by, definitionID: before });
    expect(await commitStep(store, child, 1, began)).toMatchObject({ kind: 'paused' });
    expect((await waitersToWake(store.database, 100)).map(({ workflowID }) => workflowID)).not.toContain(child);
    await store.database.query('UPDATE instances SET definition_id = $2 WHERE workflow_id = $1', [parent, after]);
    expect((await waitersToWake(store.database, 100)).map(({ workflowID }) => workflowID)).toContain(child);
    expect(await commitStep(store, child, 1, began)).toEqual({ kind: 'accepted' });
  });
});

describe('work that waits for the resume', () => {
  it('is listed by its node and name, whatever is in the commands', async () => {
    const workflowID = await start(store);
    const wait: Fact[] = [
      { kind: 'ELEMENT_ACTIVATED', element: 2, node: 'task', scope: 1 },
      { kind: 'JOB_CREATED', job: 3, element: 2, node: 'task', taskType: 'waiting', retries: 1 },
      { kind: 'SUBSCRIPTION_OPENED', subscription: 4, element: 2, node: 'note', type: 'message', name: 'note' },
      { kind: 'SUBSCRIPTION_OPENED', subscription: 5, element: 2, node: 'alarm', type: 'signal', name: workflowID },
    ];
    await commitStep(store, workflowID, 1, [...began, ...wait]);
    const variables = { text: '"execution":99,\u0000' };
    await submit(store, workflowID, { kind: 'COMPLETE_JOB', execution: 3, variables });
    await submit(store, workflowID, { kind: 'CORRELATE_MESSAGE', execution: 4, publicationID: workflowID, variables });
    await submit(store, workflowID, { kind: 'TRIGGER_AD_HOC', node: 'adHoc "\u0000', nodeID: 'inner' });
    await publish(store.database, { projectID, type: 'signal', name: workflowID, variables, publishedBy: 'eda' });
    for (const channel of await channelsToMatch(store.database, 100))
      while ((await matchChannel(store.database, channel, true)) !== 'done');
    await suspend(workflowID);
    expect(await listWaiting(store.database, await row(workflowID))).toMatchObject([
      { kind: 'job', nodeID: 'task' },
      { kind: 'message', nodeID: 'note', name: 'note' },
      { kind: 'adHoc', nodeID: 'adHoc "\u0000' },
      { kind: 'signal', nodeID: 'alarm', name: workflowID },
    ]);
  });
});
