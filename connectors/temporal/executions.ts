/** Executions of jobs at Temporal: starting, recognizing, and canceling them. */
import { WorkflowExecutionAlreadyStartedError, WorkflowNotFoundError, type Client } from '@temporalio/client';
import { executionKey } from '../../store/sql/ids.js';
import type { JobKey } from '../../store/work/executions/executions.js';
import { runnerQueueOf } from './configuration.js';
import type { TemporalTasksContext } from './options.js';
import { memoOf, RUN_TASK, type TaskMemo, type TaskToRun } from './runner/messages.js';

/** A call that takes longer is abandoned, and repeated. */
const CALL_TIMEOUT_MS = 5_000;
const MAX_SUMMARY_LENGTH = 100;

/** The id of the workflow that runs the task. */
export function runnerID({ workflowID, number }: JobKey): string {
  return `perdure-task:${executionKey(workflowID, number)}`;
}

/** The first run of a started execution, or that there is one already. @throws when Temporal refuses or does not respond */
export async function startRunner(
  { client, taskQueue }: TemporalTasksContext,
  job: JobKey,
  task: TaskToRun,
): Promise<string | undefined> {
  try {
    const started = await inTime(client, () =>
      client.workflow.start(RUN_TASK, {
        workflowId: runnerID(job),
        taskQueue: runnerQueueOf(taskQueue),
        args: [task],
        memo: { ...memoOf(task) },
        staticSummary: `Runs ${nameOf(task)} for job ${task.executionKey}`.slice(0, MAX_SUMMARY_LENGTH),
        workflowIdReusePolicy: 'REJECT_DUPLICATE',
      }),
    );
    return started.firstExecutionRunId;
  } catch (error) {
    if (error instanceof WorkflowExecutionAlreadyStartedError) return undefined;
    throw error;
  }
}

function nameOf({ work }: TaskToRun): string {
  switch (work.kind) {
    case 'activity':
      return `activity ${work.activity}`;
    case 'workflow':
      return `workflow ${work.workflow}`;
    case 'nexus':
      return `operation ${work.operation}`;
  }
}

export interface FoundRunner {
  runID: string;
  /** Whether it was started for this job. */
  isOurs: boolean;
  /** Temporal's name. */
  status: string;
}

/** Undefined if Temporal has none with this id. @throws when Temporal does not respond */
export async function findRunner(
  { client }: TemporalTasksContext,
  job: JobKey,
  token: string,
): Promise<FoundRunner | undefined> {
  try {
    const {
      runId: runID,
      memo,
      status,
    } = await inTime(client, () => client.workflow.getHandle(runnerID(job)).describe());
    return { runID, isOurs: (memo as Partial<TaskMemo> | undefined)?.perdureToken === token, status: status.name };
  } catch (error) {
    if (error instanceof WorkflowNotFoundError) return undefined;
    throw error;
  }
}

/** @returns false if none with this id runs. @throws when Temporal does not respond */
export async function cancelRunner({ client }: TemporalTasksContext, job: JobKey): Promise<boolean> {
  try {
    await inTime(client, () => client.workflow.getHandle(runnerID(job)).cancel());
    return true;
  } catch (error) {
    if (error instanceof WorkflowNotFoundError) return false;
    throw error;
  }
}

function inTime<T>(client: Client, work: () => Promise<T>): Promise<T> {
  return client.withDeadline(Date.now() + CALL_TIMEOUT_MS, work);
}
