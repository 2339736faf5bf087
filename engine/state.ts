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
  /** What the behaviour of this kind of node has to remember; only its own file reads it. */
  memory?: { [name: string]: Json };
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
export type Wait = JobWait | UserTaskWait | TimerWait | ChildWait;
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

export interface State {
  /** Version of this shape; see `snapshot.ts`. */
  format: 1;
  workflowID: string;
  status: InstanceStatus;
  failureReason?: string;
  /** The last number given to an element instance, wait or incident. */
  lastID: number;
  /** Number of the last command handled; commands are numbered 1, 2, 3 ... per instance. */
  lastCommand: number;
  /** Errors that the calling instance catches, by code; `*` catches every one. Empty without a caller. */
  caughtErrors: string[];
  /** Parent instance, when a call activity started this one. */
  caller?: { workflowID: string; wait: number };
  /** How many call activities stand above this instance; bounded, so that a process calling itself ends as an incident. */
  depth: number;
  /** Rotations since the start, or since their limit was last lifted. */
  rotations: number;
  /** Keys are ids, hence in order of creation. */
  elements: { [id: number]: ElementInstance };
  waits: { [id: number]: Wait };
  incidents: { [id: number]: Incident };
  /** Tokens on their way, first in first out; empty once the instance has parked. */
  moving: Token[];
  /** Tokens that wait at a joining gateway. */
  arrived: Token[];
}

/** The id of the process's own element instance. */
export const ROOT = 1;

/** The state before anything has happened. */
export function newState(workflowID: string): State {
  return {
    format: 1,
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
    elements: copyRecords(state.elements),
    waits: { ...state.waits },
    incidents: { ...state.incidents },
    moving: [...state.moving],
    arrived: [...state.arrived],
  };
}

function copyRecords<T extends object>(records: { [id: number]: T }): { [id: number]: T } {
  const copy: { [id: number]: T } = {};
  for (const key in records) copy[key] = { ...records[key]! };
  return copy;
}
