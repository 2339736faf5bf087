/** Facts of each kind with a text wherever a model, a variable, or a caller can put one. Ids are those of one instance. */
import type { Fact, FactKind, FactOf } from '@perdure/engine/contract/facts.js';

type FactsOfKinds<K extends FactKind = FactKind> = { [Kind in K]: FactOf<Kind>[] };

const at = { element: 2, node: 'task' } as const;

/** `first`: facts of the first step; `second`: what ends it. */
export function factsWithText(
  text: string,
  workflowID: string,
  definitionID: string,
): { first: Fact[]; second: Fact[] } {
  const variables = { [text]: text, list: [text] };
  const headers = { [text]: text };
  const binding = { kind: 'versionTag', versionTag: text } as const;
  const error = { errorType: 'BpmnError', errorCode: text, message: text } as const;
  const job = { ...at, taskType: text, retries: 1, headers, localVariables: variables };
  const task = {
    ...at,
    assignee: text,
    candidateUsers: [text],
    candidateGroups: [text],
    formKey: text,
    formID: text,
    formBinding: binding,
    headers,
    localVariables: variables,
  };
  const first = {
    INSTANCE_STARTED: [{ kind: 'INSTANCE_STARTED', caughtErrors: [text], caughtEscalations: [text], flags: [text] }],
    ELEMENT_ACTIVATED: [
      { kind: 'ELEMENT_ACTIVATED', element: 1, node: 'process', scope: 0 },
      { kind: 'ELEMENT_ACTIVATED', element: 2, node: 'task', scope: 1, joined: [text] },
    ],
    ELEMENT_BEGUN: [{ kind: 'ELEMENT_BEGUN', element: 2 }],
    ELEMENT_CONTINUED: [{ kind: 'ELEMENT_CONTINUED', element: 2, again: true }],
    LOOP_STARTED: [
      { kind: 'LOOP_STARTED', element: 2, total: 1, items: [text], output: text, source: { scope: 1, path: [text] } },
    ],
    LOOP_ITEMS_KEPT: [{ kind: 'LOOP_ITEMS_KEPT', element: 2 }],
    LOOP_OUTPUT_COLLECTED: [{ kind: 'LOOP_OUTPUT_COLLECTED', element: 2, index: 0, value: text }],
    COMPENSATION_REGISTERED: [{ kind: 'COMPENSATION_REGISTERED', element: 2, event: text }],
    COMPENSATION_STARTED: [{ kind: 'COMPENSATION_STARTED', element: 2, scope: 1, activity: text }],
    COMPENSATION_ENDED: [{ kind: 'COMPENSATION_ENDED', element: 2 }],
    TOKEN_ARRIVED: [{ kind: 'TOKEN_ARRIVED' }],
    TOKEN_CANCELED: [{ kind: 'TOKEN_CANCELED', flow: text, scope: 1 }],
    TOKENS_DROPPED: [{ kind: 'TOKENS_DROPPED', scope: 1 }],
    VARIABLES_SET: [{ kind: 'VARIABLES_SET', scope: 1, variables }],
    VARIABLES_CLEARED: [{ kind: 'VARIABLES_CLEARED', scope: 1, names: [text] }],
    ELEMENT_DATA_SET: [{ kind: 'ELEMENT_DATA_SET', element: 2, data: variables }],
    JOB_CREATED: [10, 11, 12, 13].map((number) => ({ kind: 'JOB_CREATED' as const, job: number, ...job })),
    USER_TASK_CREATED: [20, 21, 22, 23].map((number) => ({
      kind: 'USER_TASK_CREATED' as const,
      task: number,
      ...task,
    })),
    USER_TASK_REQUESTED: [{ kind: 'USER_TASK_REQUESTED', task: 23, event: 'updating' }],
    USER_TASK_DENIED: [{ kind: 'USER_TASK_DENIED', task: 23, event: 'updating', reason: text }],
    USER_TASK_CHANGED: [
      {
        kind: 'USER_TASK_CHANGED',
        task: 23,
        changes: { assignee: text, candidateUsers: [text], candidateGroups: [text] },
      },
    ],
    TIMER_STARTED: [{ kind: 'TIMER_STARTED', timer: 30, ...at, due: 0, interval: text }],
    TIMER_CHANGED: [{ kind: 'TIMER_CHANGED', timer: 30, due: 1 }],
    TICKS_MISSED: [{ kind: 'TICKS_MISSED', timer: 30, due: 1 }],
    SUBSCRIPTION_OPENED: [
      {
        kind: 'SUBSCRIPTION_OPENED',
        subscription: 40,
        ...at,
        type: 'message',
        name: text,
        correlation: { [text]: text },
      },
      { kind: 'SUBSCRIPTION_OPENED', subscription: 41, ...at, type: 'signal', name: text },
    ],
    MESSAGE_PUBLISHED: [{ kind: 'MESSAGE_PUBLISHED', ...at, name: text, correlation: text, variables, ttl: 0 }],
    SIGNAL_THROWN: [{ kind: 'SIGNAL_THROWN', ...at, name: text, variables, ttl: 0 }],
    CONDITION_OPENED: [{ kind: 'CONDITION_OPENED', condition: 50, ...at, trigger: 0 }],
    CONDITION_MET: [{ kind: 'CONDITION_MET', condition: 50 }],
    CONDITION_LAPSED: [{ kind: 'CONDITION_LAPSED', condition: 50 }],
    ESCALATION_THROWN: [
      { kind: 'ESCALATION_THROWN', ...at, escalationCode: text, caught: 'PARENT', variables },
      { kind: 'ESCALATION_THROWN', ...at, escalationCode: text, caught: 'NOWHERE', variables },
    ],
    DECISION_REQUESTED: [{ kind: 'DECISION_REQUESTED', decision: 60, ...at, decisionID: text, binding }],
    CHILD_CALLED: [
      {
        kind: 'CHILD_CALLED',
        child: 70,
        ...at,
        workflowID: `${workflowID}-child`,
        processID: text,
        binding,
        variables,
        caughtErrors: [text],
        caughtEscalations: [text],
        depth: 1,
      },
    ],
    INCIDENT_RAISED: [80, 81].map((incident) => ({ kind: 'INCIDENT_RAISED' as const, incident, ...at, ...error })),
    STATE_MEASURED: [{ kind: 'STATE_MEASURED', variables: 1, control: 1 }],
    RETRY_DEFERRED: [{ kind: 'RETRY_DEFERRED', element: 2 }],
    PAUSE_ENDED: [{ kind: 'PAUSE_ENDED' }],
    STEP_YIELDED: [{ kind: 'STEP_YIELDED', written: 1 }],
    INSTANCE_ROTATED: [{ kind: 'INSTANCE_ROTATED' }],
  } satisfies Partial<FactsOfKinds>;
  // A kind of fact that is missing here and above does not compile.
  const second: FactsOfKinds<Exclude<FactKind, keyof typeof first>> = {
    STEP_SETTLED: [{ kind: 'STEP_SETTLED' }],
    INSTANCE_IMPORTED: [
      {
        kind: 'INSTANCE_IMPORTED',
        source: { system: text, id: text },
        facts: [{ kind: 'VARIABLES_SET', scope: 1, variables }],
      },
    ],
    COMMAND_HANDLED: [{ kind: 'COMMAND_HANDLED', number: 1 }],
    COMMAND_DEFERRED: [],
    JOB_COMPLETED: [{ kind: 'JOB_COMPLETED', job: 10 }],
    JOB_FAILED: [{ kind: 'JOB_FAILED', job: 11, errorCode: text, message: text }],
    JOB_CANCELED: [{ kind: 'JOB_CANCELED', job: 12, reason: text }],
    USER_TASK_COMPLETED: [{ kind: 'USER_TASK_COMPLETED', task: 20, variables }],
    USER_TASK_FAILED: [{ kind: 'USER_TASK_FAILED', task: 21, errorCode: text }],
    USER_TASK_CANCELED: [{ kind: 'USER_TASK_CANCELED', task: 22, reason: text }],
    TIMER_FIRED: [],
    TIMER_CANCELED: [{ kind: 'TIMER_CANCELED', timer: 30 }],
    SUBSCRIPTION_CLOSED: [{ kind: 'SUBSCRIPTION_CLOSED', subscription: 40, reason: 'CANCELED' }],
    CONDITION_CLOSED: [{ kind: 'CONDITION_CLOSED', condition: 50 }],
    DECISION_EVALUATED: [{ kind: 'DECISION_EVALUATED', decision: 60, definitionID: text, version: 1 }],
    DECISION_FAILED: [{ kind: 'DECISION_FAILED', decision: 60, message: text }],
    DECISION_CANCELED: [{ kind: 'DECISION_CANCELED', decision: 60 }],
    CHILD_ENDED: [{ kind: 'CHILD_ENDED', child: 70 }],
    CHILD_CANCELED: [{ kind: 'CHILD_CANCELED', child: 70, workflowID: `${workflowID}-child` }],
    INCIDENT_RESOLVED: [{ kind: 'INCIDENT_RESOLVED', incident: 80, actor: text }],
    INCIDENT_WITHDRAWN: [{ kind: 'INCIDENT_WITHDRAWN', incident: 81 }],
    INSTANCE_MIGRATED: [
      {
        kind: 'INSTANCE_MIGRATED',
        target: { definitionID, version: 1, graphSha256: text },
        nodes: [['task', 'task']],
        flows: [[text, text]],
      },
    ],
    ELEMENT_COMPLETED: [{ kind: 'ELEMENT_COMPLETED', element: 2, flows: [text], passed: [text] }],
    ELEMENT_CANCELED: [{ kind: 'ELEMENT_CANCELED', element: 2 }],
    ELEMENT_FAILED: [{ kind: 'ELEMENT_FAILED', element: 2 }],
    INSTANCE_COMPLETED: [],
    INSTANCE_CANCELED: [{ kind: 'INSTANCE_CANCELED', reason: text }],
    INSTANCE_FAILED: [{ kind: 'INSTANCE_FAILED', reason: text, errorCode: text, variables }],
  };
  return { first: Object.values(first).flat(), second: Object.values(second).flat() };
}
