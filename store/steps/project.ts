/** Folds the facts of one step into the changes to the rows of its instance. Rows change only through this. */
import type { Fact, FactKind, FactOf, TaskChanges, TaskListenerEvent } from '@perdure/engine/contract/facts.js';
import type { InstanceStatus } from '@perdure/engine/state/state.js';
import type { Variables } from '@perdure/engine/contract/json.js';

export interface StepChanges {
  /** Set if the instance ended in this step. */
  end?: InstanceEnd;
  /** Set if the instance migrated to another version of its process in this step. */
  migration?: MigrationChange;
  jobsCreated: Map<number, FactOf<'JOB_CREATED'>>;
  jobsEnded: Map<number, JobEnd>;
  userTasksCreated: Map<number, FactOf<'USER_TASK_CREATED'>>;
  userTasksChanged: Map<number, UserTaskChange>;
  userTasksEnded: Map<number, UserTaskEnd>;
  incidentsRaised: Map<number, FactOf<'INCIDENT_RAISED'>>;
  incidentsEnded: Map<number, IncidentEnd>;
  childrenCalled: Map<number, FactOf<'CHILD_CALLED'>>;
  subscriptionsOpened: Map<number, FactOf<'SUBSCRIPTION_OPENED'>>;
  /** Opened in an earlier step and closed in this one. */
  subscriptionsClosed: number[];
  /** Messages and signals that this step's commands delivered and its subscriptions have taken. */
  publicationsTaken: string[];
  published: (FactOf<'MESSAGE_PUBLISHED'> | FactOf<'SIGNAL_THROWN'>)[];
  /** For the parent instance to catch. */
  escalations: FactOf<'ESCALATION_THROWN'>[];
  /** Commands deferred until resume, and those that wait for listeners. */
  commandsDeferred: number[];
  /** Children called in an earlier step that the instance no longer waits for. */
  childrenCanceled: FactOf<'CHILD_CANCELED'>[];
}

export interface InstanceEnd {
  status: Exclude<InstanceStatus, 'RUNNING'>;
  /** Failure or cancel reason. */
  reason?: string;
  errorCode?: string;
  /** The error's variables for the parent instance. */
  variables?: Variables;
}

export interface MigrationChange {
  definitionID: string;
  /** New ids of nodes by the ids they had before the step. */
  nodes: ReadonlyMap<string, string>;
}

export interface JobEnd {
  status: 'COMPLETED' | 'FAILED' | 'CANCELED';
  errorCode?: string;
  errorMessage?: string;
  cancelReason?: string;
}

/** Changes of an open task by its listeners or by a migration. */
export interface UserTaskChange {
  values: TaskChanges;
  /** The event whose listeners decide from now on; null for none. */
  asked?: TaskListenerEvent | null;
  decided?: TaskListenerEvent[];
  /** The request that has ended and claims the task no longer. */
  settled?: number;
  denied?: { eventType: TaskListenerEvent; reason?: string };
}

export interface UserTaskEnd {
  status: 'COMPLETED' | 'FAILED' | 'CANCELED';
  /** Corrections of its listeners. */
  values?: TaskChanges;
  variables?: Variables;
  errorCode?: string;
  cancelReason?: string;
}

export interface IncidentEnd {
  status: 'RESOLVED' | 'WITHDRAWN';
  resolvedBy?: string;
}

type Projector<K extends FactKind> = (changes: StepChanges, fact: FactOf<K>) => void;

/** `none`: the fact changes the state of the instance but no row. */
const projectors: { readonly [K in FactKind]: Projector<K> | 'none' } = {
  INSTANCE_COMPLETED(changes) {
    changes.end = { status: 'COMPLETED' };
  },
  INSTANCE_CANCELED(changes, fact) {
    changes.end = { status: 'CANCELED', ...(fact.reason !== undefined && { reason: fact.reason }) };
  },
  INSTANCE_FAILED(changes, fact) {
    const { reason, errorCode, variables } = fact;
    changes.end = {
      status: 'FAILED',
      reason,
      ...(errorCode !== undefined && { errorCode }),
      ...(variables && { variables }),
    };
  },

  INSTANCE_MIGRATED(changes, { target, nodes }) {
    const renamed = new Map(nodes);
    renameNodes(changes.jobsCreated, renamed);
    renameNodes(changes.userTasksCreated, renamed);
    renameNodes(changes.incidentsRaised, renamed);
    renameNodes(changes.subscriptionsOpened, renamed);
    changes.migration = {
      definitionID: target.definitionID,
      nodes: compose(changes.migration?.nodes ?? new Map(), renamed),
    };
  },

  JOB_CREATED(changes, fact) {
    changes.jobsCreated.set(fact.job, fact);
  },
  JOB_COMPLETED(changes, fact) {
    changes.jobsEnded.set(fact.job, { status: 'COMPLETED' });
  },
  JOB_FAILED(changes, fact) {
    changes.jobsEnded.set(fact.job, {
      status: 'FAILED',
      errorCode: fact.errorCode,
      ...(fact.message !== undefined && { errorMessage: fact.message }),
    });
  },
  JOB_CANCELED(changes, fact) {
    changes.jobsEnded.set(fact.job, { status: 'CANCELED', cancelReason: fact.reason });
  },

  USER_TASK_CREATED(changes, fact) {
    changes.userTasksCreated.set(fact.task, fact);
  },
  USER_TASK_COMPLETED(changes, fact) {
    changes.userTasksEnded.set(fact.task, {
      status: 'COMPLETED',
      ...(fact.variables && { variables: fact.variables }),
      ...(fact.changes && { values: fact.changes }),
    });
  },
  USER_TASK_REQUESTED(changes, { task, event, command }) {
    changeTask(changes, task, { values: {}, asked: event });
    if (command !== undefined) changes.commandsDeferred.push(command);
  },
  USER_TASK_DENIED(changes, { task, event, command, reason }) {
    changeTask(changes, task, {
      values: {},
      asked: null,
      ...(command !== undefined && { settled: command }),
      denied: { eventType: event, ...(reason !== undefined && { reason }) },
    });
  },
  USER_TASK_CHANGED(changes, { task, changes: values, decided, command }) {
    changeTask(changes, task, {
      values,
      // A migration leaves the request as it is.
      ...(decided ? { decided } : { asked: null }),
      ...(command !== undefined && { settled: command }),
    });
  },
  USER_TASK_FAILED(changes, fact) {
    changes.userTasksEnded.set(fact.task, { status: 'FAILED', errorCode: fact.errorCode });
  },
  USER_TASK_CANCELED(changes, fact) {
    changes.userTasksEnded.set(fact.task, { status: 'CANCELED', cancelReason: fact.reason });
  },

  INCIDENT_RAISED(changes, fact) {
    changes.incidentsRaised.set(fact.incident, fact);
  },
  INCIDENT_RESOLVED(changes, fact) {
    changes.incidentsEnded.set(fact.incident, {
      status: 'RESOLVED',
      ...(fact.actor !== undefined && { resolvedBy: fact.actor }),
    });
  },
  INCIDENT_WITHDRAWN(changes, fact) {
    changes.incidentsEnded.set(fact.incident, { status: 'WITHDRAWN' });
  },

  SUBSCRIPTION_OPENED(changes, fact) {
    changes.subscriptionsOpened.set(fact.subscription, fact);
  },
  SUBSCRIPTION_CLOSED(changes, fact) {
    if (!changes.subscriptionsOpened.delete(fact.subscription)) changes.subscriptionsClosed.push(fact.subscription);
    if (fact.publicationID !== undefined) changes.publicationsTaken.push(fact.publicationID);
  },
  MESSAGE_PUBLISHED(changes, fact) {
    changes.published.push(fact);
  },
  SIGNAL_THROWN(changes, fact) {
    changes.published.push(fact);
  },

  ESCALATION_THROWN(changes, fact) {
    if (fact.caught === 'PARENT') changes.escalations.push(fact);
  },

  COMMAND_DEFERRED(changes, fact) {
    changes.commandsDeferred.push(fact.number);
  },

  CHILD_CALLED(changes, fact) {
    changes.childrenCalled.set(fact.child, fact);
  },
  CHILD_CANCELED(changes, fact) {
    // Called and canceled within one step: there is no row to cancel, and none is written.
    if (!changes.childrenCalled.delete(fact.child)) changes.childrenCanceled.push(fact);
  },

  // The called instances are imported with it, so none is started.
  INSTANCE_IMPORTED(changes, { facts }) {
    for (const fact of facts) if (fact.kind !== 'CHILD_CALLED') projectFact(changes, fact);
  },

  INSTANCE_STARTED: 'none',
  INSTANCE_ROTATED: 'none',
  ELEMENT_ACTIVATED: 'none',
  ELEMENT_BEGUN: 'none',
  ELEMENT_COMPLETED: 'none',
  ELEMENT_CANCELED: 'none',
  ELEMENT_FAILED: 'none',
  ELEMENT_CONTINUED: 'none',
  LOOP_STARTED: 'none',
  LOOP_ITEMS_KEPT: 'none',
  LOOP_OUTPUT_COLLECTED: 'none',
  COMPENSATION_REGISTERED: 'none',
  COMPENSATION_STARTED: 'none',
  COMPENSATION_ENDED: 'none',
  TOKEN_ARRIVED: 'none',
  TOKEN_CANCELED: 'none',
  TOKENS_DROPPED: 'none',
  VARIABLES_SET: 'none',
  VARIABLES_CLEARED: 'none',
  ELEMENT_DATA_SET: 'none',
  TIMER_STARTED: 'none',
  TIMER_FIRED: 'none',
  TIMER_CANCELED: 'none',
  CONDITION_OPENED: 'none',
  CONDITION_MET: 'none',
  CONDITION_LAPSED: 'none',
  CONDITION_CLOSED: 'none',
  DECISION_REQUESTED: 'none',
  DECISION_EVALUATED: 'none',
  DECISION_FAILED: 'none',
  DECISION_CANCELED: 'none',
  CHILD_ENDED: 'none',
  STATE_MEASURED: 'none',
  COMMAND_HANDLED: 'none',
  RETRY_DEFERRED: 'none',
  TICKS_MISSED: 'none',
  TIMER_CHANGED: 'none',
  PAUSE_ENDED: 'none',
  STEP_YIELDED: 'none',
  STEP_SETTLED: 'none',
};

function changeTask({ userTasksChanged }: StepChanges, task: number, change: UserTaskChange): void {
  const before = userTasksChanged.get(task);
  userTasksChanged.set(task, { ...before, ...change, values: { ...before?.values, ...change.values } });
}

/** Rows created by an earlier fact of the same step are inserted under the new name. */
function renameNodes<Created extends { node: string }>(
  created: Map<number, Created>,
  names: ReadonlyMap<string, string>,
): void {
  for (const [number, fact] of created) created.set(number, { ...fact, node: names.get(fact.node) ?? fact.node });
}

/** Applies one renaming, then the other. */
function compose(first: ReadonlyMap<string, string>, second: ReadonlyMap<string, string>): Map<string, string> {
  return new Map([...second, ...[...first].map(([from, to]): [string, string] => [from, second.get(to) ?? to])]);
}

/** All row changes of the facts of one step. */
export function project(facts: readonly Fact[]): StepChanges {
  const changes: StepChanges = {
    jobsCreated: new Map(),
    jobsEnded: new Map(),
    userTasksCreated: new Map(),
    userTasksChanged: new Map(),
    userTasksEnded: new Map(),
    incidentsRaised: new Map(),
    incidentsEnded: new Map(),
    subscriptionsOpened: new Map(),
    subscriptionsClosed: [],
    publicationsTaken: [],
    published: [],
    escalations: [],
    commandsDeferred: [],
    childrenCalled: new Map(),
    childrenCanceled: [],
  };
  for (const fact of facts) projectFact(changes, fact);
  return changes;
}

function projectFact(changes: StepChanges, fact: Fact): void {
  const projector = projectors[fact.kind] as Projector<FactKind> | 'none';
  if (projector !== 'none') projector(changes, fact);
}

/** Change in the number of open incidents. */
export function incidentBalance(changes: StepChanges): number {
  return changes.incidentsRaised.size - changes.incidentsEnded.size;
}
