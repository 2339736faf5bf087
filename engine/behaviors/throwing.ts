/** Throw events and end events: their definitions are thrown one after another, then the event completes. */
import type { Node } from '../graph.js';
import type { Variables } from '../json.js';
import { isActive, record, type Run } from '../run.js';
import type { ElementInstance } from '../state.js';
import { throwTrigger, type Trigger } from '../triggers/index.js';
import { complete } from './activation.js';
import { fail } from './failures.js';

type ThrowingNode = Node & { triggers: Trigger[] };

export function throwEvent(run: Run, element: ElementInstance, node: ThrowingNode): void {
  throwFrom(run, element, node, 0);
}

/** What the event waited for (a job, a compensation) is done. */
export function goOnThrowing(run: Run, element: ElementInstance, node: ThrowingNode, results?: Variables): void {
  throwFrom(run, element, node, Number(element.memory!['thrown']) + 1, results);
}

function throwFrom(run: Run, element: ElementInstance, node: ThrowingNode, from: number, results?: Variables): void {
  for (const [index, trigger] of node.triggers.entries()) {
    if (index < from) continue;
    const thrown = throwTrigger(run, element, node, trigger);
    if (!thrown.ok) return fail(run, element, thrown.failure);
    if (thrown.value === 'WAITING') return record(run, { kind: 'MEMORY_SET', element: element.id, memory: { thrown: index } });
    // An escalation or a canceled transaction may have ended the event itself.
    if (!isActive(run, element)) return;
  }
  complete(run, element, results);
}
