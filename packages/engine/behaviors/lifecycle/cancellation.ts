/** Ending element instances from outside. */
import { childrenOf, incidentsOf, record, waitsOf, type Run } from '../../run.js';
import type { ElementInstance } from '../../state/state.js';
import { cancelWait } from '../waiting/waits.js';

/**
 * Ends the element, with everything inside it, from outside.
 * @param reason shown on the jobs and tasks that are canceled with it
 * @param as how history shows it: left through its own error boundary event, or interrupted
 */
export function cancel(
  run: Run,
  element: ElementInstance,
  reason: string,
  as: 'ELEMENT_CANCELED' | 'ELEMENT_FAILED' = 'ELEMENT_CANCELED',
): void {
  cancelInside(run, element, reason);
  closeWaits(run, element, reason);
  record(run, { kind: as, element: element.id });
}

/** Ends everything inside `scope`, but not the scope itself. */
export function cancelInside(run: Run, scope: ElementInstance, reason: string, except?: ElementInstance): void {
  for (const child of childrenOf(run, scope.id)) {
    if (child !== except) cancel(run, child, reason);
  }
  if (scope.inside > (except ? 1 : 0)) record(run, { kind: 'TOKENS_DROPPED', scope: scope.id });
  if (scope.compensation) record(run, { kind: 'COMPENSATION_ENDED', element: scope.id });
}

export function closeWaits(run: Run, element: ElementInstance, reason: string): void {
  for (const wait of waitsOf(run, element.id)) cancelWait(run, wait, reason);
  for (const { id } of incidentsOf(run, element.id)) record(run, { kind: 'INCIDENT_WITHDRAWN', incident: id });
}
