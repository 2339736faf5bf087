/** Waits for external events, and publications. */
import { takeID, type ConditionWait, type State, type TimerWait, type Wait } from '../state/state.js';
import type { Appliers } from './applier.js';

export const waits = {
  JOB_CREATED(state, fact, now) {
    const { job: id, element, node, taskType, listener } = fact;
    openWait(state, now, {
      kind: 'job',
      id,
      element,
      node,
      ...(listener && { listener: { ...listener, type: taskType } }),
    });
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
  USER_TASK_CREATED(state, fact, now) {
    openWait(state, now, { kind: 'userTask', id: fact.task, element: fact.element, node: fact.node });
  },
  USER_TASK_REQUESTED() {},
  USER_TASK_DENIED() {},
  USER_TASK_CHANGED() {},
  USER_TASK_COMPLETED(state, fact) {
    delete state.waits[fact.task];
  },
  USER_TASK_FAILED(state, fact) {
    delete state.waits[fact.task];
  },
  USER_TASK_CANCELED(state, fact) {
    delete state.waits[fact.task];
  },
  TIMER_STARTED(state, fact, now) {
    const { timer, element, node, due, interval, remaining, calendar } = fact;
    openWait(state, now, {
      kind: 'timer',
      id: timer,
      element,
      node,
      due,
      ...(interval !== undefined && { interval }),
      ...(remaining !== undefined && { remaining }),
      ...(calendar && { calendar }),
    });
  },
  TIMER_CHANGED(state, { timer, due, ahead, calendar }) {
    state.waits[timer] = {
      ...(state.waits[timer] as TimerWait),
      due,
      ...(ahead !== undefined && { ahead }),
      ...(calendar && { calendar }),
    };
  },
  TIMER_FIRED(state, fact) {
    delete state.waits[fact.timer];
  },
  TIMER_CANCELED(state, fact) {
    delete state.waits[fact.timer];
  },
  SUBSCRIPTION_OPENED(state, fact, now) {
    const { subscription: id, element, node, type, name, correlation } = fact;
    openWait(state, now, {
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
  CONDITION_OPENED(state, fact, now) {
    const { condition: id, element, node, trigger } = fact;
    openWait(state, now, { kind: 'condition', id, element, node, trigger });
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
  DECISION_REQUESTED(state, fact, now) {
    openWait(state, now, {
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
  CHILD_CALLED(state, fact, now) {
    openWait(state, now, {
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
    const { due: last, remaining, calendar } = fact;
    state.waits[fact.timer] = {
      ...(state.waits[fact.timer] as TimerWait),
      due: last,
      ...(remaining !== undefined && { remaining }),
      ...(calendar && { calendar }),
    };
  },
} satisfies Appliers;

function openWait(state: State, now: number, wait: Wait): void {
  takeID(state, wait.id);
  // Most waits open with their element instance.
  state.waits[wait.id] = state.elements[wait.element]?.at === now ? wait : { ...wait, at: now };
}

function replaceCondition(state: State, id: number, holds: boolean): void {
  const { holds: _holds, retryOf: _retryOf, ...wait } = state.waits[id] as ConditionWait;
  state.waits[id] = { ...wait, ...(holds && { holds }) };
}
