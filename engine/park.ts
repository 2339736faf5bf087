/**
 * A park: everything that happened in one step, written in one transaction. The store may have accepted a park
 * of the same number from an attempt whose workflow task was lost; then it answers with that attempt's inputs,
 * and the shell steps again from the state before with exactly these.
 */
import type { CommandMessage, CommandOutcome, DecisionAnswer } from './commands.js';
import type { Fact } from './facts.js';
import type { Variables } from './json.js';
import type { State } from './state.js';
import type { TraceContext } from './trace-context.js';

/** What a step depended on besides graph and state. */
export interface StepInputs {
  /** Epoch milliseconds. */
  now: number;
  /** Number of the last command the step handled; 0 before the first. */
  lastCommand: number;
  /** Answers the step was given, with their values: a decision evaluated again might come out otherwise. */
  answers?: DecisionAnswer[];
  /** Of the first step: what the build that took it knew (`flags.ts`). A replay by a later build takes it with these. */
  flags?: readonly string[];
  /** The interpreter threw: a replay by a build that would not gets the same facts. */
  defect?: { message: string; command?: number };
  /** The step asked for a rotation and did nothing else. */
  rotate?: true;
  /** Taken while the instance is paused: nothing moved in it. */
  paused?: true;
  /** The first step after a pause. */
  resumed?: true;
  /** How many of the commands that a pause has deferred the step handled. */
  deferred?: number;
  /** No step at all: the instance was ended because its workflow was gone. */
  endedElsewhere?: true;
}

export interface Park {
  workflowID: string;
  /** 1, 2, 3 ... over all runs of the instance. */
  number: number;
  inputs: StepInputs;
  facts: Fact[];
  outcomes: CommandOutcome[];
  /** The process's own variables, when they changed in this step. */
  variables?: Variables;
  /** The ids of the nodes at which the instance stands after the step; absent once it has ended, and in parks of builds before it stood in them. */
  activeNodes?: string[];
  /** The state after the step, now and then, so that reading does not fold from the beginning. */
  snapshot?: State;
  measured?: Measured;
  /** Of what caused the step: the last command that has one, else the start. It goes on to the jobs and calls that the step made. */
  traceContext?: TraceContext;
}

/** What people want to know of a step and nothing depends on: counted where the park is written, stored nowhere. */
export interface Measured {
  rotationReason?: string;
  /** Of the first timer that was due, unless the instance was paused. */
  timerLatenessMs?: number;
}

/** What an answer repeats of the inputs: all but the answers of decisions, which stand in the history themselves. */
export type RecordedInputs = Omit<StepInputs, 'answers'>;

/**
 * `accepted`: it is written, now or by an attempt before that had the same inputs (`repeated`). `adopt`: a park of this number was
 * written before, with these inputs. `digest`: of the facts that are written; both lack it in answers of builds before it. `behind`: the store has later steps of this instance already. `paused`: it is not written, because the instance is paused or about to be canceled; it is
 * told when that has ended, or given the command that cancels it. `ended`: it is not written, because the instance was ended
 * while its workflow was gone; that has nothing left to do.
 */
export type ParkAnswer =
  | { kind: 'accepted'; inputs?: RecordedInputs; digest?: string; repeated?: true; behind?: true }
  | { kind: 'adopt'; inputs: StepInputs; digest?: string; behind?: true }
  | { kind: 'paused' }
  | { kind: 'ended' };

/** What the workflow says about itself with a step commit. */
export interface CommitContext {
  /** Number of the last command of the unbroken series that the instance has received. */
  received: number;
  /** The commit may wait for the next command; absent when the instance has something else to do. */
  linger?: LingerRequest;
  /** The first step of a run after the first: values stored before this time, epoch milliseconds, were for earlier runs only. */
  endedBefore?: number;
}

export interface LingerRequest {
  projectID: string;
  /** Of open jobs, each once. */
  taskTypes: string[];
  /** Open calls of processes, by definition and node, each once. */
  calls: string[];
  /** Until the next timer is due, in milliseconds. */
  timerMs?: number;
}

/** What a commit brings back besides its own result. */
export interface CommitNews {
  /** Results of jobs and called instances written since `received`: nothing else brings them before the outbox relay does. */
  commands?: CommandMessage[];
  /** How long a commit that has lingered took, in milliseconds. */
  lingeredMs?: number;
}

export type CommitAnswer = ParkAnswer & CommitNews;
