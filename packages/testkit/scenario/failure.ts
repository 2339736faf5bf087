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
}

/** Ends a scenario. */
export class StepFailed extends Error {
  readonly differences: readonly Difference[];

  constructor(message: string, differences: readonly Difference[] = []) {
    super(message);
    this.differences = differences;
  }
}
