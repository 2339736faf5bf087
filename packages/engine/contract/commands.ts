/**
 * Commands to an instance. Every command except a due timer is a row in the store, numbered per instance, and reaches the
 * engine in this order. The row comes first, except that of a job result with a `claim`.
 */
import type { TaskChanges } from './facts.js';
import type { Json, Variables } from './json.js';
import type { DefinitionReference, ErrorType } from '../state/state.js';
import type { TraceContext } from './trace-context.js';

/** `execution` is the number of the job, user task, child or subscription in its instance (a wait's id). */
export type CommandBody =
  | { kind: 'COMPLETE_JOB'; execution: number; variables?: Variables; result?: JobResult }
  /** `uncaught`: no event catches it, whatever its code. */
  | {
      kind: 'THROW_JOB_ERROR';
      execution: number;
      errorCode: string;
      message?: string;
      variables?: Variables;
      uncaught?: true;
    }
  | { kind: 'COMPLETE_USER_TASK'; execution: number; variables?: Variables }
  /** For a task whose listeners decide about the request. */
  | { kind: 'CHANGE_USER_TASK'; execution: number; changes: TaskChanges }
  | { kind: 'THROW_USER_TASK_ERROR'; execution: number; errorCode: string; variables?: Variables }
  | { kind: 'RESOLVE_INCIDENT'; incident: number; variables?: Variables }
  | { kind: 'SET_VARIABLES'; variables: Variables }
  | { kind: 'CANCEL_INSTANCE' }
  | { kind: 'END_CHILD'; execution: number; outcome: ChildOutcome }
  /** The called instance threw an escalation that this instance catches. The called instance continues. */
  | { kind: 'ESCALATE_CHILD'; execution: number; escalationCode?: string; variables?: Variables }
  | { kind: 'CORRELATE_MESSAGE'; execution: number; publicationID: string; variables?: Variables }
  | { kind: 'DELIVER_SIGNAL'; execution: number; publicationID: string; variables?: Variables }
  /** `node`: the ad-hoc sub-process; `nodeID`: the element inside it to activate. */
  | { kind: 'TRIGGER_AD_HOC'; node: string; nodeID: string }
  | { kind: 'SET_AD_HOC_VARIABLES'; node: string; variables: Variables }
  /**
   * `node` is for the timeline. `due` in epoch milliseconds; a time before the step that handles it is the time of that
   * step.
   */
  | { kind: 'UPDATE_TIMER'; timer: number; node: string; due: number }
  | { kind: 'FIRE_TIMER'; timer: number; node: string }
  /** Fires all timers that are open at the node. */
  | { kind: 'FIRE_TIMERS'; node: string }
  /** Applies all of the instructions in order, or none. */
  | { kind: 'MODIFY'; instructions: ModificationInstruction[] }
  | ({ kind: 'MIGRATE' } & Migration);

/** The decision of a job worker: one that drives an ad-hoc sub-process, or a task listener. */
export interface JobResult {
  /** Each with its local variables. */
  activateElements?: { elementId: string; variables?: Variables | undefined }[] | undefined;
  /** The sub-process ends once nothing inside is active. */
  isCompletionConditionFulfilled?: boolean | undefined;
  /** Cancels what is active inside first. */
  isCancelRemainingInstances?: boolean | undefined;
  /** Of a task listener: the request does not take effect. */
  denied?: boolean | undefined;
  deniedReason?: string | undefined;
  corrections?: TaskCorrections | undefined;
}

/** Null keeps a value; an empty text or list clears it. Dates as ISO 8601 texts. */
export interface TaskCorrections {
  assignee?: string | null | undefined;
  dueDate?: string | null | undefined;
  followUpDate?: string | null | undefined;
  priority?: number | null | undefined;
  candidateUsers?: string[] | null | undefined;
  candidateGroups?: string[] | null | undefined;
}

/** Migrates the instance to another version of its process. */
export interface Migration {
  target: DefinitionReference;
  /** Nodes with a different id in the target version; all other nodes keep their ids. */
  mappings: NodeMapping[];
  /** Set at the process before its waits are evaluated. */
  variables?: Variables;
}

export interface NodeMapping {
  source: string;
  target: string;
}

/** One change to the position of tokens. */
export type ModificationInstruction =
  /** `scope`: the element instance that contains the node, or one further out; scopes in between are then started. */
  | { type: 'START_BEFORE_NODE'; nodeID: string; scope?: number; variables?: Variables }
  /** `scope`: the element instance that directly contains the token. */
  | { type: 'CANCEL_TOKEN'; nodeID: string; scope?: number };

export type ChildOutcome =
  | { status: 'COMPLETED'; variables: Variables }
  | { status: 'ERROR'; errorCode: string; message?: string; variables?: Variables }
  | { status: 'CANCELED'; reason?: string }
  | { status: 'REFUSED'; message: string };

/**
 * The lease under which a job worker reported a result that has no row yet. The commit of the step that handles the
 * result writes both, or neither.
 */
interface JobClaim {
  clientID: string;
  leaseToken?: string;
  /** Digest of the result, by which a repeated request is recognized. */
  sha256: string;
}

/** A command as transmitted: numbered, with the actor who requested it. `claim`: it has no row yet. */
export type Command = CommandBody & {
  number: number;
  actor?: string;
  reason?: string;
  traceContext?: TraceContext;
  claim?: JobClaim;
};
/** The result of a job that has no row yet. */
export type UnwrittenResult = Extract<Command, { kind: 'COMPLETE_JOB' }> & { claim: JobClaim };
export type CommandKind = CommandBody['kind'];

/** Reference to a command whose payload is read from the store. */
export interface CommandReference {
  number: number;
  reference: true;
  /** Size of its JSON; absent if the sender did not know it. */
  bytes?: number;
  kind?: CommandKind;
}

/**
 * How a written command reaches its instance. `worker`: the worker whose step commit waits for a command of this instance.
 * `signal`: the instance has read every command before this one. `withEarlier`: the step commit that handles an earlier
 * command returns this one too.
 */
export type Delivery = { worker: string } | 'signal' | 'withEarlier';

/** A command on its way to its instance. */
export type CommandMessage = Command | CommandReference;

/** The outcome of a command. A rejection is not an engine error: the command came too late or does not apply. */
export interface CommandOutcome {
  number: number;
  status: 'APPLIED' | 'REJECTED';
  code?: 'NOT_FOUND' | 'CONFLICT' | 'INSTANCE_ENDED' | 'BAD_REQUEST';
  /** The reason for a rejection; for an applied command, a further consequence. */
  message?: string;
  /** All reasons against it, if there can be several. */
  issues?: string[];
}

/**
 * The result of a decision that an instance requested: an internal input, passed like a command but without a number.
 */
export interface DecisionEvaluation {
  kind: 'DECISION_EVALUATED';
  /** The wait that requested it. */
  execution: number;
  outcome:
    | { status: 'EVALUATED'; value: Json; definitionID: string; version: number }
    | { status: 'FAILED'; errorType: ErrorType; errorCode?: string; message: string };
}

/** A node that an operator starts an instance at. */
export interface StartPlace {
  nodeID: string;
  /** Local to the node. */
  variables?: Variables;
}

/** How an instance starts: input of its first step. */
export interface StartInput {
  /** The process's initial variables. */
  variables: Variables;
  /**
   * Where to start: a start event, an instantiating receive task, or the event that occurred after an instantiating
   * event-based gateway. Default: the process's none start event.
   */
  startNode?: string;
  /** Which of the start event's definitions occurred, if it has several. */
  startTrigger?: number;
  /** Nodes to place tokens before instead, once the process and its event sub-processes are ready. */
  startAt?: readonly StartPlace[];
  /** Variables of the starting message or signal. They pass through the start event's output mappings. */
  payload?: Variables;
  /** Why the concurrency key of the process has no value: an incident of the event that starts it. */
  keyProblem?: string;
  /** Number of the last command that was applied to the instance while it was queued. */
  lastCommand?: number;
  parent?: { workflowID: string; wait: number };
  caughtErrors?: string[];
  caughtEscalations?: string[];
  depth?: number;
  /** Behavior flags of the instance, fixed from its first step on. */
  flags?: readonly string[];
  traceContext?: TraceContext;
}
