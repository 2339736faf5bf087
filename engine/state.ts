/**
 * The state of one instance: plain JSON, so that it survives storage, rotation and replay.
 *
 * It changes through `apply` only, one fact at a time; whoever folds the same facts gets the same state.
 *
 * Vocabulary
 * - element instance: one activation of a node; a scope when it holds others
 * - token: a sequence flow that has been taken and whose target has not been entered yet
 * - wait: what an element instance is waiting for from outside
 */
import type { ChildBinding, ConditionPass } from './facts.js';
import type { Json, Variables } from './json.js';

export type InstanceStatus = 'RUNNING' | 'COMPLETED' | 'FAILED' | 'CANCELED';

export interface ElementInstance {
  id: number;
  node: string;
  /** The element instance around this one; 0 for the process. */
  scope: number;
  /** Local variables; absent until the first is set. */
  variables?: Variables;
  /** How many element instances and tokens live directly inside. */
  inside: number;
  /** Position in a multi-instance or loop body, from 1. */
  loopCounter?: number;
  /** The open incident it stands at. */
  incident?: number;
  /** The incident whose resolution made it run again. */
  retryOf?: number;
  /** Input mappings have been evaluated, so a retry does not evaluate them again. */
  mapped?: boolean;
  /** The behaviour has begun: boundary events listen. */
  begun?: boolean;
  /** A modification or a retry has put it there while nothing moved, and it has not had its turn to begin. */
  placed?: true;
  /** What the behaviour of this kind of node has to remember; only its own file reads it. */
  memory?: { [name: string]: Json };
  /** Of the body of a multi-instance activity or a loop: how far it is. */
  loop?: LoopState;
  /** Bodies of multi-instance activities that read their items from a variable of this scope. */
  lends?: number[];
  /** Completed activities inside that compensation can reach, in order of completion. */
  compensable?: Compensable[];
  /** The compensation it carries out. */
  compensation?: CompensationState;
  /** The element instance whose compensation it is part of. */
  compensates?: number;
}

export interface LoopState {
  /** Inner instances in all; absent for a standard loop. */
  total?: number;
  started: number;
  completed: number;
  /** The variable that holds the items: its scope, its name and member names. */
  source?: { scope: number; path: string[] };
  /** The items, where no variable holds them (any more). */
  items?: Json[];
  /** The output collection so far, null where nothing has come yet. */
  output?: { name: string; values: Json[] };
}

/** A completed activity as compensation sees it (BPMN 2.0.2 section 13.5.5). */
export interface Compensable {
  node: string;
  /** The element instance inside which it ran, and its handler will. */
  scope: number;
  /** The compensation boundary event that leads to its handler. */
  event?: string;
  /** Of a sub-process without such an event: what completed inside. */
  inside?: Compensable[];
  /** Its local variables as they were, where its handler is to see them. */
  variables?: Variables;
}

export interface CompensationState {
  /** What is still to be compensated, next first. */
  queue: Compensable[];
  /** The element instance that runs now. */
  running?: number;
}

export interface Token {
  flow: string;
  scope: number;
}

interface WaitBase {
  id: number;
  element: number;
  /** The node that catches: the element's own, a boundary event's, or the start event's of an event sub-process. */
  node: string;
}

export interface JobWait extends WaitBase {
  kind: 'job';
}
export interface UserTaskWait extends WaitBase {
  kind: 'userTask';
}
export interface TimerWait extends WaitBase {
  kind: 'timer';
  /** Epoch milliseconds. */
  due: number;
  /** What a cycle repeats by, an ISO 8601 duration; absent for a timer that fires once. */
  interval?: string;
  /** Firings left of a cycle, this one included; absent for a cycle without an end. */
  remaining?: number;
}
export interface ChildWait extends WaitBase {
  kind: 'child';
  workflowID: string;
}
export interface SubscriptionWait extends WaitBase {
  kind: 'subscription';
  type: 'message' | 'signal';
  name: string;
  /** What the message's own correlation has to equal, or for an object: contain. */
  correlation?: Json;
}
export interface ConditionWait extends WaitBase {
  kind: 'condition';
  /** Which of the event's definitions it is. */
  trigger: number;
  /** The condition held when it was last looked at. */
  holds?: true;
}
export interface DecisionWait extends WaitBase {
  kind: 'decision';
  decisionID: string;
  binding: ChildBinding;
}
export type Wait = JobWait | UserTaskWait | TimerWait | ChildWait | SubscriptionWait | ConditionWait | DecisionWait;
export type WaitKind = Wait['kind'];

/** The closed list of wire names (the contract's `errorType`). */
export type ErrorType =
  | 'BpmnError'
  | 'EscalationError'
  | 'CompensationError'
  | 'FeelError'
  | 'NoHandler'
  | 'GatewayNoMatch'
  | 'TimerResolution'
  | 'LinkNotFound'
  | 'MigrationError'
  | 'SubscriptionError'
  | 'RotationLimitError'
  | 'SnapshotSizeExceeded'
  | 'CallActivityCanceled'
  | 'DecisionNotFound'
  | 'EngineError'
  | 'Unknown';

export interface Incident {
  id: number;
  /** The element instance that stands at it; the process's own for an incident of the whole instance. */
  element: number;
  node: string;
  errorType: ErrorType;
  errorCode?: string;
  message: string;
  /** Epoch milliseconds. */
  at: number;
  /** The resolved incident whose retry failed again. */
  previous?: number;
}

/** A version of a process. */
export interface DefinitionReference {
  definitionID: string;
  version: number;
  /** Content address of its graph. */
  graphSha256: string;
}

/** A command that came while the instance was paused. */
export interface DeferredCommand {
  number: number;
  /** When it came, epoch milliseconds: timers that were due before it come before it. */
  at: number;
}

export interface State {
  /** Version of this shape; `upgrade.ts` reads earlier ones. */
  format: 2;
  /** Behavior that the instance has; see `flags.ts`. */
  flags: readonly string[];
  workflowID: string;
  status: InstanceStatus;
  failureReason?: string;
  /** The version of the process it goes on with since it was migrated; absent before. */
  definition?: DefinitionReference;
  /** The last number given to an element instance, wait or incident. */
  lastID: number;
  /** Number of the last command handled or deferred; commands are numbered 1, 2, 3 ... per instance. */
  lastCommand: number;
  /** Commands that wait for the end of a pause, in order; absent without any. */
  deferred?: DeferredCommand[];
  /** Errors that the calling instance catches, by code; `*` catches every one. Empty without a caller. */
  caughtErrors: string[];
  /** Escalations that the calling instance catches, by code; `*` catches every one. Absent without any. */
  caughtEscalations?: string[];
  /** Parent instance, when a call activity started this one. */
  caller?: { workflowID: string; wait: number };
  /** How many call activities stand above this instance; bounded, so that a process calling itself ends as an incident. */
  depth: number;
  /** Rotations since the start, or since their limit was last lifted. */
  rotations: number;
  /** Upper bounds of what the variables and everything else take, as UTF-8 JSON in bytes; absent until anything happens. */
  size?: { variables: number; control: number };
  /** Keys are ids, hence in order of creation. */
  elements: { [id: number]: ElementInstance };
  waits: { [id: number]: Wait };
  incidents: { [id: number]: Incident };
  /** Tokens on their way, first in first out; empty once the instance has parked. */
  moving: Token[];
  /** Tokens that wait at a joining gateway. */
  arrived: Token[];
  /** Element instances whose next turn is due: loops and compensations; absent when there is none. */
  continuing?: number[];
  /** The last step yielded; absent while the instance waits. */
  unbroken?: UnbrokenWork;
}

/** Work without a wait for anything outside. */
export interface UnbrokenWork {
  /** Steps whose budget was spent. */
  steps: number;
  /** Characters of facts written in them. */
  written: number;
  conditions?: ConditionPass;
  /** A decision is to be answered first. */
  deciding?: true;
}

/** The id of the process's own element instance. */
export const ROOT = 1;

/** The state before anything has happened. */
export function newState(workflowID: string): State {
  return {
    format: 2,
    flags: [],
    workflowID,
    status: 'RUNNING',
    lastID: 0,
    lastCommand: 0,
    caughtErrors: [],
    depth: 0,
    rotations: 0,
    elements: {},
    waits: {},
    incidents: {},
    moving: [],
    arrived: [],
  };
}

/** A copy that shares only values that are never changed in place (variables' values). */
export function copyState(state: State): State {
  return {
    ...state,
    elements: copyElements(state.elements),
    waits: { ...state.waits },
    incidents: { ...state.incidents },
    moving: [...state.moving],
    arrived: [...state.arrived],
    ...(state.continuing && { continuing: [...state.continuing] }),
    ...(state.deferred && { deferred: [...state.deferred] }),
    ...(state.size && { size: { ...state.size } }),
  };
}

function copyElements(elements: State['elements']): State['elements'] {
  const copy: State['elements'] = {};
  for (const key in elements) copy[key] = copyElement(elements[key]!);
  return copy;
}

/** What is changed in place inside an element instance: a list that grows by one with every inner instance is not copied each time. */
function copyElement(element: ElementInstance): ElementInstance {
  const { loop, compensable, compensation } = element;
  return {
    ...element,
    ...(loop && { loop: { ...loop, ...(loop.output && { output: { ...loop.output, values: [...loop.output.values] } }) } }),
    ...(compensable && { compensable: [...compensable] }),
    ...(compensation && { compensation: { ...compensation, queue: [...compensation.queue] } }),
  };
}
