/**
 * The workflow that does the work of one job: it runs an activity, a workflow, or a Nexus operation of others, and reports
 * its end until the job has it. While it waits, it costs nothing.
 */
import {
  ApplicationFailure,
  CancellationScope,
  ChildWorkflowCancellationType,
  createNexusServiceClient,
  ParentClosePolicy,
  proxyActivities,
  startChild,
  type ActivityOptions,
} from '@temporalio/workflow';
import { WorkflowExecutionAlreadyStartedError } from '@temporalio/common';
import type { Json } from '@perdure/engine/contract/json.js';
import { failureOf } from './failures.js';
import {
  ID_IN_USE,
  idInUse,
  MAX_REPORTED_LENGTH,
  memoOf,
  type Outcome,
  type RunnerActivities,
  type TaskToRun,
  type Work,
} from './messages.js';

export { perdureRun } from './run.js';

/** Until a connector lives that can write to Postgres. */
const reporting: ActivityOptions = {
  startToCloseTimeout: '20s',
  retry: { initialInterval: '500ms', backoffCoefficient: 2, maximumInterval: '30s' },
};
const { executionStarted, executionEnded } = proxyActivities<RunnerActivities>(reporting);

export async function perdureTask(task: TaskToRun): Promise<void> {
  const outcome = await outcomeOf(task);
  await CancellationScope.nonCancellable(() => executionEnded(task.executionKey, outcome));
}

async function outcomeOf(task: TaskToRun): Promise<Outcome> {
  try {
    const result = ((await perform(task)) ?? null) as Json;
    return JSON.stringify(result).length > MAX_REPORTED_LENGTH
      ? { kind: 'completedLarge' }
      : { kind: 'completed', result };
  } catch (error) {
    return { kind: 'failed', failure: failureOf(error) };
  }
}

async function perform(task: TaskToRun): Promise<unknown> {
  const { work, input } = task;
  switch (work.kind) {
    case 'activity':
      return runActivity(work, input);
    case 'workflow':
      return runWorkflow(task, work);
    case 'nexus':
      return runOperation(work, input);
  }
}

type WorkOf<Kind extends Work['kind']> = Extract<Work, { kind: Kind }>;

function runActivity(work: WorkOf<'activity'>, input: Json): Promise<unknown> {
  const { scheduleToCloseMilliseconds, heartbeatMilliseconds } = work;
  const activities = proxyActivities<Record<string, (input: Json) => Promise<unknown>>>({
    taskQueue: work.taskQueue,
    startToCloseTimeout: work.startToCloseMilliseconds,
    ...(scheduleToCloseMilliseconds !== undefined && { scheduleToCloseTimeout: scheduleToCloseMilliseconds }),
    ...(heartbeatMilliseconds !== undefined && { heartbeatTimeout: heartbeatMilliseconds }),
    retry: { maximumAttempts: work.maximumAttempts, nonRetryableErrorTypes: work.nonRetryableErrorTypes },
    cancellationType: 'TRY_CANCEL',
  });
  return activities[work.activity]!(input);
}

async function runWorkflow(task: TaskToRun, work: WorkOf<'workflow'>): Promise<unknown> {
  const child = await begin(task, work);
  // Only for people, so the work does not wait for it.
  const shown = CancellationScope.nonCancellable(() =>
    executionStarted(task.executionKey, { workflowID: work.workflowID, runID: child.firstExecutionRunId }),
  );
  try {
    return await child.result();
  } finally {
    await shown;
  }
}

async function begin(task: TaskToRun, work: WorkOf<'workflow'>) {
  const { executionMilliseconds } = work;
  try {
    return await startChild(work.workflow, {
      workflowId: work.workflowID,
      taskQueue: work.taskQueue,
      args: [task.input],
      memo: { ...memoOf(task) },
      ...(executionMilliseconds !== undefined && { workflowExecutionTimeout: executionMilliseconds }),
      workflowIdReusePolicy: 'REJECT_DUPLICATE',
      cancellationType: ChildWorkflowCancellationType.WAIT_CANCELLATION_COMPLETED,
      parentClosePolicy: ParentClosePolicy.REQUEST_CANCEL,
    });
  } catch (error) {
    if (error instanceof WorkflowExecutionAlreadyStartedError)
      throw ApplicationFailure.nonRetryable(idInUse(work.workflowID), ID_IN_USE);
    throw error;
  }
}

type Service = Parameters<typeof createNexusServiceClient>[0]['service'];

function runOperation(work: WorkOf<'nexus'>, input: Json): Promise<unknown> {
  const { endpoint, service: name, operation, scheduleToCloseMilliseconds } = work;
  const called = { name: operation };
  const service = { name, operations: { [operation]: called } } as unknown as Service;
  const client = createNexusServiceClient({ endpoint, service });
  return client.executeOperation(called as Service['operations'][string], input, {
    ...(scheduleToCloseMilliseconds !== undefined && { scheduleToCloseTimeout: scheduleToCloseMilliseconds }),
    cancellationType: 'WAIT_CANCELLATION_COMPLETED',
  });
}
