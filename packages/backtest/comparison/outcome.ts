/** The outcomes of a comparison. */
import type { OtherRequest } from '../world/requests.js';

export type Outcome = 'SAME' | 'OTHER_PATH' | 'OTHER_RESULT' | 'INCIDENT' | 'UNANSWERED' | 'SKIPPED';

export interface First {
  readonly nodeID: string;
  /** Of the activations of this node, from 1. */
  readonly occurrence: number;
  /** OTHER_PATH: the next nodes of the recorded run only, by id. */
  readonly expected?: readonly string[];
  /** OTHER_PATH: the next nodes of the candidate only, by id. */
  readonly found?: readonly string[];
}

export interface Comparison {
  readonly outcome: Exclude<Outcome, 'SKIPPED'>;
  readonly first?: First;
  /** OTHER_RESULT: names, sorted. */
  readonly variables?: readonly string[];
  /** UNANSWERED: an agent asks its model something else. */
  readonly request?: OtherRequest;
  /** INCIDENT: its type, or that the run took too many steps. */
  readonly problem?: string;
}

/** The problem of a version without the start of the instance. */
export const NO_START = 'no start';
/** The problem of a version that does not end. */
export const TOO_MANY_STEPS = 'too many steps';
