/** Waits for external events: opening, closing, and delivering what arrived. */
import { isParallelMultiple, staysOpen } from '../../model/model.js';
import type { Node } from '../../model/graph.js';
import type { Variables } from '../../contract/json.js';
import { gatheredKey, taskListeningOf } from '../../state/element-data.js';
import { behaviorOf, fireEvent } from '../../registry.js';
import { nodeOf, record, waitsOf, type Run } from '../../run.js';
import type { ElementInstance, SubscriptionWait, Wait, WaitKind } from '../../state/state.js';
import { openSubscription } from './subscriptions.js';

type Closer<K extends WaitKind> = (run: Run, wait: Extract<Wait, { kind: K }>, reason: string) => void;

const closers: { [K in WaitKind]: Closer<K> } = {
  job: (run, wait, reason) => record(run, { kind: 'JOB_CANCELED', job: wait.id, reason }),
  userTask: (run, wait, reason) => {
    const command = taskListeningOf(run.state.elements[wait.element]!)?.command;
    record(run, { kind: 'USER_TASK_CANCELED', task: wait.id, reason, ...(command !== undefined && { command }) });
  },
  timer: (run, wait) => record(run, { kind: 'TIMER_CANCELED', timer: wait.id }),
  child: (run, wait) => record(run, { kind: 'CHILD_CANCELED', child: wait.id, workflowID: wait.workflowID }),
  subscription: (run, wait) => record(run, { kind: 'SUBSCRIPTION_CLOSED', subscription: wait.id, reason: 'CANCELED' }),
  condition(run, wait) {
    if (wait.incident !== undefined) record(run, { kind: 'INCIDENT_WITHDRAWN', incident: wait.incident });
    record(run, { kind: 'CONDITION_CLOSED', condition: wait.id });
  },
  decision: (run, wait) => record(run, { kind: 'DECISION_CANCELED', decision: wait.id }),
};

/** Closes a wait. */
export function cancelWait(run: Run, wait: Wait, reason: string): void {
  (closers[wait.kind] as Closer<WaitKind>)(run, wait as never, reason);
}

/**
 * Handles the arrival of what `wait` waited for (the closing fact is recorded): resumes the element, or starts the
 * boundary event or event sub-process that listened.
 */
export function trigger(run: Run, wait: Wait, payload?: Variables): void {
  const element = run.state.elements[wait.element]!;
  const catcher = run.model.node(wait.node);
  if (!isParallelMultiple(catcher)) return pass(run, element, catcher, wait, payload);
  const gathered = { ...gatheredPayload(element, catcher), ...payload };
  const complete = waitsOf(run, element.id).every((other) => other.node !== catcher.id);
  record(run, {
    kind: 'ELEMENT_DATA_SET',
    element: element.id,
    data: { [gatheredKey(catcher.id)]: complete ? {} : gathered },
  });
  if (complete) pass(run, element, catcher, wait, gathered);
}

/** Handles the arrival of a message or signal: a non-interrupting event waits for the next one immediately. */
export function consumeSubscription(
  run: Run,
  wait: SubscriptionWait,
  publicationID: string,
  payload?: Variables,
): void {
  record(run, { kind: 'SUBSCRIPTION_CLOSED', subscription: wait.id, reason: 'CONSUMED', publicationID });
  if (staysOpen(run.model.node(wait.node))) openSubscription(run, run.state.elements[wait.element]!, wait.node, wait);
  trigger(run, wait, payload);
}

function pass(run: Run, element: ElementInstance, catcher: Node, wait: Wait, payload?: Variables): void {
  if (catcher.kind === 'boundaryEvent') return fireEvent(run, element, catcher, payload);
  if (catcher.kind === 'startEvent' && catcher.id !== element.node)
    return fireEvent(run, element, run.model.node(catcher.parent!), payload);
  const node = nodeOf(run, element);
  behaviorOf(run, node).resume?.(run, element, node, wait, payload);
}

/** Variables of the definitions that have occurred so far. */
function gatheredPayload(element: ElementInstance, catcher: Node): Variables {
  return (element.data?.[gatheredKey(catcher.id)] as Variables | undefined) ?? {};
}
