import { describe, expect, it } from 'vitest';
import { Notifications } from '../../store/notifications.js';
import { readOutcome } from '../../store/instances/commands.js';
import { submitCommand } from '../../store/instances/submit-command.js';
import { findInstance, readVariables } from '../../store/instances/instances.js';
import { listJobs } from '../../store/work/job-lists.js';
import { findUserTask } from '../../store/work/user-tasks/tasks.js';
import { listIncidents } from '../../store/work/incidents/lists.js';
import { stepCommitStatement } from '../../store/steps/commit/statement.js';
import { project } from '../../store/steps/project.js';
import type { Fact } from '@perdure/engine/contract/facts.js';
import { digestOf } from '@perdure/engine/state/facts-digest.js';
import { deleteBehindRemoved, removeEndedInstances } from '../../store/retention/retention.js';
import {
  began,
  jobCreated,
  jobOf,
  commitStep,
  foldAll,
  projectID,
  start,
  startWithJob,
  submit,
  useStore,
  valueOf,
} from './support/store.js';

const store = useStore();
const ended: Fact[] = [{ kind: 'INSTANCE_COMPLETED' }];

describe('a step commit', () => {
  it('is written once, and accepted when it comes again with the same inputs', async () => {
    const workflowID = await start(store);
    expect(await commitStep(store, workflowID, 1, began)).toEqual({ kind: 'accepted' });
    expect(await commitStep(store, workflowID, 1, began)).toEqual({
      kind: 'accepted',
      repeated: true,
      digest: digestOf(began),
    });
    expect(await valueOf(store, 'SELECT count(*)::int AS value FROM steps WHERE workflow_id = $1', [workflowID])).toBe(
      1,
    );
  });

  it('that comes again with other inputs is answered with the inputs written first', async () => {
    const workflowID = await start(store);
    const inputs = { now: 5, lastCommand: 0, rotate: true as const };
    await commitStep(store, workflowID, 1, began, { inputs });
    expect(
      await commitStep(store, workflowID, 1, [...began, ...jobCreated()], { inputs: { now: 6, lastCommand: 2 } }),
    ).toEqual({ kind: 'adopt', inputs, digest: digestOf(began) });
    expect((await listJobs(store.database, projectID, { workflowID }, { page: 1, pageSize: 10 })).total).toBe(0);
  });

  it('written by two attempts at once is written by one of them and adopted by the other', async () => {
    const workflowID = await start(store);
    const attempts = Array.from({ length: 20 }, (_, now) =>
      commitStep(store, workflowID, 1, began, { inputs: { now, lastCommand: 0 } }),
    );
    const answers = await Promise.all(attempts);
    expect(answers.filter(({ kind }) => kind === 'accepted')).toHaveLength(1);
    const winner = answers.findIndex(({ kind }) => kind === 'accepted');
    for (const [index, answer] of answers.entries()) {
      if (index !== winner)
        expect(answer).toEqual({ kind: 'adopt', inputs: { now: winner, lastCommand: 0 }, digest: digestOf(began) });
    }
  });

  it('with a number that does not follow is a bug and throws', async () => {
    const workflowID = await start(store);
    await expect(commitStep(store, workflowID, 2, began)).rejects.toThrow(
      /Cannot commit step 2 .* its last committed step is 0/,
    );
  });

  it.each([
    ['alone', began],
    ['as the last one', ended],
  ])('that handled a command without a row is not written and throws, %s', async (_how, facts) => {
    const workflowID = await start(store);
    await expect(commitStep(store, workflowID, 1, facts, { inputs: { now: 5, lastCommand: 1 } })).rejects.toThrow(
      /it handled command 1, but the last command with a row is 0. If Postgres was restored, run resync/,
    );
    expect(await valueOf(store, 'SELECT step_count AS value FROM instances WHERE workflow_id = $1', [workflowID])).toBe(
      0,
    );
  });

  it('of an instance that does not exist throws', async () => {
    await expect(commitStep(store, 'nobody', 1, began)).rejects.toThrow('the database has no such instance');
  });

  it('that comes again after the instance has been removed gets the answer that it has ended', async () => {
    const workflowID = await start(store);
    const commits = [
      () => commitStep(store, workflowID, 1, began),
      () => commitStep(store, workflowID, 2, ended),
      () =>
        commitStep(store, workflowID, 3, [
          { kind: 'INCIDENT_RAISED', incident: 9, element: 1, node: 'p', errorType: 'Unknown', message: '' },
        ]),
    ];
    for (const write of commits.slice(0, 2)) await write();
    await store.database.query("UPDATE instances SET completed_at = now() - interval '1 day' WHERE workflow_id = $1", [
      workflowID,
    ]);
    await foldAll(store);
    expect(await removeEndedInstances(store.database, 1000)).toBeGreaterThan(0);
    for (const write of commits) expect(await write()).toEqual({ kind: 'ended' });
    while (await deleteBehindRemoved(store.database));
    for (const write of commits) expect(await write()).toEqual({ kind: 'ended' });
  });

  it('takes the start away that the outbox relay would repeat', async () => {
    const workflowID = await start(store);
    const starts = () =>
      valueOf<number>(store, 'SELECT count(*)::int AS value FROM instance_starts WHERE workflow_id = $1', [workflowID]);
    expect(await starts()).toBe(1);
    await commitStep(store, workflowID, 1, began);
    expect(await starts()).toBe(0);
  });

  it('replaces the variables only when it brings some', async () => {
    const workflowID = await start(store, { variables: { x: 1 } });
    await commitStep(store, workflowID, 1, began);
    expect(await readVariables(store.database, projectID, workflowID)).toEqual({ x: 1 });
    await commitStep(store, workflowID, 2, [], { variables: { x: 2, y: ['ü', null] } });
    expect(await readVariables(store.database, projectID, workflowID)).toEqual({ x: 2, y: ['ü', null] });
  });

  it('writes the active nodes of the instance; there are none before its first step and after its end', async () => {
    const workflowID = await start(store);
    const nodes = () =>
      valueOf<string[] | null>(store, 'SELECT active_nodes AS value FROM instances WHERE workflow_id = $1', [
        workflowID,
      ]);
    expect(await nodes()).toBeNull();
    await commitStep(store, workflowID, 1, began, { activeNodes: ['a "quoted", {strange} id', 'b'] });
    expect(await nodes()).toEqual(['a "quoted", {strange} id', 'b']);
    await commitStep(store, workflowID, 2, [], { activeNodes: ['b'] });
    expect(await nodes()).toEqual(['b']);
    await commitStep(store, workflowID, 3, ended);
    expect(await nodes()).toBeNull();
  });

  it('stays a heap-only update while the instance runs', async () => {
    const workflowID = await start(store);
    const client = await store.pool.connect();
    const updates = async () =>
      (
        await client.query<{ all: number; hot: number }>(
          `SELECT n_tup_upd::int AS "all", n_tup_hot_upd::int AS hot FROM pg_stat_xact_user_tables WHERE relname = 'instances'`,
        )
      ).rows[0]!;
    try {
      await client.query('BEGIN');
      const before = await updates();
      const changes = {
        workflowID,
        number: 1,
        inputs: { now: 1, lastCommand: 0 },
        facts: began,
        outcomes: [],
        variables: { a: 1 },
        activeNodes: ['a'],
      };
      const { text, values } = stepCommitStatement(changes, project(began), {
        locked: false,
        incidents: 0,
        received: 0,
      });
      await client.query(text, values);
      const after = await updates();
      expect([after.all - before.all, after.hot - before.hot]).toEqual([1, 1]);
    } finally {
      await client.query('ROLLBACK');
      client.release();
    }
  });

  it('keeps text that Postgres cannot store, with a mark in its place', async () => {
    const workflowID = await start(store);
    const message = 'a\0b \ud83d end';
    await commitStep(
      store,
      workflowID,
      1,
      [
        ...began,
        { kind: 'ELEMENT_ACTIVATED', element: 2, node: 'task', scope: 1 },
        {
          kind: 'JOB_CREATED',
          job: 3,
          element: 2,
          node: 'task',
          taskType: `odd\0${'x'.repeat(5_000)}`,
          retries: 1e12,
          headers: { h: '\0' },
          localVariables: { text: message },
        },
        {
          kind: 'USER_TASK_CREATED',
          task: 4,
          element: 2,
          node: 'ask',
          assignee: '\0',
          candidateUsers: ['\ud83d'],
          candidateGroups: ['{"}, \\'],
        },
        { kind: 'INCIDENT_RAISED', incident: 5, element: 2, node: 'task', errorType: 'FeelError', message },
      ],
      { variables: { text: message } },
    );
    const job = await jobOf(store, workflowID, 3);
    expect(job).toMatchObject({ headers: { h: '\0' }, retries: 2 ** 31 - 1, variables: { text: message } });
    expect(job!.taskType).toMatch(/^odd\uFFFDx+$/);
    expect(await findUserTask(store.database, { projectID, workflowID, number: 4 })).toMatchObject({
      assignee: '\uFFFD',
      candidateUsers: ['\uFFFD'],
      candidateGroups: ['{"}, \\'],
    });
    const { data } = await listIncidents(store.database, projectID, { workflowID }, { page: 1, pageSize: 10 });
    expect(data[0]).toMatchObject({ message: 'a\uFFFDb \uFFFD end' });
  });
});

describe('the changes of a step commit', () => {
  it('creates, completes, fails and cancels jobs and user tasks, also within one step commit', async () => {
    const workflowID = await start(store);
    await commitStep(store, workflowID, 1, [
      ...began,
      ...jobCreated(2),
      ...jobCreated(4),
      ...jobCreated(6),
      { kind: 'JOB_CANCELED', job: 7, reason: 'interrupted' },
      { kind: 'USER_TASK_CREATED', task: 8, element: 2, node: 'ask', formKey: 'f', candidateGroups: ['g'] },
      { kind: 'USER_TASK_CREATED', task: 9, element: 2, node: 'ask' },
    ]);
    await commitStep(store, workflowID, 2, [
      { kind: 'JOB_COMPLETED', job: 3 },
      { kind: 'JOB_FAILED', job: 5, errorCode: 'E', message: 'm' },
      { kind: 'USER_TASK_COMPLETED', task: 8, variables: { ok: true } },
      { kind: 'USER_TASK_FAILED', task: 9, errorCode: 'T' },
    ]);
    const job = (number: number) => jobOf(store, workflowID, number);
    expect(await job(3)).toMatchObject({ status: 'COMPLETED', completedAt: new Date(1_000_002) });
    expect(await job(5)).toMatchObject({ status: 'FAILED', errorCode: 'E', errorMessage: 'm' });
    expect(await job(7)).toMatchObject({
      status: 'CANCELED',
      cancelReason: 'interrupted',
      completedAt: new Date(1_000_001),
    });
    const task = (number: number) => findUserTask(store.database, { projectID, workflowID, number });
    expect(await task(8)).toMatchObject({
      status: 'COMPLETED',
      completionVariables: { ok: true },
      formKey: 'f',
      candidateGroups: ['g'],
    });
    expect(await task(9)).toMatchObject({ status: 'FAILED', errorCode: 'T', candidateGroups: [] });
  });

  it('opens, resolves and withdraws incidents', async () => {
    const workflowID = await start(store);
    const raise = (incident: number): Fact => ({
      kind: 'INCIDENT_RAISED',
      incident,
      element: 2,
      node: 'task',
      errorType: 'BpmnError',
      errorCode: 'E',
      message: 'no handler',
    });
    const list = async () =>
      (await listIncidents(store.database, projectID, { workflowID }, { page: 1, pageSize: 10 })).data;
    const hasIncident = async () => (await findInstance(store.database, projectID, workflowID))!.hasIncident;
    await commitStep(store, workflowID, 1, [...began, raise(3), raise(4)]);
    expect(await hasIncident()).toBe(true);
    await commitStep(store, workflowID, 2, [
      { kind: 'INCIDENT_RESOLVED', incident: 3, actor: 'olga' },
      { kind: 'INCIDENT_WITHDRAWN', incident: 4 },
    ]);
    expect(await hasIncident()).toBe(false);
    expect((await list()).map(({ incidentID, status, resolvedBy }) => [incidentID, status, resolvedBy])).toEqual([
      [`${workflowID}:4`, 'WITHDRAWN', null],
      [`${workflowID}:3`, 'RESOLVED', 'olga'],
    ]);
  });

  it('writes the outcomes of the commands it handled', async () => {
    const workflowID = await start(store);
    await submit(store, workflowID, { kind: 'SET_VARIABLES', variables: {} });
    await submit(store, workflowID, { kind: 'SET_VARIABLES', variables: {} });
    expect(await readOutcome(store.database, workflowID, 1)).toBeUndefined();
    await commitStep(store, workflowID, 1, began, {
      inputs: { now: 1, lastCommand: 2 },
      outcomes: [
        { number: 1, status: 'APPLIED' },
        { number: 2, status: 'REJECTED', code: 'CONFLICT', message: 'no' },
      ],
    });
    expect(await readOutcome(store.database, workflowID, 1)).toEqual({ number: 1, status: 'APPLIED' });
    expect(await readOutcome(store.database, workflowID, 2)).toEqual({
      number: 2,
      status: 'REJECTED',
      code: 'CONFLICT',
      message: 'no',
    });
  });
});

describe('the last step commit of an instance', () => {
  it('ends it, and a later one learns that it has ended', async () => {
    const workflowID = await start(store);
    await commitStep(store, workflowID, 1, [...began, ...ended]);
    expect(await findInstance(store.database, projectID, workflowID)).toMatchObject({
      status: 'COMPLETED',
      failureReason: null,
    });
    expect(await commitStep(store, workflowID, 2, [])).toEqual({ kind: 'ended' });
  });

  it('rejects every command that is still pending and tells those who wait', async () => {
    const notifications = await Notifications.open(store.database, store.databaseUrl);
    try {
      const workflowID = await startWithJob(store, 'unused');
      const { command } = await submit(store, workflowID, { kind: 'SET_VARIABLES', variables: {} }, true);
      const outcome = notifications.awaitOutcome(store.database, workflowID, command.number, 10_000);
      await commitStep(store, workflowID, 2, [{ kind: 'JOB_CANCELED', job: 3, reason: 'over' }, ...ended]);
      expect(await outcome).toMatchObject({ status: 'REJECTED', code: 'INSTANCE_ENDED' });
      expect(await jobOf(store, workflowID, 3)).toMatchObject({ status: 'CANCELED' });
    } finally {
      await notifications.close();
    }
  });

  it('leaves no command pending however late it comes', async () => {
    for (let round = 0; round < 20; round += 1) {
      const workflowID = await start(store);
      const request = {
        workflowID,
        projectID,
        awaited: false,
        body: { kind: 'SET_VARIABLES' as const, variables: {} },
      };
      const commands = Array.from({ length: 10 }, () => submitCommand(store.database, request));
      const [answer, ...answers] = await Promise.all([
        commitStep(store, workflowID, 1, [...began, ...ended]),
        ...commands,
      ]);
      expect(answer).toEqual({ kind: 'accepted' });
      for (const given of answers) {
        if (given.kind === 'refused') expect(given.code).toBe('INSTANCE_ENDED');
        else
          expect(await readOutcome(store.database, workflowID, given.command.number)).toMatchObject({
            code: 'INSTANCE_ENDED',
          });
      }
    }
  });
});
