/** Signals and arguments between the process and its workflow. */
export const GO_ON = 'goOn';

export interface FloorInput {
  /** How often it waits for a result. */
  waits: number;
  /** Whether a step waits for the next result inside its workflow task. */
  lingers: boolean;
}
