/** The invariants that are checked, by the names that the documentation of reliability gives them. */
export type Invariant =
  /** An acknowledged start exists. */
  | 'R1'
  /** No instance runs without something that it waits for. */
  | 'R2'
  /** Whatever was activated has ended once or is active. */
  | 'R3'
  /** A job and a task end once, by one command. */
  | 'R4'
  /** A message is taken once. */
  | 'R6'
  /** A signal is taken at most once by each who waits for it. */
  | 'R7'
  /** What has been canceled does nothing any more, and neither does what it called. */
  | 'R10'
  /** An incident is resolved once. */
  | 'R11'
  /** A timer does not fire early. */
  | 'R12'
  /** The rows say what the facts and Temporal say. */
  | 'R13'
  /** A called instance ends before its caller, and its end is told once. */
  | 'R17';

/** Something that is not as it has to be. */
export interface Discrepancy {
  invariant: Invariant;
  workflowID: string;
  /** What was found and what was expected. */
  found: string;
}
