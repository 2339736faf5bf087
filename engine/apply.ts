/**
 * Folds one fact into the state, in place. The only code that changes state: processing, replay and the replay
 * view share it, so what is recorded is what happened.
 */
import type { Fact, FactKind, FactOf } from './facts.js';
import { estimatedLength, type Json, type Variables } from './json.js';
import { lentItems } from './lent-items.js';
import { renameState } from './migration/rename.js';
import { ROOT, type Compensable, type ConditionWait, type ElementInstance, type State, type TimerWait, type Wait } from './state.js';

/** `now`: epoch milliseconds of the step that the fact belongs to. */
type Applier<K extends FactKind> = (state: State, fact: FactOf<K>, now: number) => void;

const appliers: { [K in FactKind]: Applier<K> } = {
  INSTANCE_STARTED(state, fact) {
    if (fact.caller) state.caller = fact.caller;
    state.caughtErrors = fact.caughtErrors ?? [];
    if (fact.caughtEscalations) state.caughtEscalations = fact.caughtEscalations;
    state.depth = fact.depth ?? 0;
  },
  INSTANCE_COMPLETED(state) {
    state.status = 'COMPLETED';
  },
  INSTANCE_CANCELED(state) {
    state.status = 'CANCELED';
  },
  INSTANCE_FAILED(state, fact) {
    state.status = 'FAILED';
    state.failureReason = fact.reason;
  },
  INSTANCE_MIGRATED(state, { target, nodes, flows }) {
    state.definition = target;
    renameState(state, new Map(nodes), new Map(flows));
  },
  INSTANCE_ROTATED(state) {
    state.rotations += 1;
  },

  ELEMENT_ACTIVATED(state, fact) {
    takeID(state, fact.element);
    const element: ElementInstance = { id: fact.element, node: fact.node, scope: fact.scope, inside: 0 };
    if (fact.loopCounter !== undefined) element.loopCounter = fact.loopCounter;
    state.elements[fact.element] = element;
    if (fact.placed) {
      element.placed = true;
      due(state, element.id);
    }
    if (fact.compensates !== undefined) takeCompensation(state, element, fact.compensates);
    const scope = state.elements[fact.scope];
    if (!scope) return;
    scope.inside += 1;
    if (scope.loop && fact.loopCounter !== undefined) scope.loop.started = fact.loopCounter;
    if (fact.token) {
      state.moving.shift();
      scope.inside -= 1;
    }
    for (const flow of fact.joined ?? []) {
      state.arrived.splice(
        state.arrived.findIndex((token) => token.flow === flow && token.scope === fact.scope),
        1,
      );
      scope.inside -= 1;
    }
  },
  ELEMENT_BEGUN(state, fact) {
    const element = state.elements[fact.element]!;
    element.mapped = true;
    element.begun = true;
  },
  ELEMENT_COMPLETED(state, fact) {
    const { scope, loopCounter } = state.elements[fact.element]!;
    const body = state.elements[scope]?.loop;
    if (body && loopCounter !== undefined) {
      body.completed += 1;
      due(state, scope);
    }
    removeElement(state, fact.element);
    for (const flow of fact.flows ?? []) {
      state.moving.push({ flow, scope });
      state.elements[scope]!.inside += 1;
    }
  },
  ELEMENT_CANCELED(state, fact) {
    removeElement(state, fact.element);
  },
  ELEMENT_FAILED(state, fact) {
    removeElement(state, fact.element);
  },

  ELEMENT_CONTINUED(state, fact) {
    const rest = (state.continuing ?? []).filter((id) => id !== fact.element);
    if (fact.again) rest.push(fact.element);
    else delete state.elements[fact.element]?.placed;
    setContinuing(state, rest);
  },
  RETRY_DEFERRED(state, fact) {
    state.elements[fact.element]!.placed = true;
    due(state, fact.element);
  },
  LOOP_STARTED(state, fact) {
    const { element: id, total, source, items, output } = fact;
    state.elements[id]!.loop = {
      started: 0,
      completed: 0,
      ...(total !== undefined && { total }),
      ...(source && { source }),
      ...(items && { items }),
      ...(output !== undefined && { output: { name: output, values: Array.from({ length: total ?? 0 }, () => null) } }),
    };
    if (source) {
      const lender = state.elements[source.scope]!;
      lender.lends = [...(lender.lends ?? []), id];
    }
    due(state, id);
  },
  LOOP_ITEMS_KEPT(state, fact) {
    const loop = state.elements[fact.element]!.loop!;
    loop.items = lentItems(state, loop.source!);
    returnItems(state, fact.element);
    delete loop.source;
  },
  LOOP_OUTPUT_COLLECTED(state, fact) {
    state.elements[fact.element]!.loop!.output!.values[fact.index] = fact.value;
  },
  COMPENSATION_REGISTERED(state, fact) {
    const element = state.elements[fact.element]!;
    const scope = state.elements[element.scope]!;
    scope.compensable ??= [];
    for (const completed of compensablesOf(element, fact.event)) scope.compensable.push(completed);
  },
  COMPENSATION_STARTED(state, fact) {
    const scope = state.elements[fact.scope]!;
    const chosen = (record: Compensable): boolean => fact.activity === undefined || record.node === fact.activity;
    const all = scope.compensable ?? [];
    const kept = all.filter((record) => !chosen(record));
    if (kept.length > 0) scope.compensable = kept;
    else delete scope.compensable;
    queueCompensation(state, state.elements[fact.element]!, all.filter(chosen));
  },
  COMPENSATION_ENDED(state, fact) {
    delete state.elements[fact.element]!.compensation;
  },

  TOKEN_ARRIVED(state) {
    state.arrived.push(state.moving.shift()!);
  },
  TOKEN_CANCELED(state, { flow, scope }) {
    const tokens = state.arrived.some((token) => token.flow === flow && token.scope === scope) ? state.arrived : state.moving;
    tokens.splice(
      tokens.findIndex((token) => token.flow === flow && token.scope === scope),
      1,
    );
    state.elements[scope]!.inside -= 1;
  },
  TOKENS_DROPPED(state, fact) {
    const before = state.moving.length + state.arrived.length;
    state.moving = state.moving.filter((token) => token.scope !== fact.scope);
    state.arrived = state.arrived.filter((token) => token.scope !== fact.scope);
    state.elements[fact.scope]!.inside -= before - state.moving.length - state.arrived.length;
  },

  VARIABLES_SET(state, fact) {
    const scope = state.elements[fact.scope]!;
    scope.variables = { ...scope.variables, ...fact.variables };
    if (fact.role === 'INPUT') scope.mapped = true;
  },
  VARIABLES_CLEARED(state, fact) {
    const scope = state.elements[fact.scope]!;
    const kept: Variables = { ...scope.variables };
    for (const name of fact.names) delete kept[name];
    scope.variables = kept;
  },
  MEMORY_SET(state, fact) {
    const element = state.elements[fact.element]!;
    element.memory = { ...element.memory, ...fact.memory };
  },

  JOB_CREATED(state, fact) {
    openWait(state, { kind: 'job', id: fact.job, element: fact.element, node: fact.node });
  },
  JOB_COMPLETED(state, fact) {
    delete state.waits[fact.job];
  },
  JOB_FAILED(state, fact) {
    delete state.waits[fact.job];
  },
  JOB_CANCELED(state, fact) {
    delete state.waits[fact.job];
  },

  USER_TASK_CREATED(state, fact) {
    openWait(state, { kind: 'userTask', id: fact.task, element: fact.element, node: fact.node });
  },
  USER_TASK_COMPLETED(state, fact) {
    delete state.waits[fact.task];
  },
  USER_TASK_FAILED(state, fact) {
    delete state.waits[fact.task];
  },
  USER_TASK_CANCELED(state, fact) {
    delete state.waits[fact.task];
  },

  TIMER_STARTED(state, fact) {
    const { timer, element, node, due, interval, remaining } = fact;
    openWait(state, {
      kind: 'timer',
      id: timer,
      element,
      node,
      due,
      ...(interval !== undefined && { interval }),
      ...(remaining !== undefined && { remaining }),
    });
  },
  TIMER_FIRED(state, fact) {
    delete state.waits[fact.timer];
  },
  TIMER_CANCELED(state, fact) {
    delete state.waits[fact.timer];
  },

  SUBSCRIPTION_OPENED(state, fact) {
    const { subscription: id, element, node, type, name, correlation } = fact;
    openWait(state, { kind: 'subscription', id, element, node, type, name, ...(correlation !== undefined && { correlation }) });
  },
  SUBSCRIPTION_CLOSED(state, fact) {
    delete state.waits[fact.subscription];
  },
  MESSAGE_PUBLISHED() {},
  SIGNAL_THROWN() {},
  ESCALATION_THROWN() {},

  CONDITION_OPENED(state, fact) {
    const { condition: id, element, node, trigger } = fact;
    openWait(state, { kind: 'condition', id, element, node, trigger });
  },
  CONDITION_MET(state, fact) {
    replaceCondition(state, fact.condition, true);
  },
  CONDITION_LAPSED(state, fact) {
    replaceCondition(state, fact.condition, false);
  },
  CONDITION_CLOSED(state, fact) {
    delete state.waits[fact.condition];
  },

  DECISION_REQUESTED(state, fact) {
    openWait(state, { kind: 'decision', id: fact.decision, element: fact.element, node: fact.node });
  },
  DECISION_EVALUATED(state, fact) {
    delete state.waits[fact.decision];
  },
  DECISION_FAILED(state, fact) {
    delete state.waits[fact.decision];
  },
  DECISION_CANCELED(state, fact) {
    delete state.waits[fact.decision];
  },

  CHILD_CALLED(state, fact) {
    openWait(state, { kind: 'child', id: fact.child, element: fact.element, node: fact.node, workflowID: fact.workflowID });
  },
  CHILD_ENDED(state, fact) {
    delete state.waits[fact.child];
  },
  CHILD_CANCELED(state, fact) {
    delete state.waits[fact.child];
  },

  INCIDENT_RAISED(state, fact, now) {
    takeID(state, fact.incident);
    const { incident: id, element, node, errorType, errorCode, message, previous } = fact;
    state.incidents[id] = {
      id,
      element,
      node,
      errorType,
      message,
      at: now,
      ...(errorCode !== undefined && { errorCode }),
      ...(previous !== undefined && { previous }),
    };
    const instance = state.elements[element];
    if (instance?.node === node) instance.incident = id;
  },
  INCIDENT_RESOLVED(state, fact) {
    const incident = state.incidents[fact.incident]!;
    const element = state.elements[incident.element];
    if (element?.node === incident.node) element.retryOf = fact.incident;
    if (incident.errorType === 'RotationLimitError') state.rotations = 0;
    closeIncident(state, fact.incident);
  },
  INCIDENT_WITHDRAWN(state, fact) {
    closeIncident(state, fact.incident);
  },

  STATE_MEASURED(state, fact) {
    state.size = { variables: fact.variables, control: fact.control };
  },
  COMMAND_HANDLED(state, fact) {
    state.lastCommand = Math.max(state.lastCommand, fact.number);
    if (!state.deferred) return;
    const left = state.deferred.filter(({ number }) => number !== fact.number);
    if (left.length > 0) state.deferred = left;
    else delete state.deferred;
  },
  COMMAND_DEFERRED(state, fact, now) {
    state.lastCommand = fact.number;
    state.deferred = [...(state.deferred ?? []), { number: fact.number, at: now }];
  },
  TICKS_MISSED(state, fact) {
    const { due: last, remaining } = fact;
    state.waits[fact.timer] = { ...(state.waits[fact.timer] as TimerWait), due: last, ...(remaining !== undefined && { remaining }) };
  },
  PAUSE_ENDED() {
    // What a pause holds back is in the state already.
  },
};

/**
 * Folds `fact` into `state`.
 * @param now epoch milliseconds of the step the fact belongs to
 */
export function apply(state: State, fact: Fact, now: number): void {
  (appliers[fact.kind] as Applier<FactKind>)(state, fact, now);
  if (fact.kind !== 'STATE_MEASURED') raiseBounds(state, fact);
}

/** A character can take this many bytes in JSON: `\u0001`. Numbers are estimated too short, by less than this factor. */
const MOST_BYTES_PER_CHARACTER = 6;

const DATA: ReadonlySet<FactKind> = new Set<FactKind>(['VARIABLES_SET', 'LOOP_STARTED', 'LOOP_OUTPUT_COLLECTED']);

function raiseBounds(state: State, fact: Fact): void {
  state.size ??= { variables: 0, control: 0 };
  state.size[DATA.has(fact.kind) ? 'variables' : 'control'] += MOST_BYTES_PER_CHARACTER * estimatedLength(fact as Json);
}

function takeID(state: State, id: number): void {
  if (id > state.lastID) state.lastID = id;
}

function openWait(state: State, wait: Wait): void {
  takeID(state, wait.id);
  state.waits[wait.id] = wait;
}

function closeIncident(state: State, id: number): void {
  const element = state.elements[state.incidents[id]!.element];
  if (element?.incident === id) delete element.incident;
  delete state.incidents[id];
}

/** Takes the element instance away; what was inside has ended before. */
function removeElement(state: State, id: number): void {
  // The process's own element stays: its variables are the instance's result.
  if (id === ROOT) return;
  const element = state.elements[id]!;
  if (element.loop?.source) returnItems(state, id);
  delete state.elements[id];
  if (state.continuing) setContinuing(state, state.continuing.filter((other) => other !== id));
  const scope = state.elements[element.scope];
  if (scope) scope.inside -= 1;
  const owner = element.compensates === undefined ? undefined : state.elements[element.compensates];
  if (owner?.compensation?.running === id) {
    delete owner.compensation.running;
    due(state, owner.id);
  }
}

/** It gets a turn when nothing moves any more. */
function due(state: State, element: number): void {
  const continuing = state.continuing ?? [];
  if (!continuing.includes(element)) state.continuing = [...continuing, element];
}

function setContinuing(state: State, continuing: number[]): void {
  if (continuing.length > 0) state.continuing = continuing;
  else delete state.continuing;
}

function returnItems(state: State, body: number): void {
  const lender = state.elements[state.elements[body]!.loop!.source!.scope];
  if (!lender?.lends) return;
  const rest = lender.lends.filter((id) => id !== body);
  if (rest.length > 0) lender.lends = rest;
  else delete lender.lends;
}

/** What an activity leaves for compensation; the body of a multi-instance activity leaves what each inner instance left. */
function compensablesOf(element: ElementInstance, event: string | undefined): Compensable[] {
  const inside = element.compensable ?? [];
  if (element.loop) return inside.map((record) => ({ ...record, scope: element.scope }));
  const remembers = event === undefined || element.loopCounter !== undefined;
  return [
    {
      node: element.node,
      scope: element.scope,
      ...(event !== undefined ? { event } : { inside }),
      ...(remembers && element.variables && { variables: element.variables }),
    },
  ];
}

/** Reverse order of completion: BPMN 2.0.2 section 13.5.5. */
function queueCompensation(state: State, owner: ElementInstance, records: readonly Compensable[]): void {
  owner.compensation ??= { queue: [] };
  owner.compensation.queue = owner.compensation.queue.concat(records.toReversed());
  due(state, owner.id);
}

/** `element` is the handler of the next record of its owner, or the completed sub-process itself, whose inside is compensated. */
function takeCompensation(state: State, element: ElementInstance, owner: number): void {
  const { compensation } = state.elements[owner]!;
  const record = compensation!.queue.shift()!;
  compensation!.running = element.id;
  element.compensates = owner;
  if (record.variables) element.variables = record.variables;
  const inside = record.inside?.map((inner) => ({ ...inner, scope: element.id }));
  if (!inside) return;
  if (record.node === element.node) queueCompensation(state, element, inside);
  else if (inside.length > 0) element.compensable = inside;
}

function replaceCondition(state: State, id: number, holds: boolean): void {
  const { kind, element, node, trigger } = state.waits[id] as ConditionWait;
  state.waits[id] = { kind, id, element, node, trigger, ...(holds && { holds }) };
}
