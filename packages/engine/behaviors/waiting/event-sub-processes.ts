/** Event sub-processes: BPMN 2.0.2 section 13.3.4. They listen while the enclosing scope is active. */
import type { EventSubProcessNode } from '../../elements/event-sub-process.js';
import type { StartEventNode } from '../../elements/start-event.js';
import type { Result } from '../../failure.js';
import { isKind } from '../../model/model.js';
import { nodeOf, waitsOf, type Run } from '../../run.js';
import type { ElementInstance } from '../../state/state.js';
import { listen } from './trigger-dispatch.js';
import { cancelWait } from './waits.js';

/** Event sub-processes directly inside a scope node, each with its single start event. */
export function eventSubProcesses(run: Run, scopeNode: string): { node: EventSubProcessNode; start: StartEventNode }[] {
  const found: { node: EventSubProcessNode; start: StartEventNode }[] = [];
  for (const node of run.model.inside(scopeNode)) {
    if (isKind(node, 'eventSubProcess')) found.push({ node, start: run.model.node(node.start) as StartEventNode });
  }
  return found;
}

/** Starts listening for every event sub-process of `scope` that waits for an external event. */
export function listenInScope(run: Run, scope: ElementInstance): Result<void> {
  for (const { start } of eventSubProcesses(run, nodeOf(run, scope).id)) {
    const listening = listen(run, scope, start, start.triggers);
    if (!listening.ok) return listening;
  }
  return { ok: true, value: undefined };
}

/** BPMN 2.0.2 table 10.86: an error always interrupts, because whatever threw it has failed and cannot continue. */
export function interrupts({ interrupting, triggers }: StartEventNode): boolean {
  return interrupting || triggers.some(({ kind }) => kind === 'error');
}

/** After an interruption nothing else can interrupt the same scope. */
export function stopListening(run: Run, scope: ElementInstance, scopeNode: string): void {
  const starts = new Set(eventSubProcesses(run, scopeNode).map(({ start }) => start.id));
  for (const wait of waitsOf(run, scope.id)) {
    if (starts.has(wait.node)) cancelWait(run, wait, 'the scope was interrupted');
  }
}
