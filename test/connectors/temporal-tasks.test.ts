import { ApplicationFailure } from '@temporalio/common';
import { activityInfo, Context, heartbeat } from '@temporalio/activity';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { boundaryEvent, endEvent, on, processModel, root, serviceTask, startEvent } from '@perdure/testkit/models';
import type { TestHost } from '../api/operations/support/host.js';
import { deploy, jobOf, start, untilStatus } from '../api/operations/support/steps.js';
import { eventually } from '../support/eventually.js';
import { startTemporalTasks, type TemporalTasks } from './support/temporal-tasks.js';

vi.setConfig({ testTimeout: 120_000 });

const attempts = new Map<string, number>();
const canceled: string[] = [];
const gates = new Map<
  string,
  { begun: Promise<void>; begin(): void; open: Promise<unknown>; release(value: unknown): void }
>();

/** An activity with this input waits until the test releases it. */
function gate(name: string) {
  let begin!: () => void;
  let release!: (value: unknown) => void;
  const begun = new Promise<void>((resolve) => (begin = resolve));
  const open = new Promise<unknown>((resolve) => (release = resolve));
  const made = { begun, begin, open, release };
  gates.set(name, made);
  return made;
}

const activities = {
  charge: async ({ amount }: { amount: number }) => ({ paid: amount, attempt: activityInfo().attempt }),
  echo: async (input: unknown) => input,
  fail: async ({ type, message, details }: { type: string; message: string; details?: unknown }) => {
    attempts.set(message, (attempts.get(message) ?? 0) + 1);
    throw ApplicationFailure.create({ type, message, details: details === undefined ? [] : [details] });
  },
  hold: async ({ name }: { name: string }) => {
    const { begin, open } = gates.get(name)!;
    attempts.set(name, (attempts.get(name) ?? 0) + 1);
    begin();
    return open;
  },
  beat: async ({ name }: { name: string }) => {
    gates.get(name)!.begin();
    try {
      for (;;) {
        heartbeat();
        await Context.current().sleep(50);
      }
    } catch (error) {
      canceled.push(name);
      throw error;
    }
  },
  // Until its worker stops.
  freeze: () => Context.current().cancelled,
  bytes: async () => new Uint8Array([1, 2, 3]),
  large: async ({ bytes }: { bytes: number }) => ({ text: 'x'.repeat(bytes) }),
};

let tasks: TemporalTasks;
let host: TestHost;
beforeAll(async () => {
  tasks = await startTemporalTasks(activities);
  ({ host } = tasks);
  await tasks.startConnectors();
});
afterAll(() => tasks?.close());

const activity = (name: string, headers: Record<string, string> = {}) => ({
  activity: name,
  taskQueue: tasks.queue,
  ...headers,
});
const runnerOf = (executionKey: string) => host.client.workflow.getHandle(`perdure-task:${executionKey}`);
const untilClosed = (executionKey: string) =>
  eventually(
    async () => (await runnerOf(executionKey).describe()).status.name,
    (status) => status !== 'RUNNING',
  );

describe('an activity', () => {
  it('gets one argument and sets what the headers say', async () => {
    const inputs = { amount: '=total * 2', note: 'for you' };
    const variables = await tasks.completed(
      {
        inputs,
        headers: activity('echo', { resultVariable: 'answer', resultExpression: '={twice: response.amount}' }),
      },
      { total: 21 },
    );
    expect(variables).toMatchObject({ answer: { amount: 42, note: 'for you' }, twice: 42 });
    expect(
      await tasks.completed({ inputs: { input: '=[1, 2]' }, headers: activity('echo', { resultVariable: 'r' }) }),
    ).toEqual({
      r: [1, 2],
    });
    expect(await tasks.completed({ headers: activity('echo', { resultVariable: 'r' }) })).toEqual({ r: {} });
  });

  it('merges an object without a result variable, and drops anything else', async () => {
    expect(await tasks.completed({ inputs: { amount: '=3' }, headers: activity('charge') })).toMatchObject({ paid: 3 });
    expect(await tasks.completed({ inputs: { input: '="text"' }, headers: activity('echo') })).toEqual({});
  });

  it('takes its headers from FEEL', async () => {
    const headers = { activity: '=name', taskQueue: '=queue', maximumAttempts: '=1 + 1' };
    const found = await tasks.incident(
      { headers, inputs: { type: 'Broken', message: 'twice' } },
      { name: 'fail', queue: tasks.queue },
    );
    expect(found).toMatchObject({ errorCode: 'Broken', errorMessage: 'twice' });
    expect(attempts.get('twice')).toBe(2);
  });

  it('fails with the type of its failure, which events catch, and its error expression sees', async () => {
    const failing = { type: 'Declined', message: 'no money', details: '={limit: 5}' };
    expect(await tasks.incident({ retries: 1, inputs: failing, headers: activity('fail') })).toMatchObject({
      errorCode: 'Declined',
      errorMessage: 'no money',
    });
    const errorExpression =
      '=if error.code = "Declined" and error.details.limit = 5 then bpmnError("POOR", "sorry") else null';
    const once = { ...failing, message: 'not again' };
    expect(
      await tasks.incident({
        inputs: once,
        headers: activity('fail', { errorExpression, nonRetryableErrorTypes: 'Other, Declined' }),
      }),
    ).toMatchObject({ errorCode: 'POOR', errorMessage: 'sorry' });
    expect(attempts.get('not again')).toBe(1);
    const model = processModel(
      'caught',
      [
        startEvent('s'),
        serviceTask('call', { type: 'temporal:activity', retries: 1, inputs: failing, headers: activity('fail') }),
        boundaryEvent('declined', 'call', on.error('Declined')),
        endEvent('a'),
        endEvent('b'),
      ],
      ['f1: s -> call', 'f2: call -> a', 'f3: declined -> b'],
      root.error('Declined'),
    );
    await untilStatus(host, await start(host, await deploy(host, model)), 'COMPLETED');
  });

  it('whose heartbeats stop fails with TEMPORAL_TIMEOUT', async () => {
    const found = await tasks.incident({ retries: 1, headers: activity('freeze', { heartbeatTimeout: 'PT1S' }) });
    expect(found).toMatchObject({ errorCode: 'TEMPORAL_TIMEOUT' });
  });

  it('that returns no JSON fails with a code, and nothing is stuck', async () => {
    const found = await tasks.incident({ headers: activity('bytes') });
    expect(found.errorCode).toBe('TEMPORAL_RESULT_INVALID');
    expect(found.errorMessage).toContain('binary/plain');
  });

  it('returns up to the limit of an instance by reference', async () => {
    const headers = activity('large', { resultExpression: '={length: string length(response.text)}' });
    expect(await tasks.completed({ inputs: { bytes: '=200000' }, headers })).toEqual({ length: 200_000 });
  });

  it('gets at most 512 KiB, and nothing is started for more', async () => {
    const workflowID = await tasks.begin(
      { inputs: { input: '=[text, text, text]' }, headers: activity('echo') },
      { text: 'x'.repeat(200_000) },
    );
    expect(await tasks.incidentOf(workflowID)).toMatchObject({ errorCode: 'TEMPORAL_PAYLOAD_TOO_LARGE' });
    const { executionKey } = await jobOf(host, workflowID);
    await expect(runnerOf(executionKey).describe()).rejects.toThrow();
  });

  it.each(['elsewhere', 'perdure'])('may not use task queue %s without a permission', async (taskQueue) => {
    const found = await tasks.incident({ headers: { activity: 'echo', taskQueue } });
    expect(found).toMatchObject({ errorCode: 'TEMPORAL_REFUSED' });
  });

  it('is shown with its execution in jobs, waits, and history, and no client can lease it', async () => {
    const held = gate('shown');
    const workflowID = await tasks.begin({ inputs: { name: 'shown' }, headers: activity('hold') });
    await held.begun;
    const { executionKey } = await jobOf(host, workflowID);
    const execution = { namespace: 'default', workflowID: `perdure-task:${executionKey}`, runID: expect.any(String) };
    const path = `/bpmn/instances/${workflowID}`;
    const job = await eventually(
      () => jobOf(host, workflowID),
      (one) => one.execution !== undefined,
    );
    expect(job).toMatchObject({ execution, lockedBy: 'connectors-temporal' });
    const [wait] = (await host.call('viewer', 'GET', `${path}/waits`)).body.data;
    expect(wait).toMatchObject({ kind: 'job', execution });
    const polled = await host.call('executor', 'POST', '/bpmn/external-jobs/poll', {
      json: { taskType: 'temporal:activity', clientID: 'c', timeout: '0s' },
    });
    expect([polled.status, JSON.stringify(polled.body)]).toEqual([
      400,
      expect.stringContaining('performed by connectors'),
    ]);
    held.release({ ok: true });
    await untilStatus(host, workflowID, 'COMPLETED');
    const { data } = (await host.call('viewer', 'GET', `${path}/history`)).body;
    expect(data.find(({ nodeID }: { nodeID: string }) => nodeID === 'call')).toMatchObject({ execution });
  });

  it('keeps its result for the resume of a paused instance', async () => {
    const held = gate('paused');
    const workflowID = await tasks.begin({ inputs: { name: 'paused' }, headers: activity('hold') });
    await held.begun;
    const path = `/bpmn/instances/${workflowID}`;
    await host.call('admin', 'POST', `${path}/suspend`, { json: {} });
    held.release({ kept: 1 });
    const { executionKey } = await jobOf(host, workflowID);
    expect(await untilClosed(executionKey)).toBe('COMPLETED');
    expect((await host.call('viewer', 'GET', path)).body.status).toBe('RUNNING');
    await host.call('admin', 'POST', `${path}/resume`, { json: {} });
    await untilStatus(host, workflowID, 'COMPLETED');
    expect((await host.call('viewer', 'GET', `${path}/variables`)).body.variables).toMatchObject({ kept: 1 });
  });

  it('is canceled when a boundary event or an operator ends its job', async () => {
    const begun = gate('interrupted').begun;
    const model = processModel(
      'interrupted',
      [
        startEvent('s'),
        serviceTask('call', {
          type: 'temporal:activity',
          inputs: { name: 'interrupted' },
          headers: activity('beat', { heartbeatTimeout: 'PT10S' }),
        }),
        boundaryEvent('stopped', 'call', on.signal('stop')),
        endEvent('a'),
        endEvent('b'),
      ],
      ['f1: s -> call', 'f2: call -> a', 'f3: stopped -> b'],
      root.signal('stop'),
    );
    const interrupted = await start(host, await deploy(host, model));
    await begun;
    const job = await jobOf(host, interrupted);
    await host.call('executor', 'POST', '/bpmn/signals', { json: { signalName: 'stop' } });
    await untilStatus(host, interrupted, 'COMPLETED');
    await untilClosed(job.executionKey);
    await vi.waitFor(() => expect(canceled).toContain('interrupted'), { timeout: 20_000 });

    const started = gate('by-hand').begun;
    const workflowID = await tasks.begin({
      inputs: { name: 'by-hand' },
      headers: activity('beat', { heartbeatTimeout: 'PT10S' }),
    });
    await started;
    const { executionKey } = await jobOf(host, workflowID);
    await host.call('executor', 'POST', `/bpmn/external-jobs/${executionKey}/complete`, {
      json: { workflowID, variables: { by: 'hand' }, reason: 'test' },
    });
    await untilStatus(host, workflowID, 'COMPLETED');
    await untilClosed(executionKey);
    await vi.waitFor(() => expect(canceled).toContain('by-hand'), { timeout: 20_000 });
    const left = await host.store.query('SELECT 1 FROM temporal_executions WHERE workflow_id = ANY($1)', [
      [interrupted, workflowID],
    ]);
    expect(left.rows).toEqual([]);
  });

  it('that someone terminates at Temporal fails its job', async () => {
    const held = gate('terminated');
    const workflowID = await tasks.begin({ inputs: { name: 'terminated' }, headers: activity('hold') });
    await held.begun;
    const { executionKey } = await jobOf(host, workflowID);
    await runnerOf(executionKey).terminate('by hand');
    // The next look would be in seconds.
    await host.store.query('UPDATE temporal_executions SET look_at = now()');
    expect(await tasks.incidentOf(workflowID)).toMatchObject({ errorCode: 'TEMPORAL_TERMINATED' });
    held.release(null);
  });
});

describe('a workflow', () => {
  const workflow = (name: string, more: Record<string, string> = {}) => ({
    workflow: name,
    taskQueue: tasks.queue,
    ...more,
  });
  const type = 'temporal:workflow';

  it('runs under the execution key with its prefix, and its result is that of the task', async () => {
    const workflowID = await tasks.begin({
      type,
      inputs: { to: 'Rome' },
      headers: workflow('ship', { workflowIdPrefix: 'ship-' }),
    });
    await untilStatus(host, workflowID, 'COMPLETED');
    const { execution, executionKey } = await jobOf(host, workflowID);
    expect(execution).toEqual({ namespace: 'default', workflowID: `ship-${executionKey}`, runID: expect.any(String) });
    const { memo, type: found } = await host.client.workflow
      .getHandle(execution.workflowID, execution.runID)
      .describe();
    expect([memo, found]).toEqual([expect.objectContaining({ perdureExecutionKey: executionKey }), 'ship']);
    const { variables } = (await host.call('viewer', 'GET', `/bpmn/instances/${workflowID}/variables`)).body;
    expect(variables).toMatchObject({ shippedTo: 'Rome' });
  });

  it('fails with the type of its failure', async () => {
    const found = await tasks.incident({ type, inputs: { to: 'nowhere' }, headers: workflow('ship') });
    expect(found).toMatchObject({ errorCode: 'UNKNOWN_PLACE', errorMessage: 'There is no such place' });
  });

  it('that has timed out or was terminated fails with that', async () => {
    const timedOut = await tasks.incident({
      type,
      headers: workflow('waitForever', { workflowExecutionTimeout: 'PT1S' }),
    });
    expect(timedOut).toMatchObject({ errorCode: 'TEMPORAL_TIMEOUT' });
    const workflowID = await tasks.begin({ type, headers: workflow('waitForever') });
    const { execution } = await eventually(
      () => jobOf(host, workflowID),
      (job) => job.execution !== undefined,
    );
    await host.client.workflow.getHandle(execution.workflowID).terminate('by hand');
    expect(await tasks.incidentOf(workflowID)).toMatchObject({ errorCode: 'TEMPORAL_TERMINATED' });
  });

  it('is canceled with its instance', async () => {
    const workflowID = await tasks.begin({ type, headers: workflow('waitForever') });
    const { execution } = await eventually(
      () => jobOf(host, workflowID),
      (job) => job.execution !== undefined,
    );
    await host.call('editor', 'DELETE', `/bpmn/instances/${workflowID}`);
    await untilStatus(host, workflowID, 'CANCELED');
    const status = async () => (await host.client.workflow.getHandle(execution.workflowID).describe()).status.name;
    expect(await eventually(status, (one) => one !== 'RUNNING')).toBe('CANCELLED');
  });
});
