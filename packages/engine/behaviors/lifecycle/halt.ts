/**
 * Halting a whole instance: while the process's own element has one of the incidents below, no token moves and no timer
 * fires. Commands are still handled, so that an operator can repair or cancel the instance.
 */
import type { Failure } from '../../failure.js';
import { nextID, record, type Run } from '../../run.js';
import { ROOT, type ErrorType, type State } from '../../state/state.js';

const HALTING: ReadonlySet<ErrorType> = new Set<ErrorType>([
  'RotationLimitError',
  'SnapshotSizeExceeded',
  'EngineError',
]);

/** Whether an incident of the whole instance halts it. */
export function isHalted(state: State): boolean {
  const incident = state.elements[ROOT]?.incident;
  return incident !== undefined && isHalting(state, incident);
}

/** Whether resolving the incident only releases the instance, without an element to retry. */
export function isHalting(state: State, incident: number): boolean {
  const open = state.incidents[incident];
  return open !== undefined && open.element === ROOT && HALTING.has(open.errorType);
}

/** Halts the instance at a new incident. */
export function haltInstance(run: Run, { errorType, errorCode, message }: Omit<Failure, 'variables'>): void {
  record(run, {
    kind: 'INCIDENT_RAISED',
    incident: nextID(run),
    element: ROOT,
    node: run.model.root.id,
    errorType,
    ...(errorCode !== undefined && { errorCode }),
    message,
  });
}
