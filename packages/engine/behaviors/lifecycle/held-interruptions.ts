/**
 * Interruptions that wait for listeners of user tasks. The interrupted element instance remembers the event, which fires
 * again when no task inside has a listener left to run.
 */
import type { UserTaskNode } from '../../elements/user-task.js';
import { fireEvent } from '../../registry.js';
import { nodeOf, record, scopeOf, type Run } from '../../run.js';
import { interruptionData, interruptionOf, taskListeningOf } from '../../state/element-data.js';
import type { ElementInstance } from '../../state/state.js';
import { cancel } from './cancellation.js';

/** Open user tasks in `scope`, or itself, that have listeners of `canceling` left to run; oldest first. */
export function tasksToHear(run: Run, scope: ElementInstance): ElementInstance[] {
  if (!run.model.hasCancelingListeners) return [];
  const waits = Object.values(run.state.waits);
  run.budget.chargeScan(waits.length);
  return waits.flatMap(({ kind, element: id }) => {
    const element = run.state.elements[id];
    return kind === 'userTask' && element && hasToHear(run, element) && isInside(run, element, scope) ? [element] : [];
  });
}

/** Called when the listeners of a task have heard of the interruption: ends the task, and what waited for it. */
export function taskHeard(run: Run, task: ElementInstance): void {
  const reason = holdersAround(run, task).map((holder) => interruptionOf(holder)!.reason)[0];
  if (!interruptionOf(task)) cancel(run, task, reason ?? 'the task was canceled');
  continueInterruptions(run, task);
}

/**
 * Fires the outermost event around `element` whose interruption no task holds up anymore.
 * @returns whether `element` is being interrupted
 */
export function continueInterruptions(run: Run, element: ElementInstance): boolean {
  const holders = holdersAround(run, element);
  const free = holders.findLast((holder) => tasksToHear(run, holder).length === 0);
  if (free) {
    const { by, payload, as } = interruptionOf(free)!;
    record(run, { kind: 'ELEMENT_DATA_SET', element: free.id, data: interruptionData(undefined) });
    fireEvent(run, free, run.model.node(by), payload, as);
  }
  return holders.length > 0;
}

/** Element instances that are being interrupted, from `element` outward. */
function holdersAround(run: Run, element: ElementInstance): ElementInstance[] {
  const holders: ElementInstance[] = [];
  for (let at: ElementInstance | undefined = element; at; at = scopeOf(run, at))
    if (interruptionOf(at)) holders.push(at);
  return holders;
}

function hasToHear(run: Run, element: ElementInstance): boolean {
  const { taskListeners } = nodeOf(run, element) as UserTaskNode;
  const listening = taskListeningOf(element);
  return (listening?.event === 'canceling' ? listening.at : 0) < (taskListeners?.canceling?.length ?? 0);
}

function isInside(run: Run, element: ElementInstance, scope: ElementInstance): boolean {
  for (let at: ElementInstance | undefined = element; at; at = scopeOf(run, at)) if (at === scope) return true;
  return false;
}
