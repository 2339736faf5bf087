/**
 * Listeners of `canceling`: an event that interrupts user tasks waits until these have run. Everything else that it
 * interrupts ends at once, and the tasks take no other request. A cancel of the instance, a modification, and a completion
 * condition wait for no listener.
 */
import { childrenOf, incidentsOf, record, scopeOf, waitsOf, type Run } from '../../run.js';
import { interruptionData, interruptionOf, taskListeningOf, type Interruption } from '../../state/element-data.js';
import type { ElementInstance, UserTaskWait } from '../../state/state.js';
import { cancel, closeWaits } from '../lifecycle/cancellation.js';
import { tasksToHear } from '../lifecycle/held-interruptions.js';
import { dropWork } from '../lifecycle/interruption.js';
import { stopListening } from '../waiting/event-sub-processes.js';
import { cancelWait } from '../waiting/waits.js';
import { denyRequest, requestOfTask } from './task-listeners.js';

interface Interrupted {
  /** The event leaves the scope, so its boundary events stop listening too. */
  isLeft?: true;
  /** The interrupting element instance inside the scope. */
  except?: ElementInstance;
}

/**
 * Asks the listeners of the user tasks that `interruption` would cancel.
 * @returns whether there are any: the event fires again after them
 */
export function waitsForTasks(
  run: Run,
  scope: ElementInstance,
  interruption: Interruption,
  { isLeft, except }: Interrupted = {},
): boolean {
  const tasks = tasksToHear(run, scope);
  if (tasks.length === 0) return false;
  const { reason } = interruption;
  endOthers(run, scope, { tasks: new Set(tasks), around: around(run, scope, tasks), reason, except });
  if (!tasks.includes(scope)) {
    if (isLeft) closeWaits(run, scope, reason);
    else stopListening(run, scope, scope.node);
  }
  record(run, { kind: 'ELEMENT_DATA_SET', element: scope.id, data: interruptionData(interruption) });
  for (const task of tasks) ask(run, task, reason);
  return true;
}

/** The tasks, and the scopes between them and `scope`. */
function around(run: Run, scope: ElementInstance, tasks: readonly ElementInstance[]): Set<ElementInstance> {
  const found = new Set<ElementInstance>();
  for (const task of tasks) {
    for (let at: ElementInstance | undefined = task; at && at !== scope; at = scopeOf(run, at)) found.add(at);
  }
  return found;
}

interface Staying {
  tasks: ReadonlySet<ElementInstance>;
  around: ReadonlySet<ElementInstance>;
  reason: string;
  except?: ElementInstance | undefined;
}

/** Ends everything inside `scope` but the tasks, and lets nothing start there by itself. */
function endOthers(run: Run, scope: ElementInstance, staying: Staying): void {
  const { tasks, around, reason, except } = staying;
  for (const child of childrenOf(run, scope.id)) {
    if (child === except) continue;
    if (!around.has(child)) {
      cancel(run, child, reason);
      continue;
    }
    // This interruption goes first.
    if (interruptionOf(child))
      record(run, { kind: 'ELEMENT_DATA_SET', element: child.id, data: interruptionData(undefined) });
    if (tasks.has(child)) continue;
    closeWaits(run, child, reason);
    endOthers(run, child, staying);
  }
  const { moving, arrived } = run.state;
  if ([...moving, ...arrived].some((token) => token.scope === scope.id))
    record(run, { kind: 'TOKENS_DROPPED', scope: scope.id });
  if (scope.compensation) record(run, { kind: 'COMPENSATION_ENDED', element: scope.id });
  dropWork(run, scope);
  if (run.state.continuing?.includes(scope.id)) record(run, { kind: 'ELEMENT_CONTINUED', element: scope.id });
}

/** A task whose listeners already run is not asked again. */
function ask(run: Run, element: ElementInstance, reason: string): void {
  const listening = taskListeningOf(element);
  if (listening?.event === 'canceling') return;
  const waits = waitsOf(run, element.id);
  for (const wait of waits) if (wait.kind !== 'userTask') cancelWait(run, wait, reason);
  for (const { id } of incidentsOf(run, element.id)) record(run, { kind: 'INCIDENT_WITHDRAWN', incident: id });
  if (element.placed) record(run, { kind: 'ELEMENT_CONTINUED', element: element.id });
  if (listening?.command !== undefined) denyRequest(run, element, listening, `The task is being canceled: ${reason}`);
  const task = waits.find((wait): wait is UserTaskWait => wait.kind === 'userTask')!;
  requestOfTask(run, element, task, { event: 'canceling' });
}
