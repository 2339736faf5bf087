/**
 * What an instance waits for from outside: opening, closing, and passing on what came.
 */
import { behaviorOf } from '../elements/index.js';
import { fireBoundary } from './boundary.js';
import { fireEventSubProcess } from './event-sub-processes.js';
import type { Variables } from '../json.js';
import { nodeOf, record, type Run } from '../run.js';
import type { Wait, WaitKind } from '../state.js';

type Closer<K extends WaitKind> = (run: Run, wait: Extract<Wait, { kind: K }>, reason: string) => void;

const closers: { [K in WaitKind]: Closer<K> } = {
  job: (run, wait, reason) => record(run, { kind: 'JOB_CANCELED', job: wait.id, reason }),
  userTask: (run, wait, reason) => record(run, { kind: 'USER_TASK_CANCELED', task: wait.id, reason }),
  timer: (run, wait) => record(run, { kind: 'TIMER_CANCELED', timer: wait.id }),
  child: (run, wait) => record(run, { kind: 'CHILD_CANCELED', child: wait.id, workflowID: wait.workflowID }),
};

/** Stops waiting. */
export function cancelWait(run: Run, wait: Wait, reason: string): void {
  (closers[wait.kind] as Closer<WaitKind>)(run, wait as never, reason);
}

/**
 * What `wait` waited for has come (its closing fact is recorded): the element resumes, or the boundary event or
 * event sub-process that listened begins.
 */
export function trigger(run: Run, wait: Wait, payload?: Variables): void {
  const element = run.state.elements[wait.element]!;
  const node = run.model.node(wait.node);
  if (wait.node === element.node) return behaviorOf(node).resume?.(run, element, nodeOf(run, element), wait, payload);
  if (node.kind === 'boundaryEvent') return fireBoundary(run, element, node, payload);
  fireEventSubProcess(run, element, node.parent!, payload);
}
