/**
 * A step commit: all facts of one step, written in one transaction. The store may already have accepted a commit of the
 * same number from an attempt whose workflow task was lost. It then returns that attempt's inputs, and the workflow
 * repeats the step from the previous state with exactly these inputs.
 */
import type {
  Command,
  CommandKind,
  CommandMessage,
  CommandOutcome,
  DecisionEvaluation,
  UnwrittenResult,
} from './commands.js';
import type { Fact } from './facts.js';
import type { Variables } from './json.js';
import type { Graph } from '../model/graph.js';
import type { State } from '../state/state.js';
import type { TraceContext } from './trace-context.js';

/** Distance of snapshots in steps: reading an instance folds its facts from the last snapshot on. */
export const STEPS_PER_SNAPSHOT = 32;

/** Inputs of a step besides graph and state. */
export interface StepInputs {
  /** Epoch milliseconds. */
  now: number;
  /** Number of the last command the step handled; 0 before the first. */
  lastCommand: number;
  /**
   * Decision results that the step received, with their values, because evaluating a decision again might give another
   * result.
   */
  evaluations?: DecisionEvaluation[];
  /**
   * First step only: the behavior flags known to the build that took it (`flags.ts`). A replay by a later build uses
   * these.
   */
  flags?: readonly string[];
  /**
   * The interpreter threw, or the store could not write the step (`unstorable`). A replay by a build without the defect
   * must compute the same facts.
   */
  defect?: { message: string; command?: number; unstorable?: true };
  /** Why the store cannot keep the messages of the step: nodes that publish one fail. */
  unkept?: string;
  /** The step requested a rotation and did nothing else. */
  rotate?: true;
  /** Taken while the instance is paused: nothing moved. */
  paused?: true;
  /** The first step after a pause. */
  resumed?: true;
  /** Number of commands deferred by a pause that the step handled. */
  deferred?: number;
  /** Not a real step: the instance was imported in the state that its fact has. */
  imported?: true;
  /** Not a real step: the instance was ended because its workflow no longer existed. */
  endedElsewhere?: true;
}

export interface StepCommit {
  workflowID: string;
  /** 1, 2, 3 ... across all runs of the instance. */
  number: number;
  inputs: StepInputs;
  facts: Fact[];
  outcomes: CommandOutcome[];
  /** The process's own variables, if they changed in this step. */
  variables?: Variables;
  /** Ids of the active nodes after the step; absent once the instance has ended. */
  activeNodes?: string[];
  /** For open incidents that the step raised: the element instance around theirs. Absent without such incidents. */
  incidentScopes?: { readonly [incident: number]: number };
  /** The first step of an imported instance, whose start is done with it. */
  endsStart?: true;
  /** The state after the step, included occasionally so that readers need not fold all facts. */
  snapshot?: State;
  measured?: Measured;
  /** The job result that the step handled, if the commit must write it too. */
  result?: UnwrittenResult & { projectID: string };
  /**
   * Trace context of the step's cause: the last command that has one, otherwise the start. Passed on to the jobs and
   * calls of the step.
   */
  traceContext?: TraceContext;
}

/** Metrics of a step that nothing depends on: counted on commit, not stored. */
interface Measured {
  rotationReason?: string;
  /** Due time of the first due timer, unless the instance was paused. */
  timerLatenessMs?: number;
}

/** The inputs that a result repeats: all except decision results, which the workflow history already contains. */
export type RecordedInputs = Omit<StepInputs, 'evaluations'>;

/**
 * `accepted`: committed, now or by an earlier attempt with the same inputs (`repeated`). `adopt`: an earlier attempt
 * committed this number with these inputs. `digest`: of the facts that the earlier attempt committed.
 * `behind`: the store already has later steps of this instance.
 * `paused`: not committed, because the instance is paused or about to be canceled; on resume the workflow receives a
 * wake-up that names the `refusal`, otherwise the cancel command. `ended`: not committed, because the instance was ended while its workflow did not
 * exist; the workflow has nothing left to do. `withdrawn`: not committed, because the job result that the step handled
 * cannot be written: its job or its number is taken. The workflow forgets the result. `unstorable`: not committed, because
 * the database refuses the content of the step, and always will; the workflow takes another step instead. `unkept`: not
 * committed, because the project has no room for the messages that the step publishes; the workflow takes the step again
 * without them.
 */
export type CommitResult =
  | { kind: 'accepted'; digest?: string; repeated?: true; behind?: true }
  | { kind: 'adopt'; inputs: StepInputs; digest: string; behind?: true }
  | { kind: 'paused'; refusal?: string }
  | { kind: 'ended' }
  | { kind: 'withdrawn' }
  | { kind: 'unstorable'; message: string }
  | { kind: 'unkept'; message: string };

type Accepted = Extract<CommitResult, { kind: 'accepted' }>;
type Refused = Extract<CommitResult, { kind: 'unstorable' | 'unkept' }>;

/** A result with all that the workflow history needs: the inputs of the step, and the digest of its facts. */
export type RecordedResult =
  | (Accepted & { inputs: RecordedInputs; digest: string })
  | (Refused & { inputs: RecordedInputs })
  | Exclude<CommitResult, Accepted | Refused>;

/** Context that the workflow sends with a step commit. */
export interface CommitContext {
  /** Number of the last command of the unbroken series that the instance has received. */
  received: number;
  /** The commit may wait for the next command; absent when the instance has something else to do. */
  linger?: LingerRequest;
  /** Of the first step of a run: earlier runs, by the names under which they stored values that no run needs any longer. */
  runsEnded?: readonly string[];
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

/** Data that a step commit returns in addition to its result. */
export interface CommitNews {
  /** Commands written since `received`, at most 200. Those after the first are not signaled. */
  commands?: CommandMessage[];
  /** How long a commit that has lingered took, in milliseconds. */
  lingeredMs?: number;
}

export type CommitAnswer = RecordedResult & CommitNews;

/**
 * A request of an instance's workflow to the store. All requests are one kind of activity, and the workflow follows the
 * answer, whatever it asked: if Temporal replaces a workflow task while a worker works on it, the history has the signals of
 * that time before the answers, so a replay may ask for something else than the original did.
 */
export type ExchangeRequest =
  | { kind: 'commit'; commit: StepCommit; context: CommitContext }
  | ({ kind: 'read'; workflowID: string } & ReadRequest)
  /** Write a command for a cancellation that was requested in Temporal. */
  | { kind: 'cancel'; workflowID: string }
  /** End the rows of the instance by its pending cancel, because other requests fail; `requested`: in Temporal. */
  | { kind: 'end'; workflowID: string; requested: boolean };

/** A request, with the project of the instance: projects take turns at the store. */
export type Exchange = ExchangeRequest & { projectID: string };

/** Needed by a step and not known to the workflow. */
export interface ReadRequest {
  /** Numbers of commands. */
  commands: number[];
  /** Kinds of commands of which only the kind is needed. */
  kindsOnly: readonly CommandKind[];
  /** Content addresses of graphs. */
  graphs: string[];
}

/** Commands that do not exist are absent. */
export interface ReadAnswer {
  kind: 'read';
  commands: Command[];
  graphs: { sha256: string; graph: Graph }[];
}

/** `notEnded`: no cancel is pending. */
export type ExchangeAnswer = CommitAnswer | ReadAnswer | { kind: 'cancelWritten' | 'notEnded' };
