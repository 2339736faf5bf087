/**
 * Migration of user tasks whose listeners run. A listener with a counterpart, one of the same event and type, keeps its
 * job. Without one its job is canceled, and the request continues after the listeners that have agreed.
 */
import { decidedBy, openTaskListener, remember } from '../behaviors/listeners/task-listeners.js';
import { cancelWait } from '../behaviors/waiting/waits.js';
import type { TaskListenerEvent } from '../contract/facts.js';
import type { UserTaskNode } from '../elements/user-task.js';
import { record, type Run } from '../run.js';
import { taskListeningOf, type TaskListening } from '../state/element-data.js';
import type { ElementInstance } from '../state/state.js';
import { placeIn } from './execution-listeners.js';
import type { Mapping } from './mapping.js';

interface TaskMove {
  element: ElementInstance;
  /** As in the target version. */
  listening: TaskListening;
  /** Whether the target version has the listener that runs. */
  stays: boolean;
}

/** A task about whose requests other listeners decide in the target version. */
interface DecidedTask {
  task: number;
  decided: TaskListenerEvent[];
}

export interface TaskMoves {
  moves: readonly TaskMove[];
  decided: readonly DecidedTask[];
}

export function taskMoves(run: Run, mapping: Mapping): TaskMoves {
  const moves = Object.values(run.state.elements).flatMap((element): TaskMove[] => {
    const listening = taskListeningOf(element);
    if (!listening) return [];
    const [before, after] = versionsOf(run, mapping, element.node).map(
      (node) => node?.taskListeners?.[listening.event] ?? [],
    );
    const { at, stays } = placeIn(after!, before!, listening.at);
    return [{ element, listening: { ...listening, at }, stays }];
  });
  const decided = Object.values(run.state.waits).flatMap((wait): DecidedTask[] => {
    if (wait.kind !== 'userTask') return [];
    const [before, after] = versionsOf(run, mapping, wait.node).map((node) => (node ? decidedBy(node) : []));
    return before!.join() === after!.join() ? [] : [{ task: wait.id, decided: after! }];
  });
  return { moves, decided };
}

/** The node of a user task in both versions. */
function versionsOf(run: Run, mapping: Mapping, node: string): (UserTaskNode | undefined)[] {
  const target = mapping.target.find(mapping.targetOf(node));
  return [run.model.node(node), target].map((each) => (each?.kind === 'userTask' ? each : undefined));
}

/** Cancels the jobs of listeners that the target version does not have. */
export function cancelMissingOfTasks(run: Run, { moves }: TaskMoves): void {
  for (const { element, stays } of moves) {
    const job = stays ? undefined : openTaskListener(run, element);
    if (!job) continue;
    cancelWait(run, job, 'the instance was migrated to a version without the listener');
    record(run, { kind: 'ELEMENT_CONTINUED', element: element.id, again: true });
  }
}

export function moveTaskListeners(run: Run, { moves, decided }: TaskMoves): void {
  for (const { element, listening } of moves) remember(run, element, listening);
  for (const each of decided) record(run, { kind: 'USER_TASK_CHANGED', changes: {}, ...each });
}
