/**
 * What may be asked of an instance. Every command but a due timer is a row of the store first, numbered per
 * instance, and reaches the engine in the order of these numbers.
 */
import type { Json, Variables } from './json.js';
import type { DefinitionReference, ErrorType } from './state.js';
import type { TraceContext } from './trace-context.js';

/** `execution` is the number of the job, user task, child or subscription in its instance (a wait's id). */
export type CommandBody =
  | { kind: 'COMPLETE_JOB'; execution: number; variables?: Variables }
  | { kind: 'THROW_JOB_ERROR'; execution: number; errorCode: string; message?: string; variables?: Variables }
  | { kind: 'COMPLETE_USER_TASK'; execution: number; variables?: Variables }
  | { kind: 'THROW_USER_TASK_ERROR'; execution: number; errorCode: string; variables?: Variables }
  | { kind: 'RESOLVE_INCIDENT'; incident: number; variables?: Variables }
  | { kind: 'SET_VARIABLES'; variables: Variables }
  | { kind: 'CANCEL_INSTANCE' }
  | { kind: 'END_CHILD'; execution: number; outcome: ChildOutcome }
  /** The called instance threw an escalation that this instance catches; it goes on meanwhile. */
  | { kind: 'ESCALATE_CHILD'; execution: number; escalationCode?: string; variables?: Variables }
  | { kind: 'CORRELATE_MESSAGE'; execution: number; publicationID: string; variables?: Variables }
  | { kind: 'DELIVER_SIGNAL'; execution: number; publicationID: string; variables?: Variables }
  /** `node`: the ad-hoc sub-process; `nodeID`: what to begin inside it. */
  | { kind: 'TRIGGER_AD_HOC'; node: string; nodeID: string }
  | { kind: 'SET_AD_HOC_VARIABLES'; node: string; variables: Variables }
  /** All of the instructions or none, in their order. */
  | { kind: 'MODIFY'; instructions: ModificationInstruction[] }
  | ({ kind: 'MIGRATE' } & Migration);

/** Going on with another version of the process. */
export interface Migration {
  target: DefinitionReference;
  /** Nodes that have another id in the target version; every other node keeps its own. */
  mappings: NodeMapping[];
  /** Set at the process before its waits are looked at. */
  variables?: Variables;
}

export interface NodeMapping {
  source: string;
  target: string;
}

/** One change of where tokens stand. */
export type ModificationInstruction =
  /** `scope`: the element instance inside which the node is, or one further out: then what lies between is begun anew. */
  | { type: 'START_BEFORE_NODE'; nodeID: string; scope?: number; variables?: Variables }
  /** `scope`: the element instance directly inside which the token stands. */
  | { type: 'CANCEL_TOKEN'; nodeID: string; scope?: number };

export type ChildOutcome =
  | { status: 'COMPLETED'; variables: Variables }
  | { status: 'ERROR'; errorCode: string; message?: string; variables?: Variables }
  | { status: 'CANCELED'; reason?: string }
  | { status: 'REFUSED'; message: string };

/** A command as it travels: numbered, and with who asked for it. */
export type Command = CommandBody & { number: number; actor?: string; reason?: string; traceContext?: TraceContext };
export type CommandKind = CommandBody['kind'];

/** Stands for a command whose payload is read from the store. */
export interface CommandReference {
  number: number;
  reference: true;
  /** Of its JSON; absent where the sender did not know. */
  bytes?: number;
  kind?: CommandKind;
}

/** A command on its way to its instance. */
export type CommandMessage = Command | CommandReference;

/** How a command ended. A rejection is not an error of the engine: the command came too late or does not apply. */
export interface CommandOutcome {
  number: number;
  status: 'APPLIED' | 'REJECTED';
  code?: 'NOT_FOUND' | 'CONFLICT' | 'INSTANCE_ENDED' | 'BAD_REQUEST';
  /** Why it was rejected; of one that was applied: what else it has led to. */
  message?: string;
  /** Everything that stands in its way, where it can be more than one thing. */
  issues?: string[];
}

/** How a decision that an instance asked for came out: an internal input, given like a command but without a number. */
export interface DecisionAnswer {
  kind: 'DECISION_EVALUATED';
  /** The wait that asked. */
  execution: number;
  outcome:
    | { status: 'EVALUATED'; value: Json; definitionID: string; version: number }
    | { status: 'FAILED'; errorType: ErrorType; errorCode?: string; message: string };
}

/** How an instance begins: input of its first step. */
export interface StartInput {
  /** The process's own variables to begin with. */
  variables: Variables;
  /**
   * Where to begin: a start event, an instantiating receive task, or the event behind an instantiating event-based
   * gateway that has happened. The process's none start event when absent.
   */
  startNode?: string;
  /** Which of the start event's definitions has happened, when it has several. */
  startTrigger?: number;
  /** Variables of the message or signal that started it; they pass through the start event's output mappings. */
  payload?: Variables;
  caller?: { workflowID: string; wait: number };
  caughtErrors?: string[];
  caughtEscalations?: string[];
  depth?: number;
  /** Behavior that the instance has from now on. */
  flags?: readonly string[];
  traceContext?: TraceContext;
}
