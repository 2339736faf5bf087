/**
 * Facts (domain events) in the order in which they occurred. A step returns facts; `apply` folds them into state; the
 * store folds them into rows; the replay view folds them again. Ids count up per instance from 1.
 */
import type { CalendarTick } from '../time/cycle.js';
import type { ImportSource } from './imported.js';
import type { Json, Variables } from './json.js';
import type { DefinitionReference, ErrorType } from '../state/state.js';

/** The priority of a user task whose model does not give one. */
export const DEFAULT_TASK_PRIORITY = 50;

/** When an execution listener runs: before its element begins, or before it is left. */
export type ListenerEvent = 'start' | 'end';

/** When a task listener runs: before the change of its user task takes effect. */
export type TaskListenerEvent = 'creating' | 'assigning' | 'updating' | 'completing' | 'canceling';

/** The listener whose job it is. */
export type JobListener =
  { kind: 'EXECUTION'; eventType: ListenerEvent } | { kind: 'TASK'; eventType: TaskListenerEvent };

/** New values of a user task. Null removes a value. Dates in epoch milliseconds. */
export interface TaskChanges {
  assignee?: string | null;
  candidateUsers?: string[];
  candidateGroups?: string[];
  dueDate?: number | null;
  followUpDate?: number | null;
  /** 0 to 100. */
  priority?: number;
}

/** The namespace of headers with which the job of a task listener tells its worker about the task, as in Camunda 8. */
export const TASK_HEADERS = 'io.camunda.zeebe:';

/** Headers with what the task is, besides those of `TaskChanges`. */
export type TaskHeader = keyof TaskChanges | 'formKey' | 'userTaskKey';

export type Fact =
  | {
      kind: 'INSTANCE_STARTED';
      parent?: { workflowID: string; wait: number };
      caughtErrors?: string[];
      caughtEscalations?: string[];
      depth?: number;
      flags?: readonly string[];
      /** Of the commands that were applied while it was queued. */
      lastCommand?: number;
    }
  /**
   * The instance comes from another system, in the state that `facts` make, which did not happen one after the other.
   * `arrived`: tokens that wait at joining gateways.
   */
  | {
      kind: 'INSTANCE_IMPORTED';
      source: ImportSource;
      facts: Fact[];
      arrived?: { flow: string; scope: number }[];
    }
  | { kind: 'INSTANCE_COMPLETED' }
  | { kind: 'INSTANCE_CANCELED'; reason?: string }
  /** `variables`: the error's variables for the parent instance. */
  | { kind: 'INSTANCE_FAILED'; reason: string; errorCode?: string; variables?: Variables }
  /**
   * The instance continues with another version of its process. `nodes` and `flows`: pairs of old and new ids;
   * everything else keeps its id.
   */
  | { kind: 'INSTANCE_MIGRATED'; target: DefinitionReference; nodes: [string, string][]; flows: [string, string][] }
  /** The instance continues in a new run with an empty history. */
  | { kind: 'INSTANCE_ROTATED' }
  /**
   * `token`: entered by the first moving token. `joined`: flows whose waiting tokens it consumed. `compensates`: the
   * element instance whose compensation continues with it. `placed`: placed by a modification; it starts by its
   * continuation.
   */
  | {
      kind: 'ELEMENT_ACTIVATED';
      element: number;
      node: string;
      scope: number;
      token?: true;
      joined?: string[];
      loopCounter?: number;
      compensates?: number;
      placed?: true;
    }
  /** Its input mappings are evaluated and its boundary events listen. */
  | { kind: 'ELEMENT_BEGUN'; element: number }
  /**
   * Left normally; `flows` are taken in this order. `passed`: flows whose target is entered at once, without a token in
   * between.
   */
  | { kind: 'ELEMENT_COMPLETED'; element: number; flows?: string[]; passed?: string[] }
  /** Ended from outside: interrupted or canceled. Everything inside has ended before. */
  | { kind: 'ELEMENT_CANCELED'; element: number }
  /** Left through its own error boundary event. */
  | { kind: 'ELEMENT_FAILED'; element: number }
  /** Its continuation ran (a loop, a compensation); `again`: it has more to do. */
  | { kind: 'ELEMENT_CONTINUED'; element: number; again?: true }
  /**
   * `total` inner instances will run; absent for a standard loop. Items are in a variable (`source`) or here. `output`:
   * name of the output collection. `resumed`: how far it had come in the system that it was imported from.
   */
  | {
      kind: 'LOOP_STARTED';
      element: number;
      total?: number;
      source?: { scope: number; path: string[] };
      items?: Json[];
      output?: string;
      resumed?: { started: number; completed: number; outputs?: Json[] };
    }
  /** The variable that holds the loop's items is about to change: the loop keeps the current items. */
  | { kind: 'LOOP_ITEMS_KEPT'; element: number }
  /** `index` from 0. */
  | { kind: 'LOOP_OUTPUT_COLLECTED'; element: number; index: number; value: Json }
  /**
   * The element instance is about to complete, and compensation can reach it, through boundary event `event` if
   * present.
   */
  | { kind: 'COMPENSATION_REGISTERED'; element: number; event?: string }
  /** `element` compensates the completed activities inside `scope`: all of them or one. */
  | { kind: 'COMPENSATION_STARTED'; element: number; scope: number; activity?: string }
  | { kind: 'COMPENSATION_ENDED'; element: number }
  /** The first moving token waits at the gateway that it reached. */
  | { kind: 'TOKEN_ARRIVED' }
  /** A token was removed that waited at a joining gateway or was on its way: the oldest on this flow. */
  | { kind: 'TOKEN_CANCELED'; flow: string; scope: number }
  /** All tokens directly inside the scope were removed, moving and waiting ones. */
  | { kind: 'TOKENS_DROPPED'; scope: number }
  | { kind: 'VARIABLES_SET'; scope: number; variables: Variables; by?: number; role?: 'INPUT' | 'OUTPUT' }
  | { kind: 'VARIABLES_CLEARED'; scope: number; names: string[] }
  | { kind: 'ELEMENT_DATA_SET'; element: number; data: { [name: string]: Json } }
  | {
      kind: 'JOB_CREATED';
      job: number;
      element: number;
      node: string;
      taskType: string;
      retries: number;
      /** Absent: 0. */
      priority?: number;
      /** Jobs of a type with the same key have a limit of their type in common. Absent: no key. */
      limitKey?: string | number | boolean;
      /** Absent: the job is the work of its element. */
      listener?: JobListener;
      headers?: { [name: string]: string };
      /** The user task that a listener decides about, once it exists, and headers that its row has the values of. */
      task?: { number: number; headers: TaskHeader[] };
      localVariables?: Variables;
    }
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
      /** Absent: the latest version. */
      formBinding?: ChildBinding;
      /** `dueDate` and `followUpDate` in epoch milliseconds. */
      dueDate?: number;
      followUpDate?: number;
      /** 0 to 100 (default 50). */
      priority?: number;
      headers?: { [name: string]: string };
      /** The requests that listeners decide; absent if none. Others change the task without the instance. */
      decided?: TaskListenerEvent[];
      localVariables?: Variables;
    }
  /** Listeners of the event decide about the request, which command `command` makes, or the model if it is absent. */
  | { kind: 'USER_TASK_REQUESTED'; task: number; event: TaskListenerEvent; command?: number }
  /** A listener denied the request. */
  | { kind: 'USER_TASK_DENIED'; task: number; event: TaskListenerEvent; command?: number; reason?: string }
  /** `command`: whose request it was. `decided`: as of the task, which a migration has changed. */
  | {
      kind: 'USER_TASK_CHANGED';
      task: number;
      changes: TaskChanges;
      command?: number;
      decided?: TaskListenerEvent[];
    }
  /** `changes`: corrections of its listeners. `command`: the request that waited for them; so below. */
  | { kind: 'USER_TASK_COMPLETED'; task: number; variables?: Variables; changes?: TaskChanges; command?: number }
  | { kind: 'USER_TASK_FAILED'; task: number; errorCode: string }
  | { kind: 'USER_TASK_CANCELED'; task: number; reason: string; command?: number }
  /** `due` in epoch milliseconds. */
  | {
      kind: 'TIMER_STARTED';
      timer: number;
      element: number;
      node: string;
      due: number;
      interval?: string;
      remaining?: number;
      calendar?: CalendarTick;
    }
  /** By hand. `ahead`: it fires now, ahead of this due time, as soon as the instance can move. */
  | { kind: 'TIMER_CHANGED'; timer: number; due: number; ahead?: number; calendar?: CalendarTick }
  | { kind: 'TIMER_FIRED'; timer: number }
  | { kind: 'TIMER_CANCELED'; timer: number }
  /** `correlation`: absent if it takes messages without a correlation key. */
  | {
      kind: 'SUBSCRIPTION_OPENED';
      subscription: number;
      element: number;
      node: string;
      type: 'message' | 'signal';
      name: string;
      correlation?: Json;
    }
  | { kind: 'SUBSCRIPTION_CLOSED'; subscription: number; reason: 'CONSUMED' | 'CANCELED'; publicationID?: string }
  /** `ttl` in milliseconds. */
  | {
      kind: 'MESSAGE_PUBLISHED';
      element: number;
      node: string;
      name: string;
      correlation?: Json;
      variables: Variables;
      ttl?: number;
    }
  | { kind: 'SIGNAL_THROWN'; element: number; node: string; name: string; variables: Variables; ttl?: number }
  /** `trigger`: index of the event's definition. */
  | { kind: 'CONDITION_OPENED'; condition: number; element: number; node: string; trigger: number }
  | { kind: 'CONDITION_MET'; condition: number }
  /** The condition was true and is false again, so that it can be met again. */
  | { kind: 'CONDITION_LAPSED'; condition: number }
  | { kind: 'CONDITION_CLOSED'; condition: number }
  /**
   * `caught`: by an event of this instance, by the parent instance, or not at all; an uncaught one only appears in the
   * timeline.
   */
  | {
      kind: 'ESCALATION_THROWN';
      element: number;
      node: string;
      escalationCode?: string;
      caught: 'HERE' | 'PARENT' | 'NOWHERE';
      variables?: Variables;
    }
  | {
      kind: 'DECISION_REQUESTED';
      decision: number;
      element: number;
      node: string;
      decisionID: string;
      binding: ChildBinding;
    }
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
  | {
      kind: 'INCIDENT_RAISED';
      incident: number;
      element: number;
      node: string;
      errorType: ErrorType;
      errorCode?: string;
      message: string;
      previous?: number;
      /** The condition that waits at it, while the element does not. */
      condition?: number;
    }
  | { kind: 'INCIDENT_RESOLVED'; incident: number; actor?: string }
  /** The incident's element has ended, so there is nothing to resolve. */
  | { kind: 'INCIDENT_WITHDRAWN'; incident: number }
  /** Size of the state as UTF-8 JSON in bytes, recorded only if it may be too large. */
  | { kind: 'STATE_MEASURED'; variables: number; control: number }
  | { kind: 'COMMAND_HANDLED'; number: number }
  /** The instance is paused: the command is deferred until resume. */
  | { kind: 'COMMAND_DEFERRED'; number: number }
  /** The element instance runs again after the pause. */
  | { kind: 'RETRY_DEFERRED'; element: number }
  /** Ticks of a cycle that fell into a pause are not made up: only the last one occurs, at `due`. */
  | { kind: 'TICKS_MISSED'; timer: number; due: number; remaining?: number; calendar?: CalendarTick }
  /** The first step after a pause. */
  | { kind: 'PAUSE_ENDED' }
  /**
   * The step spent its budget with work left, which the next step continues. `written`: characters it wrote.
   * `conditions`: where the pass over open conditions stopped, and whether another pass must follow. `evaluated`: the
   * budget was not spent; work led from one decision to the next without an external event in between.
   */
  | { kind: 'STEP_YIELDED'; written: number; conditions?: ConditionPass; evaluated?: true }
  /** The instance waits again after steps that yielded. */
  | { kind: 'STEP_SETTLED' };

/**
 * `from`: the first condition that has not been evaluated yet; 0 for all. `again`: variables have changed since the
 * pass started.
 */
export interface ConditionPass {
  readonly from: number;
  readonly again?: true;
}

export type ChildBinding = { kind: 'latest' } | { kind: 'deployment' } | { kind: 'versionTag'; versionTag: string };

/** The facts with those of an import in its place. */
export function unfolded(facts: readonly Fact[]): readonly Fact[] {
  return facts.some(({ kind }) => kind === 'INSTANCE_IMPORTED')
    ? facts.flatMap((fact) => (fact.kind === 'INSTANCE_IMPORTED' ? fact.facts : [fact]))
    : facts;
}

export type FactKind = Fact['kind'];
export type FactOf<K extends FactKind> = Extract<Fact, { kind: K }>;
