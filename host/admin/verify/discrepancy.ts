/** The checked invariants, by their names in the documentation of reliability. */
export type Invariant =
  /** An acknowledged start exists. */
  | 'R1'
  /** No instance runs without something to wait for. */
  | 'R2'
  /** Every activated element has ended once or is active. */
  | 'R3'
  /** A job and a task end once, by one command. */
  | 'R4'
  /** A message is consumed once. */
  | 'R6'
  /** A signal is consumed at most once by each subscription. */
  | 'R7'
  /** A canceled instance does nothing further, and neither do its child instances. */
  | 'R10'
  /** An incident is resolved once. */
  | 'R11'
  /** A timer does not fire early. */
  | 'R12'
  /** The rows agree with the facts and with Temporal. */
  | 'R13'
  /** A child instance ends before its parent, and its end is reported once. */
  | 'R17';

/** A violated invariant. */
export interface Discrepancy {
  invariant: Invariant;
  workflowID: string;
  /** The actual and the expected state. */
  found: string;
}
