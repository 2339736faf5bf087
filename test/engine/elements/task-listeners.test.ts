/** Task listeners: jobs that decide about a user task before it is created, changed, or completed. */
import { describe, expect, it } from 'vitest';
import type { CommandOutcome, JobResult } from '@perdure/engine/contract/commands.js';
import type { Fact, TaskChanges } from '@perdure/engine/contract/facts.js';
import type { Variables } from '@perdure/engine/contract/json.js';
import { redactFact } from '@perdure/engine/redaction/facts.js';
import { heldCommands } from '@perdure/engine/state/element-data.js';
import { openWaits } from '@perdure/engine/state/open-waits.js';
import { boundaryEvent, endEvent, multiInstance, taskListeners, userTask, on } from '@perdure/testkit/models';
import { MemoryHost, type MemoryInstance } from '../../../packages/testkit/memory-host.js';
import { simpleModel } from '../../support/models.js';
import { migrate, oneTask } from '../support/migrating.js';
import { cancel } from '../support/modifying.js';

type Listeners = Parameters<typeof taskListeners>[0];

const listened = (listeners: Listeners, more = {}) => userTask('a', { ...more, extensions: taskListeners(listeners) });

async function started(xml: string, variables: Variables = {}) {
  const host = await MemoryHost.deploy(xml);
  const outcomes: CommandOutcome[] = [];
  host.onStep = (_instance, _input, result) => void outcomes.push(...result.outcomes);
  const instance = host.start('p', variables);
  return { host, instance, outcomes };
}

const withTask = (listeners: Listeners, more = {}, variables: Variables = {}) =>
  started(oneTask(listened(listeners, more)), variables);

type OfKind<Kind extends Fact['kind']> = Extract<Fact, { kind: Kind }>;
const factsOf = <Kind extends Fact['kind']>(host: MemoryHost, instance: MemoryInstance, kind: Kind): OfKind<Kind>[] =>
  host.facts(instance).filter((fact): fact is OfKind<Kind> => fact.kind === kind);

const openJobs = (host: MemoryHost, instance: MemoryInstance) =>
  factsOf(host, instance, 'JOB_CREATED').filter(({ job }) => instance.state.waits[job]);
const openTypes = (host: MemoryHost, instance: MemoryInstance) =>
  openJobs(host, instance).map(({ taskType }) => taskType);
const tasks = (instance: MemoryInstance) =>
  Object.values(instance.state.waits).filter(({ kind }) => kind === 'userTask');

/** Completes the only open job, which is of this type. */
function done(host: MemoryHost, instance: MemoryInstance, type: string, result?: JobResult, variables?: Variables) {
  expect(openTypes(host, instance)).toEqual([type]);
  return host.command(instance, {
    kind: 'COMPLETE_JOB',
    execution: openJobs(host, instance)[0]!.job,
    ...(result && { result }),
    ...(variables && { variables }),
  });
}

function failed(host: MemoryHost, instance: MemoryInstance, type: string) {
  expect(openTypes(host, instance)).toEqual([type]);
  host.command(instance, {
    kind: 'THROW_JOB_ERROR',
    execution: openJobs(host, instance)[0]!.job,
    errorCode: 'BROKEN',
  });
}

/** Asks to complete the task. @returns the outcome if there is one at once */
const ask = (host: MemoryHost, instance: MemoryInstance, variables?: Variables) =>
  host.send(instance, {
    kind: 'COMPLETE_USER_TASK',
    execution: tasks(instance)[0]!.id,
    ...(variables && { variables }),
  });

const change = (host: MemoryHost, instance: MemoryInstance, changes: TaskChanges) =>
  host.send(instance, { kind: 'CHANGE_USER_TASK', execution: tasks(instance)[0]!.id, changes });

describe('listeners of the creation', () => {
  it('run one after another before the task exists', async () => {
    const { host, instance } = await withTask({ creating: ['c1', 'c2'] });
    expect(tasks(instance)).toEqual([]);
    expect(openWaits(instance.model, instance.state)).toMatchObject([
      { kind: 'job', node: 'a', listener: { kind: 'TASK', eventType: 'creating' } },
    ]);
    done(host, instance, 'c1');
    expect(tasks(instance)).toEqual([]);
    done(host, instance, 'c2');
    expect(tasks(instance)).toHaveLength(1);
    expect(openTypes(host, instance)).toEqual([]);
  });

  it('correct what the model says: null keeps, an empty text or list clears', async () => {
    const { host, instance } = await withTask(
      { creating: ['c1', 'c2'] },
      { assignee: 'ada', candidateGroups: 'staff', candidateUsers: 'bob' },
    );
    expect(openJobs(host, instance)[0]!.headers).toMatchObject({
      'io.camunda.zeebe:action': 'create',
      'io.camunda.zeebe:assignee': 'ada',
      'io.camunda.zeebe:candidateGroups': '["staff"]',
    });
    done(host, instance, 'c1', {
      corrections: { assignee: '', candidateGroups: [], candidateUsers: null, priority: 7 },
    });
    expect(openJobs(host, instance)[0]!.headers).toMatchObject({ 'io.camunda.zeebe:priority': '7' });
    done(host, instance, 'c2', { corrections: { dueDate: '2026-02-01T00:00:00Z' } });
    const [created] = factsOf(host, instance, 'USER_TASK_CREATED');
    expect(created).toMatchObject({ candidateUsers: ['bob'], candidateGroups: [], priority: 7 });
    expect(created!.dueDate).toBe(Date.parse('2026-02-01T00:00:00Z'));
    expect(created).not.toHaveProperty('assignee');
  });

  it.each<[string, JobResult]>([
    ['a denial', { denied: true }],
    ['a reason without a denial', { deniedReason: 'x' }],
    ['a date that is none', { corrections: { dueDate: 'tomorrow' } }],
    ['a priority out of range', { corrections: { priority: 101 } }],
    ['the decision of another kind of job', { isCompletionConditionFulfilled: true }],
  ])('are refused %s, and nothing changes', async (_what, result) => {
    const { host, instance } = await withTask({ creating: ['c'] });
    expect(done(host, instance, 'c', result)).toMatchObject({ status: 'REJECTED', code: 'BAD_REQUEST' });
    expect(openTypes(host, instance)).toEqual(['c']);
    expect(done(host, instance, 'c')).toMatchObject({ status: 'APPLIED' });
  });

  it('are asked about the assignee of the model after the creation, and know from headers what the task is', async () => {
    const { host, instance } = await withTask({ assigning: ['l'] }, { assignee: 'ada', candidateGroups: 'staff' });
    const [job] = openJobs(host, instance);
    expect(job!.headers).toEqual({
      'io.camunda.zeebe:action': 'assign',
      'io.camunda.zeebe:changedAttributes': '["assignee"]',
      'io.camunda.zeebe:assignee': 'ada',
      'io.camunda.zeebe:candidateGroups': '["staff"]',
    });
    expect(job!.task).toEqual({
      number: tasks(instance)[0]!.id,
      headers: ['candidateUsers', 'dueDate', 'followUpDate', 'priority', 'formKey', 'userTaskKey'],
    });
  });

  it('set no variables', async () => {
    const { host, instance } = await withTask({ creating: ['c'] });
    done(host, instance, 'c', undefined, { lost: true });
    expect(host.variables(instance)).toEqual({});
  });

  it('run for each inner instance of a multi-instance task', async () => {
    const { host, instance } = await withTask({ creating: ['c'] }, { loop: multiInstance('=[1, 2]') });
    expect(openTypes(host, instance)).toEqual(['c', 'c']);
  });
});

describe('listeners of the completion', () => {
  it('decide before the task is completed, and the request ends with them', async () => {
    const { host, instance, outcomes } = await withTask({ completing: ['l1', 'l2'] });
    expect(ask(host, instance, { ok: true })).toBeUndefined();
    const number = instance.state.lastCommand;
    done(host, instance, 'l1', undefined, { lost: 1 });
    expect(outcomes.find((outcome) => outcome.number === number)).toBeUndefined();
    done(host, instance, 'l2', { corrections: { assignee: 'eve' } });
    expect(outcomes).toContainEqual({ number, status: 'APPLIED' });
    expect(factsOf(host, instance, 'USER_TASK_COMPLETED')).toMatchObject([
      { variables: { ok: true }, changes: { assignee: 'eve' }, command: number },
    ]);
    expect(instance.state.status).toBe('COMPLETED');
    expect(host.variables(instance)).toEqual({ ok: true });
  });

  it('can deny it with a reason; the task stays open, and takes another request', async () => {
    const { host, instance, outcomes } = await withTask({ completing: ['l1', 'l2'] });
    ask(host, instance, { ok: false });
    const number = instance.state.lastCommand;
    done(host, instance, 'l1', { denied: true, deniedReason: 'amount is missing' });
    expect(outcomes).toContainEqual({ number, status: 'REJECTED', code: 'CONFLICT', message: 'amount is missing' });
    expect(tasks(instance)).toHaveLength(1);
    ask(host, instance, { amount: 1 });
    done(host, instance, 'l1');
    done(host, instance, 'l2');
    expect(host.variables(instance)).toEqual({ amount: 1 });
  });

  it('hold off every other request', async () => {
    const { host, instance } = await withTask({ completing: ['l'], assigning: ['m'] });
    ask(host, instance);
    const execution = tasks(instance)[0]!.id;
    const refusal = { status: 'REJECTED', code: 'CONFLICT' };
    expect(ask(host, instance)).toMatchObject(refusal);
    expect(change(host, instance, { assignee: 'ada' })).toMatchObject(refusal);
    expect(host.send(instance, { kind: 'THROW_USER_TASK_ERROR', execution, errorCode: 'E' })).toMatchObject(refusal);
    expect(openTypes(host, instance)).toEqual(['l']);
  });

  it('that fail are an incident with their type; resolving it runs that listener again, and the task stays', async () => {
    const { host, instance } = await withTask({ completing: ['l1', 'l2'] });
    ask(host, instance, { ok: true });
    done(host, instance, 'l1');
    failed(host, instance, 'l2');
    expect(host.incidents(instance)).toMatchObject([{ node: 'a', errorType: 'BpmnError', errorCode: 'l2' }]);
    const [task] = tasks(instance);
    host.resolve(instance, 'a');
    expect(tasks(instance)).toEqual([task]);
    done(host, instance, 'l2');
    expect(host.variables(instance)).toEqual({ ok: true });
  });

  it('end with the task when an event interrupts it, and so does the request', async () => {
    const { host, instance, outcomes } = await started(
      simpleModel(
        [listened({ completing: ['l'] }), endEvent('e'), boundaryEvent('late', 'a', on.timer('PT1H')), endEvent('x')],
        ['f1: s -> a', 'f2: a -> e', 'f3: late -> x'],
      ),
    );
    ask(host, instance);
    const number = instance.state.lastCommand;
    host.advance(3_600_000);
    expect(instance.state.status).toBe('COMPLETED');
    expect(outcomes).toContainEqual(expect.objectContaining({ number, status: 'REJECTED', code: 'CONFLICT' }));
  });

  it('end with the instance, which does not wait for them', async () => {
    const { host, instance, outcomes } = await withTask({ completing: ['l'] });
    ask(host, instance);
    const number = instance.state.lastCommand;
    host.command(instance, { kind: 'CANCEL_INSTANCE' });
    expect(instance.state.status).toBe('CANCELED');
    expect(outcomes).toContainEqual(expect.objectContaining({ number, status: 'REJECTED' }));
  });

  it('end with a token that a modification cancels', async () => {
    const { host, instance, outcomes } = await withTask({ completing: ['l'] });
    ask(host, instance);
    const number = instance.state.lastCommand;
    host.command(instance, { kind: 'MODIFY', instructions: [cancel('a')] });
    expect(openTypes(host, instance)).toEqual([]);
    expect(outcomes).toContainEqual(expect.objectContaining({ number, status: 'REJECTED' }));
  });

  it('hold its command until then, and no longer', async () => {
    const { host, instance } = await withTask({ completing: ['l'] });
    expect(heldCommands(instance.state)).toEqual([]);
    ask(host, instance);
    expect(heldCommands(instance.state)).toEqual([instance.state.lastCommand]);
    done(host, instance, 'l', { denied: true });
    expect(heldCommands(instance.state)).toEqual([]);
  });

  it('keep the variables of the request where redaction finds them', async () => {
    const { host, instance } = await withTask({ completing: ['l'] });
    ask(host, instance, { secret: 1, open: 2 });
    const redacted = host.facts(instance).map((fact) => redactFact(fact, new Set(['secret'])));
    expect(JSON.stringify(redacted)).not.toContain('"secret":1');
    expect(JSON.stringify(redacted)).toContain('"open":2');
  });
});

describe('listeners of an assignment and of an update', () => {
  it('decide about the assignee of the model: the task exists without it first', async () => {
    const { host, instance } = await withTask({ assigning: ['l'] }, { assignee: 'ada' });
    expect(factsOf(host, instance, 'USER_TASK_CREATED')[0]).not.toHaveProperty('assignee');
    done(host, instance, 'l', { corrections: { assignee: 'bob' } });
    expect(factsOf(host, instance, 'USER_TASK_CHANGED')).toMatchObject([{ changes: { assignee: 'bob' } }]);
  });

  it('leave the task without the assignee of the model if they deny it', async () => {
    const { host, instance } = await withTask({ assigning: ['l'] }, { assignee: 'ada' });
    done(host, instance, 'l', { denied: true });
    expect(factsOf(host, instance, 'USER_TASK_CHANGED')).toEqual([]);
    expect(tasks(instance)).toHaveLength(1);
  });

  it('run both for a request that changes the assignee and more', async () => {
    const { host, instance, outcomes } = await withTask({ assigning: ['l1'], updating: ['l2'] });
    expect(change(host, instance, { assignee: 'ada', priority: 3 })).toBeUndefined();
    const number = instance.state.lastCommand;
    done(host, instance, 'l1');
    done(host, instance, 'l2', { corrections: { priority: 4 } });
    expect(factsOf(host, instance, 'USER_TASK_CHANGED')).toMatchObject([
      { changes: { assignee: 'ada', priority: 4 }, command: number },
    ]);
    expect(outcomes).toContainEqual({ number, status: 'APPLIED' });
  });

  it('are not asked about a completion', async () => {
    const { host, instance } = await withTask({ assigning: ['l1'], updating: ['l2'] });
    expect(ask(host, instance)).toMatchObject({ status: 'APPLIED' });
    expect(instance.state.status).toBe('COMPLETED');
  });
});

describe('migration', () => {
  async function asked(target: Listeners) {
    const made = await withTask({ completing: ['l1', 'l2'] });
    ask(made.host, made.instance, { ok: true });
    const number = made.instance.state.lastCommand;
    done(made.host, made.instance, 'l1');
    await made.host.deploy(oneTask(listened(target, { name: 'new' })));
    migrate(made.host, made.instance);
    return { ...made, number };
  }

  it('keeps the job of a listener that the new version has', async () => {
    const { host, instance } = await asked({ completing: ['l0', 'l2', 'l3'] });
    done(host, instance, 'l2');
    done(host, instance, 'l3');
    expect(instance.state.status).toBe('COMPLETED');
  });

  it('cancels the job of a missing one, and the request continues', async () => {
    const { host, instance, outcomes, number } = await asked({ creating: ['other'] });
    expect(factsOf(host, instance, 'JOB_CANCELED')).toHaveLength(1);
    expect(factsOf(host, instance, 'USER_TASK_CHANGED')).toMatchObject([{ changes: {}, decided: [] }]);
    expect(outcomes).toContainEqual({ number, status: 'APPLIED' });
    expect(instance.state.status).toBe('COMPLETED');
  });
});
