/** Text that FEEL can make and Postgres cannot decode, through everything that writes rows and what reads them back. */
import { describe, expect, it } from 'vitest';
import type { CommandBody } from '@perdure/engine/contract/commands.js';
import type { Fact } from '@perdure/engine/contract/facts.js';
import type { Variables } from '@perdure/engine/contract/json.js';
import { cancelInstance } from '../../store/instances/cancellation.js';
import { findCommand, loadCommands } from '../../store/instances/commands.js';
import { submitCommand } from '../../store/instances/submit-command.js';
import { rows } from '../../store/sql/database.js';
import { findCalledDecision } from '../../store/decisions/called.js';
import { listIncidents } from '../../store/work/incidents/lists.js';
import { findInstance } from '../../store/instances/instances.js';
import { throwJobError } from '../../store/work/job-ends.js';
import { pollJobs } from '../../store/work/job-queue.js';
import { dropExpired } from './support/expired.js';
import { publish } from '../../store/messages/messages.js';
import { matchChannel, channelsToMatch } from '../../store/messages/matching.js';
import { suspendInstance } from '../../store/suspension/suspension.js';
import { updateUserTask } from '../../store/work/user-tasks/assignment.js';
import { listUserTasks } from '../../store/work/user-tasks/lists.js';
import { listWaiting } from '../../store/suspension/waiting.js';
import {
  began,
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
const page = { page: 1, pageSize: 100 };
const tasksPage = { ...page, sort: 'createdAt', order: 'desc' } as const;

const hostile = { NUL: 'a\u0000b', 'a lone high surrogate': 'a\ud800b', 'a lone low surrogate': 'a\udc00b' };
const replaced = 'a\ufffdb';

async function matchAll(): Promise<void> {
  for (
    let due = await channelsToMatch(store.database, 100);
    due.length > 0;
    due = await channelsToMatch(store.database, 100)
  ) {
    for (const channel of due) await matchChannel(store.database, channel, true);
  }
}

/** Everything that shows one instance. */
async function readAll(workflowID: string): Promise<void> {
  const instance = (await findInstance(store.database, projectID, workflowID))!;
  await listWaiting(store.database, instance);
  await listUserTasks(store.database, projectID, { workflowID }, tasksPage);
  await listIncidents(store.database, projectID, { workflowID }, page);
}

/** Ends the command by a rejection, as when something else came first, and cancels: the instance takes it. */
async function rejectAndCancel(workflowID: string, next: number, number: number): Promise<void> {
  const inputs = { now: 1_000_000 + next, lastCommand: number };
  const rejected = await commitStep(store, workflowID, next, [{ kind: 'COMMAND_HANDLED', number }], {
    inputs,
    outcomes: [{ number, status: 'REJECTED', code: 'CONFLICT', message: 'too late' }],
  });
  expect(rejected).toEqual({ kind: 'accepted' });
  await readAll(workflowID);
  const cancel = await cancelInstance(store.database, { workflowID, projectID, awaited: false });
  expect(cancel).toMatchObject({ kind: 'submitted' });
  const last = { now: 1_000_001 + next, lastCommand: number + 1 };
  const outcomes = [{ number: number + 1, status: 'APPLIED' as const }];
  expect(
    await commitStep(
      store,
      workflowID,
      next + 1,
      [{ kind: 'COMMAND_HANDLED', number: number + 1 }, { kind: 'INSTANCE_CANCELED' }],
      { inputs: last, outcomes },
    ),
  ).toEqual({ kind: 'accepted' });
}

describe.each(Object.entries(hostile))('a text with %s', (_name, text) => {
  const variables: Variables = { [text]: text, list: [text, { [text]: [text] }] };

  it('in every fact is written, and shown with a replacement where it is text', async () => {
    const workflowID = await start(store, { variables, businessID: text });
    const facts: Fact[] = [
      ...began,
      { kind: 'VARIABLES_SET', scope: 1, variables },
      { kind: 'ELEMENT_ACTIVATED', element: 2, node: 'task', scope: 1 },
      {
        kind: 'JOB_CREATED',
        job: 3,
        element: 2,
        node: 'task',
        taskType: text,
        retries: 3,
        headers: { [text]: text },
        localVariables: variables,
      },
      { kind: 'JOB_CREATED', job: 4, element: 2, node: 'task', taskType: text, retries: 3 },
      { kind: 'JOB_FAILED', job: 4, errorCode: text, message: text },
      {
        kind: 'USER_TASK_CREATED',
        task: 5,
        element: 2,
        node: 'task',
        assignee: text,
        candidateUsers: [text],
        candidateGroups: [text],
        formKey: text,
        formID: text,
        headers: { [text]: text },
        localVariables: variables,
      },
      {
        kind: 'INCIDENT_RAISED',
        incident: 6,
        element: 2,
        node: 'task',
        errorType: 'BpmnError',
        errorCode: text,
        message: text,
      },
      {
        kind: 'SUBSCRIPTION_OPENED',
        subscription: 7,
        element: 2,
        node: 'task',
        type: 'message',
        name: text,
        correlation: { [text]: text },
      },
      { kind: 'SUBSCRIPTION_OPENED', subscription: 8, element: 2, node: 'task', type: 'signal', name: text },
      { kind: 'MESSAGE_PUBLISHED', element: 2, node: 'task', name: text, correlation: text, variables, ttl: 0 },
      { kind: 'SIGNAL_THROWN', element: 2, node: 'task', name: text, variables },
      { kind: 'ESCALATION_THROWN', element: 2, node: 'task', escalationCode: text, caught: 'NOWHERE', variables },
      { kind: 'DECISION_FAILED', decision: 9, message: text },
    ];
    expect(await commitStep(store, workflowID, 1, facts, { variables, activeNodes: ['task'] })).toEqual({
      kind: 'accepted',
    });
    await matchAll();
    const [job] = await pollJobs(store.database, {
      projectID,

      clientID: text,
      types: [{ taskType: text, lockDurationMilliseconds: 60_000 }],
      maxJobs: 1,
    });
    expect(job).toMatchObject({ taskType: replaced, headers: { [text]: text }, variables });
    expect(await listUserTasks(store.database, projectID, { workflowID }, tasksPage)).toMatchObject({
      data: [{ assignee: replaced, candidateUsers: [replaced] }],
    });
    expect(
      await listUserTasks(store.database, projectID, { workflowID, assignee: text, candidateGroup: text }, tasksPage),
    ).toMatchObject({ total: 1 });
    expect(await listIncidents(store.database, projectID, { workflowID }, page)).toMatchObject({
      data: [{ errorCode: replaced, message: replaced }],
    });
    const ends: Fact[] = [
      { kind: 'JOB_CANCELED', job: 3, reason: text },
      { kind: 'USER_TASK_FAILED', task: 5, errorCode: text },
      { kind: 'INCIDENT_RESOLVED', incident: 6, actor: text },
      { kind: 'INSTANCE_FAILED', reason: text, errorCode: text },
    ];
    const signal = await valueOf<number>(store, 'SELECT command_count AS value FROM instances WHERE workflow_id = $1', [
      workflowID,
    ]);
    const inputs = { now: 1_000_002, lastCommand: signal };
    expect(await commitStep(store, workflowID, 2, ends, { inputs })).toEqual({ kind: 'accepted' });
    await readAll(workflowID);
  });

  it('in a job, user task and incident that end with it is written', async () => {
    const workflowID = await startWithJob(store, `ends ${replaced}`);
    const key = { projectID, workflowID, number: 3 };
    await updateUserTask(store.database, key, { assignee: text, candidateGroups: [text], actor: text, reason: text });
    await throwJobError(store.database, {
      projectID,
      workflowID,
      number: 3,
      awaited: false,
      errorCode: text,
      errorMessage: text,
      retryable: true,
    });
    await throwJobError(store.database, {
      projectID,
      workflowID,
      number: 3,
      awaited: false,
      errorCode: text,
      errorMessage: text,
      retryable: false,
      variables,
    });
    await suspendInstance(store.database, { projectID, workflowID, actor: text, reason: text });
    await readAll(workflowID);
  });

  it.each<[string, (workflowID: string) => Promise<number>]>([
    [
      'message',
      async (workflowID) => {
        await publish(store.database, {
          projectID,
          type: 'message',
          name: text,
          correlation: workflowID,
          variables,
          publishedBy: text,
        });
        await matchAll();
        return 1;
      },
    ],
    [
      'signal',
      async (workflowID) => {
        await publish(store.database, {
          projectID,
          type: 'signal',
          name: `${text} ${workflowID}`,
          variables,
          ttl: 0,
          publishedBy: text,
        });
        await matchAll();
        return 1;
      },
    ],
    ...(
      [
        { kind: 'END_CHILD', execution: 3, outcome: { status: 'COMPLETED', variables } },
        { kind: 'ESCALATE_CHILD', execution: 3, escalationCode: text, variables },
        { kind: 'THROW_JOB_ERROR', execution: 3, errorCode: text, message: text, variables },
        { kind: 'TRIGGER_AD_HOC', node: text, nodeID: text },
        { kind: 'SET_VARIABLES', variables },
      ] satisfies CommandBody[]
    ).map((body): [string, (workflowID: string) => Promise<number>] => [
      body.kind,
      async (workflowID) => (await submit(store, workflowID, body)).command.number,
    ]),
  ])('in a %s that comes too late is rejected, shown, and leaves the instance able to cancel', async (_kind, give) => {
    const workflowID = await start(store);
    const open: Fact[] = [
      {
        kind: 'SUBSCRIPTION_OPENED',
        subscription: 3,
        element: 2,
        node: 'task',
        type: 'message',
        name: text,
        correlation: workflowID,
      },
      {
        kind: 'SUBSCRIPTION_OPENED',
        subscription: 4,
        element: 2,
        node: 'task',
        type: 'signal',
        name: `${text} ${workflowID}`,
      },
    ];
    await commitStep(store, workflowID, 1, [
      ...began,
      { kind: 'ELEMENT_ACTIVATED', element: 2, node: 'task', scope: 1 },
      ...open,
    ]);
    const number = await give(workflowID);
    const [command] = await rows<{ id: string }>(
      store.database,
      'SELECT id FROM commands WHERE workflow_id = $1 AND number = $2',
      [workflowID, number],
    );
    const loaded = (await loadCommands(store.database, workflowID, [number]))[0];
    expect(await findCommand(store.database, { projectID, workflowID, commandID: command!.id })).toMatchObject({
      kind: loaded!.kind,
      status: 'PENDING',
    });
    await suspendInstance(store.database, { projectID, workflowID, actor: 'ada' });
    await readAll(workflowID);
    await store.database.query('UPDATE instances SET suspended_at = NULL WHERE workflow_id = $1', [workflowID]);
    await rejectAndCancel(workflowID, 2, number);
  });

  it('as the id of a called process or decision finds nothing, and the caller hears so', async () => {
    const workflowID = await start(store);
    const call: Fact = {
      kind: 'CHILD_CALLED',
      child: 3,
      element: 2,
      node: 'call',
      workflowID: `${workflowID}-child`,
      processID: text,
      binding: { kind: 'versionTag', versionTag: text },
      variables,
      caughtErrors: [text],
      caughtEscalations: [text],
      depth: 1,
    };
    expect(
      await commitStep(store, workflowID, 1, [
        ...began,
        { kind: 'ELEMENT_ACTIVATED', element: 2, node: 'call', scope: 1 },
        call,
      ]),
    ).toEqual({ kind: 'accepted' });
    expect((await loadCommands(store.database, workflowID, [1]))[0]).toMatchObject({
      kind: 'END_CHILD',
      outcome: { status: 'REFUSED' },
    });
    expect(
      await findCalledDecision(store.database, {
        workflowID,
        decisionID: text,
        binding: { kind: 'versionTag', versionTag: text },
      }),
    ).toBeUndefined();
    await rejectAndCancel(workflowID, 2, 1);
  });

  it('as reason and actor of a command, and in the answer to it, is written', async () => {
    const workflowID = await startWithJob(store, 'reasons');
    const given = await submitCommand(store.database, {
      workflowID,
      projectID,
      actor: text,
      reason: text,
      awaited: true,
      body: { kind: 'SET_VARIABLES', variables },
    });
    if (given.kind === 'refused') throw new Error(given.message);
    const outcomes = [
      { number: 1, status: 'REJECTED' as const, code: 'BAD_REQUEST' as const, message: text, issues: [text] },
    ];
    await commitStep(store, workflowID, 2, jobCreated(9), { inputs: { now: 1, lastCommand: 1 }, outcomes });
    expect(await findCommand(store.database, { projectID, workflowID, commandID: given.commandID })).toMatchObject({
      actor: replaced,
      reason: replaced,
      message: replaced,
      issues: [replaced],
    });
    await dropExpired(store.database);
  });
});
