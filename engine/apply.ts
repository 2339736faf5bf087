/**
 * Folds one fact into the state, in place. The only code that changes state: processing, replay and the replay
 * view share it, so what is recorded is what happened.
 */
import type { Fact, FactKind, FactOf } from './facts.js';
import type { Variables } from './json.js';
import { ROOT, type ElementInstance, type State, type Wait } from './state.js';

/** `now`: epoch milliseconds of the step that the fact belongs to. */
type Applier<K extends FactKind> = (state: State, fact: FactOf<K>, now: number) => void;

const appliers: { [K in FactKind]: Applier<K> } = {
  INSTANCE_STARTED(state, fact) {
    if (fact.caller) state.caller = fact.caller;
    state.caughtErrors = fact.caughtErrors ?? [];
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
  INSTANCE_ROTATED(state) {
    state.rotations += 1;
  },

  ELEMENT_ACTIVATED(state, fact) {
    takeID(state, fact.element);
    const element: ElementInstance = { id: fact.element, node: fact.node, scope: fact.scope, inside: 0 };
    if (fact.loopCounter !== undefined) element.loopCounter = fact.loopCounter;
    state.elements[fact.element] = element;
    const scope = state.elements[fact.scope];
    if (!scope) return;
    scope.inside += 1;
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
    const { scope } = state.elements[fact.element]!;
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
  TOKEN_ARRIVED(state) {
    state.arrived.push(state.moving.shift()!);
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
    if (instance) instance.incident = id;
  },
  INCIDENT_RESOLVED(state, fact) {
    const incident = state.incidents[fact.incident]!;
    const element = state.elements[incident.element];
    if (element) element.retryOf = fact.incident;
    if (incident.errorType === 'RotationLimitError') state.rotations = 0;
    closeIncident(state, fact.incident);
  },
  INCIDENT_WITHDRAWN(state, fact) {
    closeIncident(state, fact.incident);
  },

  COMMAND_HANDLED(state, fact) {
    state.lastCommand = fact.number;
  },
};

/**
 * Folds `fact` into `state`.
 * @param now epoch milliseconds of the step the fact belongs to
 */
export function apply(state: State, fact: Fact, now: number): void {
  (appliers[fact.kind] as Applier<FactKind>)(state, fact, now);
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
  delete state.elements[id];
  const scope = state.elements[element.scope];
  if (scope) scope.inside -= 1;
}
