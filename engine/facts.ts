/**
 * What has happened, in the order it happened. A step answers with facts; `apply` folds them into state; the
 * store folds them into rows; the replay view folds them again. Ids count up per instance from 1.
 */
import type { Json, Variables } from './json.js';
import type { DefinitionReference, ErrorType } from './state.js';

export type Fact =
  | { kind: 'INSTANCE_STARTED'; caller?: { workflowID: string; wait: number }; caughtErrors?: string[]; caughtEscalations?: string[]; depth?: number; flags?: readonly string[] }
  | { kind: 'INSTANCE_COMPLETED' }
  | { kind: 'INSTANCE_CANCELED'; reason?: string }
  /** `variables`: what the error brings to the calling instance. */
  | { kind: 'INSTANCE_FAILED'; reason: string; errorCode?: string; variables?: Variables }
  /**
   * It goes on with another version of its process. `nodes` and `flows`: new ids in place of old ones, as pairs; what is
   * not named keeps its id.
   */
  | { kind: 'INSTANCE_MIGRATED'; target: DefinitionReference; nodes: [string, string][]; flows: [string, string][] }
  /** A new run with an empty history goes on with the instance. */
  | { kind: 'INSTANCE_ROTATED' }
  /**
   * `token`: entered by the first moving token. `joined`: flows whose waiting tokens it consumed. `compensates`: the
   * element instance whose compensation goes on with it. `placed`: put there by a modification; it begins when it is its turn.
   */
  | { kind: 'ELEMENT_ACTIVATED'; element: number; node: string; scope: number; token?: true; joined?: string[]; loopCounter?: number; compensates?: number; placed?: true }
  /** Its input mappings are done and its boundary events listen. */
  | { kind: 'ELEMENT_BEGUN'; element: number }
  /** Left normally; `flows` are taken in this order. `passed`: flows taken whose target is entered at once, without a token in between. */
  | { kind: 'ELEMENT_COMPLETED'; element: number; flows?: string[]; passed?: string[] }
  /** Ended by something else than itself: interrupted, canceled. Everything inside has ended before. */
  | { kind: 'ELEMENT_CANCELED'; element: number }
  /** Left through its own error boundary event. */
  | { kind: 'ELEMENT_FAILED'; element: number }
  /** It had its turn (a loop, a compensation); `again`: with more to do. */
  | { kind: 'ELEMENT_CONTINUED'; element: number; again?: true }
  /** `total` inner instances will run, none for a standard loop. Items stand in a variable (`source`) or here. `output`: the output collection's name. */
  | { kind: 'LOOP_STARTED'; element: number; total?: number; source?: { scope: number; path: string[] }; items?: Json[]; output?: string }
  /** The variable that holds the loop's items is about to change: the loop goes on with the items as they are. */
  | { kind: 'LOOP_ITEMS_KEPT'; element: number }
  /** `index` from 0. */
  | { kind: 'LOOP_OUTPUT_COLLECTED'; element: number; index: number; value: Json }
  /** The element instance is about to complete and compensation will reach it, through boundary event `event` where there is one. */
  | { kind: 'COMPENSATION_REGISTERED'; element: number; event?: string }
  /** `element` compensates what completed inside `scope`: all of it or one activity. */
  | { kind: 'COMPENSATION_STARTED'; element: number; scope: number; activity?: string }
  | { kind: 'COMPENSATION_ENDED'; element: number }
  /** The first moving token waits at the gateway it reached. */
  | { kind: 'TOKEN_ARRIVED' }
  /** A token is gone that waited at a joining gateway, or was on its way: the oldest on this flow. */
  | { kind: 'TOKEN_CANCELED'; flow: string; scope: number }
  /** Tokens directly inside the scope are gone, moving ones and waiting ones. */
  | { kind: 'TOKENS_DROPPED'; scope: number }
  | { kind: 'VARIABLES_SET'; scope: number; variables: Variables; by?: number; role?: 'INPUT' | 'OUTPUT' }
  | { kind: 'VARIABLES_CLEARED'; scope: number; names: string[] }
  | { kind: 'MEMORY_SET'; element: number; memory: { [name: string]: Json } }
  | { kind: 'JOB_CREATED'; job: number; element: number; node: string; taskType: string; retries: number; headers?: { [name: string]: string }; localVariables?: Variables }
  | { kind: 'JOB_COMPLETED'; job: number }
  | { kind: 'JOB_FAILED'; job: number; errorCode: string; message?: string }
  | { kind: 'JOB_CANCELED'; job: number; reason: string }
  | {
      kind: 'USER_TASK_CREATED';
      task: number;
      element: number;
      node: string;
      assignee?: string;
      candidateUsers?: string[];
      candidateGroups?: string[];
      formKey?: string;
      formID?: string;
      headers?: { [name: string]: string };
      localVariables?: Variables;
    }
  | { kind: 'USER_TASK_COMPLETED'; task: number; variables?: Variables }
  | { kind: 'USER_TASK_FAILED'; task: number; errorCode: string }
  | { kind: 'USER_TASK_CANCELED'; task: number; reason: string }
  /** `due` in epoch milliseconds. */
  | { kind: 'TIMER_STARTED'; timer: number; element: number; node: string; due: number; interval?: string; remaining?: number }
  | { kind: 'TIMER_FIRED'; timer: number }
  | { kind: 'TIMER_CANCELED'; timer: number }
  /** `correlation`: absent when it takes messages without one. */
  | { kind: 'SUBSCRIPTION_OPENED'; subscription: number; element: number; node: string; type: 'message' | 'signal'; name: string; correlation?: Json }
  | { kind: 'SUBSCRIPTION_CLOSED'; subscription: number; reason: 'CONSUMED' | 'CANCELED'; publicationID?: string }
  /** `ttl` in milliseconds. */
  | { kind: 'MESSAGE_PUBLISHED'; element: number; node: string; name: string; correlation?: Json; variables: Variables; ttl?: number }
  | { kind: 'SIGNAL_THROWN'; element: number; node: string; name: string; variables: Variables; ttl?: number }
  /** `trigger`: which of the event's definitions. */
  | { kind: 'CONDITION_OPENED'; condition: number; element: number; node: string; trigger: number }
  | { kind: 'CONDITION_MET'; condition: number }
  /** It held and holds no more, so that it can be met again. */
  | { kind: 'CONDITION_LAPSED'; condition: number }
  | { kind: 'CONDITION_CLOSED'; condition: number }
  /** `caught`: by an event of this instance, by the calling instance, or by nothing: then it only stands in the timeline. */
  | { kind: 'ESCALATION_THROWN'; element: number; node: string; escalationCode?: string; caught: 'HERE' | 'CALLER' | 'NOWHERE'; variables?: Variables }
  | { kind: 'DECISION_REQUESTED'; decision: number; element: number; node: string; decisionID: string; binding: ChildBinding }
  | { kind: 'DECISION_EVALUATED'; decision: number; definitionID: string; version: number }
  | { kind: 'DECISION_FAILED'; decision: number; message: string }
  | { kind: 'DECISION_CANCELED'; decision: number }
  | {
      kind: 'CHILD_CALLED';
      child: number;
      element: number;
      node: string;
      workflowID: string;
      processID: string;
      binding: ChildBinding;
      variables: Variables;
      caughtErrors: string[];
      caughtEscalations?: string[];
      depth: number;
    }
  | { kind: 'CHILD_ENDED'; child: number }
  | { kind: 'CHILD_CANCELED'; child: number; workflowID: string }
  | { kind: 'INCIDENT_RAISED'; incident: number; element: number; node: string; errorType: ErrorType; errorCode?: string; message: string; previous?: number }
  | { kind: 'INCIDENT_RESOLVED'; incident: number; actor?: string }
  /** The incident's element has ended, so nothing is left to resolve. */
  | { kind: 'INCIDENT_WITHDRAWN'; incident: number }
  /** How large the state is, as UTF-8 JSON in bytes; it only stands here when it may be too large. */
  | { kind: 'STATE_MEASURED'; variables: number; control: number }
  | { kind: 'COMMAND_HANDLED'; number: number }
  /** The instance is paused: the command waits for the end of the pause. */
  | { kind: 'COMMAND_DEFERRED'; number: number }
  /** The element instance runs again once the pause has ended. */
  | { kind: 'RETRY_DEFERRED'; element: number }
  /** Ticks of a cycle that fell into a pause are not made up: only the last of them happens, at `due`. */
  | { kind: 'TICKS_MISSED'; timer: number; due: number; remaining?: number }
  /** The first step after a pause. */
  | { kind: 'PAUSE_ENDED' }
  /**
   * The step has used up its budget with work left, which the next step continues. `written`: characters it wrote.
   * `conditions`: where the pass over waiting conditions stopped, and whether another one has to follow. `answered`: the
   * budget was not spent; work led from one decision to the next, with nothing from outside between.
   */
  | { kind: 'STEP_YIELDED'; written: number; conditions?: ConditionPass; answered?: true }
  /** The instance waits again after steps that yielded. */
  | { kind: 'STEP_SETTLED' };

/** `from`: the first condition that has not been evaluated yet; 0 for all. `again`: variables have changed since the pass began. */
export interface ConditionPass {
  from: number;
  again?: true;
}

export type ChildBinding = { kind: 'latest' } | { kind: 'deployment' } | { kind: 'versionTag'; versionTag: string };

export type FactKind = Fact['kind'];
export type FactOf<K extends FactKind> = Extract<Fact, { kind: K }>;
