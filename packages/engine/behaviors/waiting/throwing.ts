/** Throw events and end events: their definitions are thrown one after another, then the event completes. */
import type { Node } from '../../model/graph.js';
import type { Variables } from '../../contract/json.js';
import { isActive, record, type Run } from '../../run.js';
import type { ElementInstance } from '../../state/state.js';
import type { Trigger } from '../../events/index.js';
import { throwTrigger } from './trigger-dispatch.js';
import { complete } from '../lifecycle/activation.js';
import { fail } from '../lifecycle/failures.js';

type ThrowingNode = Node & { triggers: Trigger[] };

/** After a resolved incident, resumes with the definition that failed. */
export function throwEvent(run: Run, element: ElementInstance, node: ThrowingNode): void {
  throwFrom(run, element, node, reached(element));
}

/** Called when the job or compensation that the event waited for is done. */
export function goOnThrowing(run: Run, element: ElementInstance, node: ThrowingNode, results?: Variables): void {
  throwFrom(run, element, node, reached(element) + 1, results);
}

function throwFrom(run: Run, element: ElementInstance, node: ThrowingNode, from: number, results?: Variables): void {
  for (const [index, trigger] of node.triggers.entries()) {
    if (index < from) continue;
    const thrown = throwTrigger(run, element, node, trigger);
    if (!thrown.ok || thrown.value === 'WAITING') rememberReached(run, element, index);
    if (!thrown.ok) return fail(run, element, thrown.failure);
    if (thrown.value === 'WAITING') return;
    // An escalation or a canceled transaction may have ended the event itself.
    if (!isActive(run, element)) return;
  }
  complete(run, element, results);
}

/** Index of the definition to throw next. */
function reached(element: ElementInstance): number {
  return Number(element.data?.['reached'] ?? 0);
}

function rememberReached(run: Run, element: ElementInstance, index: number): void {
  if (index !== reached(element))
    record(run, { kind: 'ELEMENT_DATA_SET', element: element.id, data: { reached: index } });
}
