/**
 * Migration of elements whose execution listeners run. A listener with a counterpart, one of the same event and type, keeps
 * its job. Without one its job is canceled, and the element continues after the listeners that have run.
 */
import { openListener, remember } from '../behaviors/listeners/progress.js';
import { cancelWait } from '../behaviors/waiting/waits.js';
import type { JobDefinition } from '../behaviors/waiting/jobs.js';
import type { ListenerEvent } from '../contract/facts.js';
import { equalJson, type Json } from '../contract/json.js';
import { record, type Run } from '../run.js';
import { listeningOf } from '../state/element-data.js';
import { ROOT, type ElementInstance } from '../state/state.js';
import type { Mapping } from './mapping.js';

interface ListenerMove {
  element: ElementInstance;
  event: ListenerEvent;
  /** The place in the list of the target version. */
  at: number;
  /** Whether the target version has the listener that runs. */
  stays: boolean;
}

export function listenerMoves(run: Run, mapping: Mapping): ListenerMove[] {
  return Object.values(run.state.elements).flatMap((element) => {
    const progress = listeningOf(element);
    if (!progress || progress.event === 'started') return [];
    const { event, at } = progress;
    const target = element.id === ROOT ? mapping.target.root : mapping.target.find(mapping.targetOf(element.node));
    const before = run.model.node(element.node).listeners?.[event] ?? [];
    return [{ element, event, ...placeIn(target?.listeners?.[event] ?? [], before, at) }];
  });
}

/** The place of the listener that runs, at `at` of `before`, in the list of the target version. */
export function placeIn(after: JobDefinition[], before: JobDefinition[], at: number): { at: number; stays: boolean } {
  const placeOf = ({ type }: JobDefinition) =>
    after.findIndex((other) => equalJson(other.type as unknown as Json, type as unknown as Json));
  const running = before[at];
  const same = running ? placeOf(running) : -1;
  if (same >= 0) return { at: same, stays: true };
  return { at: Math.max(-1, ...before.slice(0, at).map(placeOf)) + 1, stays: false };
}

/** Cancels the jobs of listeners that the target version does not have. */
export function cancelMissing(run: Run, moves: readonly ListenerMove[]): void {
  for (const { element, stays } of moves) {
    const job = stays ? undefined : openListener(run, element);
    if (!job) continue;
    cancelWait(run, job, 'the instance was migrated to a version without the listener');
    record(run, { kind: 'ELEMENT_CONTINUED', element: element.id, again: true });
  }
}

export function moveListeners(run: Run, moves: readonly ListenerMove[]): void {
  for (const { element, event, at } of moves) remember(run, element, event, at);
}
