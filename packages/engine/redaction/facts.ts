/**
 * Facts without the values of some variables. Folding them yields the states of the instance with null instead of these
 * values; everything else is the same.
 */
import type { Fact, FactKind, FactOf } from '../contract/facts.js';
import { changeVariables } from '../state/element-data.js';
import { redactMember, redactVariables, type RedactedNames } from './variables.js';

type Redactor<K extends FactKind> = (fact: FactOf<K>, names: RedactedNames) => FactOf<K>;

/** `none`: the fact holds no values of variables. */
const redactors: { readonly [K in FactKind]: 'none' | Redactor<K> } = {
  INSTANCE_FAILED: (fact, names) => redactMember(fact, 'variables', names),
  VARIABLES_SET: (fact, names) => redactMember(fact, 'variables', names),
  USER_TASK_COMPLETED: (fact, names) => redactMember(fact, 'variables', names),
  MESSAGE_PUBLISHED: (fact, names) => redactMember(fact, 'variables', names),
  SIGNAL_THROWN: (fact, names) => redactMember(fact, 'variables', names),
  ESCALATION_THROWN: (fact, names) => redactMember(fact, 'variables', names),
  CHILD_CALLED: (fact, names) => redactMember(fact, 'variables', names),
  // A limit key is made of variables, of which is not recorded.
  JOB_CREATED: (fact, names) => redactMember(withoutLimitKey(fact), 'localVariables', names),
  USER_TASK_CREATED: (fact, names) => redactMember(fact, 'localVariables', names),
  ELEMENT_DATA_SET: (fact, names) => ({
    ...fact,
    data: changeVariables(fact.data, (variables) => redactVariables(variables, names)),
  }),
  // Copies of items and results that have no name. No read shows them.
  LOOP_STARTED: (fact) => withoutResults(fact.items ? { ...fact, items: fact.items.map(() => null) } : fact),
  LOOP_OUTPUT_COLLECTED: (fact) => ({ ...fact, value: null }),
  INSTANCE_IMPORTED: (fact, names) => ({ ...fact, facts: fact.facts.map((inner) => redactFact(inner, names)) }),

  INSTANCE_STARTED: 'none',
  INSTANCE_COMPLETED: 'none',
  INSTANCE_CANCELED: 'none',
  INSTANCE_MIGRATED: 'none',
  INSTANCE_ROTATED: 'none',
  ELEMENT_ACTIVATED: 'none',
  ELEMENT_BEGUN: 'none',
  ELEMENT_COMPLETED: 'none',
  ELEMENT_CANCELED: 'none',
  ELEMENT_FAILED: 'none',
  ELEMENT_CONTINUED: 'none',
  LOOP_ITEMS_KEPT: 'none',
  COMPENSATION_REGISTERED: 'none',
  COMPENSATION_STARTED: 'none',
  COMPENSATION_ENDED: 'none',
  TOKEN_ARRIVED: 'none',
  TOKEN_CANCELED: 'none',
  TOKENS_DROPPED: 'none',
  VARIABLES_CLEARED: 'none',
  JOB_COMPLETED: 'none',
  JOB_FAILED: 'none',
  JOB_CANCELED: 'none',
  USER_TASK_REQUESTED: 'none',
  USER_TASK_DENIED: 'none',
  USER_TASK_CHANGED: 'none',
  USER_TASK_FAILED: 'none',
  USER_TASK_CANCELED: 'none',
  TIMER_STARTED: 'none',
  TIMER_FIRED: 'none',
  TIMER_CANCELED: 'none',
  SUBSCRIPTION_OPENED: 'none',
  SUBSCRIPTION_CLOSED: 'none',
  CONDITION_OPENED: 'none',
  CONDITION_MET: 'none',
  CONDITION_LAPSED: 'none',
  CONDITION_CLOSED: 'none',
  DECISION_REQUESTED: 'none',
  DECISION_EVALUATED: 'none',
  DECISION_FAILED: 'none',
  DECISION_CANCELED: 'none',
  CHILD_ENDED: 'none',
  CHILD_CANCELED: 'none',
  INCIDENT_RAISED: 'none',
  INCIDENT_RESOLVED: 'none',
  INCIDENT_WITHDRAWN: 'none',
  STATE_MEASURED: 'none',
  COMMAND_HANDLED: 'none',
  COMMAND_DEFERRED: 'none',
  RETRY_DEFERRED: 'none',
  TICKS_MISSED: 'none',
  TIMER_CHANGED: 'none',
  PAUSE_ENDED: 'none',
  STEP_YIELDED: 'none',
  STEP_SETTLED: 'none',
};

function withoutResults(fact: FactOf<'LOOP_STARTED'>): FactOf<'LOOP_STARTED'> {
  const { resumed } = fact;
  return resumed?.outputs ? { ...fact, resumed: { ...resumed, outputs: resumed.outputs.map(() => null) } } : fact;
}

function withoutLimitKey(fact: FactOf<'JOB_CREATED'>): FactOf<'JOB_CREATED'> {
  if (fact.limitKey === undefined) return fact;
  const { limitKey: _limitKey, ...rest } = fact;
  return rest;
}

/** The same object if it has no value to redact. */
export function redactFact(fact: Fact, names: RedactedNames): Fact {
  const redactor = redactors[fact.kind] as 'none' | Redactor<FactKind>;
  return redactor === 'none' ? fact : redactor(fact, names);
}
