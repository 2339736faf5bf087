/**
 * The state of one instance: plain JSON, so that it survives storage, rotation and replay.
 *
 * It changes only through `apply`, one fact at a time. Folding the same facts always gives the same state.
 *
 * Vocabulary
 * - element instance: one activation of a node; a scope if it contains others
 * - token: a sequence flow that has been taken and whose target has not been entered yet
 * - wait: an external event that an element instance waits for
 */
import type { CalendarTick } from '../time/cycle.js';
import type { ChildBinding, ConditionPass, JobListener } from '../contract/facts.js';
import type { Json, Variables } from '../contract/json.js';

export type InstanceStatus = 'RUNNING' | 'COMPLETED' | 'FAILED' | 'CANCELED';

export interface ElementInstance {
  id: number;
  node: string;
  /** The enclosing element instance; 0 for the process. */
  scope: number;
  /** Activation in epoch milliseconds. Not part of the measured size. */
  at: number;
  /** Local variables; absent until the first is set. */
  variables?: Variables;
  /** Number of element instances and tokens directly inside. */
  inside: number;
  /** Position in a multi-instance or loop body, from 1. */
  loopCounter?: number;
  /** The open incident that it waits at. */
  incident?: number;
  /** The resolved incident that this run retries. */
  retryOf?: number;
  /** Input mappings have been evaluated, so a retry does not evaluate them again. */
  mapped?: boolean;
  /** The behavior has started: boundary events listen. */
  begun?: boolean;
  /** A modification or a retry placed it while nothing moved, and its continuation has not started it yet. */
  placed?: true;
  /** Element data: state of this kind of node's behavior, read only by its own file. */
  data?: { [name: string]: Json };
  /** For the body of a multi-instance activity or a loop: its progress. */
  loop?: LoopState;
  /** Bodies of multi-instance activities that read their items by reference from a variable of this scope. */
  itemReaders?: number[];
  /** Completed activities inside that compensation can reach, in order of completion. */
  compensable?: Compensable[];
  /** The compensation that it performs. */
  compensation?: CompensationState;
  /** The element instance whose compensation it is part of. */
  compensates?: number;
}

export interface LoopState {
  /** Total number of inner instances; absent for a standard loop. */
  total?: number;
  started: number;
  completed: number;
  /** The variable that holds the items: its scope, its name and member names. */
  source?: { scope: number; path: string[] };
  /** The items, if no variable holds them (anymore). */
  items?: Json[];
  /** The output collection so far; null for missing outputs. */
  output?: { name: string; values: Json[] };
}

/** A record of a completed activity for compensation (BPMN 2.0.2 section 13.5.5). */
export interface Compensable {
  node: string;
  /** The element instance of the scope in which it ran and its handler will run. */
  scope: number;
  /** The compensation boundary event that leads to its handler. */
  event?: string;
  /** For a sub-process without such an event: the records of what completed inside. */
  inside?: Compensable[];
  /** Its local variables as of completion, if its handler sees them. */
  variables?: Variables;
}

export interface CompensationState {
  /** Records still to be compensated, next first. */
  queue: Compensable[];
  /** The element instance that is currently running. */
  running?: number;
}

export interface Token {
  flow: string;
  scope: number;
  /** When it was taken, or reached the gateway where it waits, in epoch milliseconds. */
  at: number;
}

interface WaitBase {
  id: number;
  element: number;
  /** The catching node: the element's own, a boundary event's, or the start event's of an event sub-process. */
  node: string;
  /** When it opened, in epoch milliseconds; absent if that is when its element instance was activated. */
  at?: number;
}

export interface JobWait extends WaitBase {
  kind: 'job';
  /** With the type of the job. Absent: the job is the work of its element. */
  listener?: JobListener & { type: string };
}
export interface UserTaskWait extends WaitBase {
  kind: 'userTask';
}
export interface TimerWait extends WaitBase {
  kind: 'timer';
  /** Epoch milliseconds. */
  due: number;
  /** Its own due time, if it was fired by hand and the instance could not move yet. It cannot be changed again. */
  ahead?: number;
  /** Repetition interval of a cycle, an ISO 8601 duration; absent for a timer that fires once. */
  interval?: string;
  /** Remaining firings of a cycle, including this one; absent for an unlimited cycle. */
  remaining?: number;
  /** Of a cycle that moves along a calendar and counts from its start: the tick at `due`. */
  calendar?: CalendarTick;
}
export interface ChildWait extends WaitBase {
  kind: 'child';
  workflowID: string;
}
export interface SubscriptionWait extends WaitBase {
  kind: 'subscription';
  type: 'message' | 'signal';
  name: string;
  /** The value that the message's correlation must equal or, for an object, contain. */
  correlation?: Json;
}
export interface ConditionWait extends WaitBase {
  kind: 'condition';
  /** Index of the event's definition. */
  trigger: number;
  /** The condition was true when it was last evaluated. */
  holds?: true;
  /** The open incident that it waits at: its evaluation failed. */
  incident?: number;
  /** The resolved incident after which it is evaluated again; absent once the condition has changed. */
  retryOf?: number;
}
export interface DecisionWait extends WaitBase {
  kind: 'decision';
  decisionID: string;
  binding: ChildBinding;
}
export type Wait = JobWait | UserTaskWait | TimerWait | ChildWait | SubscriptionWait | ConditionWait | DecisionWait;
export type WaitKind = Wait['kind'];

/** The closed list of wire names (the contract's `errorType`). */
export const ERROR_TYPES = [
  'BpmnError',
  'EscalationError',
  'CompensationError',
  'FeelError',
  'NoHandler',
  'GatewayNoMatch',
  'TimerResolution',
  'LinkNotFound',
  'MigrationError',
  'SubscriptionError',
  'RotationLimitError',
  'SnapshotSizeExceeded',
  'CallActivityCanceled',
  'DecisionNotFound',
  'EngineError',
  'Unknown',
] as const;
export type ErrorType = (typeof ERROR_TYPES)[number];

export interface Incident {
  id: number;
  /** The element instance that waits at it; the process's own for an incident of the whole instance. */
  element: number;
  node: string;
  errorType: ErrorType;
  errorCode?: string;
  message: string;
  /** Epoch milliseconds. */
  at: number;
  /** The resolved incident whose retry failed. */
  previous?: number;
  /** The condition that waits at it, while the element instance does not. */
  condition?: number;
}

/** A version of a process. */
export interface DefinitionReference {
  definitionID: string;
  version: number;
  /** Content address of its graph. */
  graphSha256: string;
}

/** A command that arrived while the instance was paused. */
export interface DeferredCommand {
  number: number;
  /** Arrival time, epoch milliseconds: timers that were due earlier fire before it. */
  at: number;
}

export interface State {
  /** Version of this format; `upgrade.ts` reads earlier ones. */
  format: 1;
  /** Behavior flags of the instance; see `flags.ts`. */
  flags: readonly string[];
  workflowID: string;
  status: InstanceStatus;
  failureReason?: string;
  /** The version of the process since the last migration; absent before. */
  definition?: DefinitionReference;
  /** The last id assigned to an element instance, wait or incident. */
  lastID: number;
  /** Number of the last command handled or deferred; commands are numbered 1, 2, 3 ... per instance. */
  lastCommand: number;
  /** Commands deferred until resume, in order; absent if none. */
  deferred?: DeferredCommand[];
  /** Codes of errors that the parent instance catches; `*` catches all. Empty without a parent. */
  caughtErrors: string[];
  /** Codes of escalations that the parent instance catches; `*` catches all. Absent if none. */
  caughtEscalations?: string[];
  /** Parent instance, if a call activity started this one. */
  parent?: { workflowID: string; wait: number };
  /** Number of call activities above this instance; limited, so that a process calling itself ends at an incident. */
  depth: number;
  /** Rotations since the start, or since their limit was last lifted. */
  rotations: number;
  /**
   * Upper bounds of the size of the variables and of everything else, as UTF-8 JSON in bytes; absent until anything
   * happens.
   */
  size?: { variables: number; control: number };
  /** Keys are ids and therefore in order of creation. */
  elements: { [id: number]: ElementInstance };
  waits: { [id: number]: Wait };
  incidents: { [id: number]: Incident };
  /** Moving tokens, first in, first out; empty in a wait state. */
  moving: Token[];
  /** Tokens that wait at a joining gateway. */
  arrived: Token[];
  /** Element instances with a scheduled continuation: loops and compensations; absent if none. */
  continuing?: number[];
  /** Set if the last step yielded; absent while the instance waits. */
  unbroken?: UnbrokenWork;
}

/** Work without waiting for an external event. */
export interface UnbrokenWork {
  /** Steps that spent their budget. */
  steps: number;
  /** Characters of facts written in them. */
  written: number;
  conditions?: ConditionPass;
  /** A decision must be evaluated first. */
  deciding?: true;
}

/** The id of the process's own element instance. */
export const ROOT = 1;

/** The initial state. */
export function newState(workflowID: string): State {
  return {
    format: 1,
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

/** Ids increase over everything in an instance that has an id. */
export function takeID(state: State, id: number): void {
  if (id > state.lastID) state.lastID = id;
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

/**
 * Parts of an element instance that change in place: a list that grows with every inner instance is not copied each
 * time.
 */
function copyElement(element: ElementInstance): ElementInstance {
  const { loop, compensable, compensation } = element;
  return {
    ...element,
    ...(loop && {
      loop: { ...loop, ...(loop.output && { output: { ...loop.output, values: [...loop.output.values] } }) },
    }),
    ...(compensable && { compensable: [...compensable] }),
    ...(compensation && { compensation: { ...compensation, queue: [...compensation.queue] } }),
  };
}

/** The `errorCode` of a SnapshotSizeExceeded incident whose resolution discards the compensation records. */
export const COMPENSATION_TOO_LARGE = 'COMPENSATION_TOO_LARGE';
