/** Messages between connectors and the workflow that runs a task. Part of Temporal's histories: only ever extended. */
import type { Json } from '@perdure/engine/contract/json.js';

/** The type of the workflow. */
export const RUN_TASK = 'perdureTask';

interface ActivityWork {
  kind: 'activity';
  activity: string;
  taskQueue: string;
  startToCloseMilliseconds: number;
  scheduleToCloseMilliseconds?: number;
  heartbeatMilliseconds?: number;
  maximumAttempts: number;
  nonRetryableErrorTypes: string[];
}

interface WorkflowWork {
  kind: 'workflow';
  workflow: string;
  workflowID: string;
  taskQueue: string;
  executionMilliseconds?: number;
}

interface NexusWork {
  kind: 'nexus';
  endpoint: string;
  service: string;
  operation: string;
  scheduleToCloseMilliseconds?: number;
}

export type Work = ActivityWork | WorkflowWork | NexusWork;

export interface TaskToRun {
  executionKey: string;
  /** In the memo of all that is started for the job. */
  token: string;
  work: Work;
  input: Json;
}

/** The memo of the executions of a job. */
export interface TaskMemo {
  perdureExecutionKey: string;
  perdureToken: string;
}

export function memoOf({ executionKey, token }: Pick<TaskToRun, 'executionKey' | 'token'>): TaskMemo {
  return { perdureExecutionKey: executionKey, perdureToken: token };
}

export interface TaskFailure {
  /** The error code. */
  code: string;
  message: string;
  details?: Json;
}

/** A large result stays in the history of the workflow, and is read from there. */
export type Outcome =
  { kind: 'completed'; result: Json } | { kind: 'completedLarge' } | { kind: 'failed'; failure: TaskFailure };

/** Activities of connectors, which the workflow calls. */
export interface RunnerActivities {
  executionStarted(executionKey: string, execution: { workflowID: string; runID: string }): Promise<void>;
  executionEnded(executionKey: string, outcome: Outcome): Promise<void>;
}

/** Values above this size stay where they are. */
export const MAX_REPORTED_LENGTH = 128 * 1024;

export const ID_IN_USE = 'TEMPORAL_ID_IN_USE';

export function idInUse(workflowID: string): string {
  return `Temporal has a workflow ${workflowID} that was not started for this job. It is left alone. Choose another workflowIdPrefix.`;
}
