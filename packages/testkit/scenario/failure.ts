/** Why a scenario failed. */

/** One line of the table of a failure. */
export interface Difference {
  /** `active`, `variables.total`, `a job at Ship` */
  what: string;
  expected: string;
  found: string;
}

export interface Failure {
  /** `steps[3].completeJob`, `expect`; absent if the scenario did not begin. */
  at?: string;
  message: string;
  differences: Difference[];
  /** Every instance as it was then. */
  state: string;
  /** Nodes at which it failed: that of the step, or those that differ; otherwise, where the process was. */
  nodes?: string[];
}

/** Ends a scenario. */
export class StepFailed extends Error {
  readonly differences: readonly Difference[];
  /** The nodes that differ. */
  readonly nodes: readonly string[];

  constructor(message: string, differences: readonly Difference[] = [], nodes: readonly string[] = []) {
    super(message);
    this.differences = differences;
    this.nodes = nodes;
  }
}
