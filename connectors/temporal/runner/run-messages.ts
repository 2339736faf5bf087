/** Messages between the worker and the workflow that waits for an instance. Part of Temporal's histories: only ever extended. */
import type { Variables } from '@perdure/engine/contract/json.js';

/** The type of the workflow. */
export const RUN_PROCESS = 'perdureRun';

/** The signal that the instance has ended. It may be late, lost, or repeated. */
export const RUN_ENDED = 'ended';

export interface RunToAwait {
  endpoint: string;
  projectID: string;
  /** Of the instance. */
  workflowID: string;
  /** Return only these variables. */
  fetchVariables?: string[];
}

/** The id of the workflow. An endpoint can cancel those that begin with its name. */
export function runID(endpoint: string, workflowID: string): string {
  return `perdure-run:${endpoint}:${workflowID}`;
}

/** Variables of an instance fit into a payload. `gone`: the instance was removed before its end was reported. */
export type EndOfRun =
  | { kind: 'completed'; variables: Variables }
  | { kind: 'failed'; reason: string }
  | { kind: 'canceled' }
  | { kind: 'gone' };

/** Activities of the worker, which the workflow calls. */
export interface RunActivities {
  /** Has the end reported from now on. @returns the end, or null if the instance runs */
  lookAtRun(run: RunToAwait): Promise<EndOfRun | null>;
  /** Does not wait for the end. */
  cancelRun(run: RunToAwait): Promise<void>;
}
