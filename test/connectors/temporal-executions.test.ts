/** Executions that connectors find when they come: of others, of earlier attempts, and none where one should be. */
import { Context } from '@temporalio/activity';
import { afterAll, afterEach, beforeAll, expect, it, vi } from 'vitest';
import { CLIENT_ID } from '../../connectors/temporal/begin.js';
import type { ConnectorsRole } from '../../connectors/role.js';
import { parseExecutionKey } from '../../store/sql/ids.js';
import { recordBeginning } from '../../store/work/executions/executions.js';
import { pollJobs } from '../../store/work/job-queue.js';
import type { TestHost } from '../api/operations/support/host.js';
import { jobOf, untilStatus } from '../api/operations/support/steps.js';
import { eventually } from '../support/eventually.js';
import { startTemporalTasks, type TemporalTasks } from './support/temporal-tasks.js';

vi.setConfig({ testTimeout: 120_000 });

let done = 0;
let tasks: TemporalTasks;
let host: TestHost;
let connectors: ConnectorsRole | undefined;
beforeAll(async () => {
  tasks = await startTemporalTasks({
    work: async () => ({ done: (done += 1) }),
    // Until its worker stops.
    hold: () => Context.current().cancelled,
  });
  ({ host } = tasks);
});
afterEach(async () => {
  await connectors?.stop();
  connectors = undefined;
  done = 0;
});
afterAll(() => tasks?.close());

const activity = (name: string, more: Record<string, string> = {}) => ({
  headers: { activity: name, taskQueue: tasks.queue, ...more },
});
const runnerID = (executionKey: string) => `perdure-task:${executionKey}`;

async function occupy(workflowId: string): Promise<void> {
  await host.client.workflow.start('waitForever', { workflowId, taskQueue: tasks.queue });
}

const isRunning = async (workflowID: string) =>
  (await host.client.workflow.getHandle(workflowID).describe()).status.name === 'RUNNING';

it('an execution of others with the id of a job is an incident, and left alone', async () => {
  const workflowID = await tasks.begin(activity('work'));
  const { executionKey } = await jobOf(host, workflowID);
  await occupy(runnerID(executionKey));
  connectors = await tasks.startConnectors();
  expect(await tasks.incidentOf(workflowID)).toMatchObject({ errorCode: 'TEMPORAL_ID_IN_USE' });
  expect([await isRunning(runnerID(executionKey)), done]).toEqual([true, 0]);
});

it('a workflow of others with the id of a task is an incident, and left alone', async () => {
  const headers = { workflow: 'ship', taskQueue: tasks.queue, workflowIdPrefix: 'ship-' };
  const workflowID = await tasks.begin({ type: 'temporal:workflow', headers });
  const { executionKey } = await jobOf(host, workflowID);
  await occupy(`ship-${executionKey}`);
  connectors = await tasks.startConnectors();
  expect(await tasks.incidentOf(workflowID)).toMatchObject({ errorCode: 'TEMPORAL_ID_IN_USE' });
  expect(await isRunning(`ship-${executionKey}`)).toBe(true);
});

/** A connector that died after it recorded the start, and before it started anything. */
async function recordedOnly(): Promise<{ workflowID: string; executionKey: string }> {
  const workflowID = await tasks.begin(activity('work'));
  const { executionKey } = await jobOf(host, workflowID);
  const types = [{ taskType: 'temporal:activity', lockDurationMilliseconds: 1_000 }];
  const [leased] = await pollJobs(host.store, { projectID: 'p1', clientID: CLIENT_ID, types, maxJobs: 1 });
  await recordBeginning(host.store, parseExecutionKey(executionKey)!, {
    clientID: CLIENT_ID,
    leaseToken: leased!.leaseToken,
  });
  return { workflowID, executionKey };
}

it('a start that was only recorded is made once', async () => {
  const { workflowID } = await recordedOnly();
  connectors = await tasks.startConnectors();
  await untilStatus(host, workflowID, 'COMPLETED');
  expect(done).toBe(1);
});

it('a start that was recorded long ago may have been made, so it is never repeated', async () => {
  const { workflowID, executionKey } = await recordedOnly();
  await host.store.query("UPDATE temporal_executions SET attempted_at = now() - interval '31 minutes'");
  connectors = await tasks.startConnectors();
  expect(await tasks.incidentOf(workflowID)).toMatchObject({ errorCode: 'TEMPORAL_GONE' });
  await expect(host.client.workflow.getHandle(runnerID(executionKey)).describe()).rejects.toThrow();
  expect(done).toBe(0);
});

it('an execution that Temporal has lost is an incident, and not started again', async () => {
  connectors = await tasks.startConnectors();
  const workflowID = await tasks.begin(activity('hold'));
  const { execution } = await eventually(
    () => jobOf(host, workflowID),
    (job) => job.execution !== undefined,
  );
  // A look before the deletion would find it terminated.
  await host.store.query("UPDATE temporal_executions SET look_at = now() + interval '1 hour'");
  await host.client.workflowService.deleteWorkflowExecution({
    namespace: 'default',
    workflowExecution: { workflowId: execution.workflowID, runId: execution.runID },
  });
  const isThere = () =>
    host.client.workflow
      .getHandle(execution.workflowID)
      .describe()
      .then(
        () => true,
        () => false,
      );
  await eventually(isThere, (there) => !there);
  await host.store.query('UPDATE temporal_executions SET look_at = now()');
  expect(await tasks.incidentOf(workflowID)).toMatchObject({ errorCode: 'TEMPORAL_GONE' });
  expect(await isThere()).toBe(false);
});

it('an expression that fails over the result is an incident, and the work is not done again', async () => {
  connectors = await tasks.startConnectors();
  const found = await tasks.incident(activity('work', { resultExpression: '=1' }));
  expect(found).toMatchObject({ errorCode: 'TEMPORAL_EXPRESSION_FAILED' });
  expect(done).toBe(1);
});
