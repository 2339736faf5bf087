/** Waits for external events, and publications. */
import type { ConditionWait, State, TimerWait, Wait } from '../state/state.js';
import { takeID, type Appliers } from './applier.js';

export const waits = {
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
    openWait(state, {
      kind: 'subscription',
      id,
      element,
      node,
      type,
      name,
      ...(correlation !== undefined && { correlation }),
    });
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
    openWait(state, {
      kind: 'decision',
      id: fact.decision,
      element: fact.element,
      node: fact.node,
      decisionID: fact.decisionID,
      binding: fact.binding,
    });
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
    openWait(state, {
      kind: 'child',
      id: fact.child,
      element: fact.element,
      node: fact.node,
      workflowID: fact.workflowID,
    });
  },
  CHILD_ENDED(state, fact) {
    delete state.waits[fact.child];
  },
  CHILD_CANCELED(state, fact) {
    delete state.waits[fact.child];
  },
  TICKS_MISSED(state, fact) {
    const { due: last, remaining } = fact;
    state.waits[fact.timer] = {
      ...(state.waits[fact.timer] as TimerWait),
      due: last,
      ...(remaining !== undefined && { remaining }),
    };
  },
} satisfies Appliers;

function openWait(state: State, wait: Wait): void {
  takeID(state, wait.id);
  state.waits[wait.id] = wait;
}

function replaceCondition(state: State, id: number, holds: boolean): void {
  const { kind, element, node, trigger } = state.waits[id] as ConditionWait;
  state.waits[id] = { kind, id, element, node, trigger, ...(holds && { holds }) };
}
