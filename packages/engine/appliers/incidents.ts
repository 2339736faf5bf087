/** Incidents. */
import { COMPENSATION_TOO_LARGE, type State, takeID } from '../state/state.js';
import type { Appliers } from './applier.js';

export const incidents = {
  INCIDENT_RAISED(state, fact, now) {
    takeID(state, fact.incident);
    const { incident: id, element, node, errorType, errorCode, message, previous } = fact;
    state.incidents[id] = {
      id,
      element,
      node,
      errorType,
      message,
      at: now,
      ...(errorCode !== undefined && { errorCode }),
      ...(previous !== undefined && { previous }),
    };
    const instance = state.elements[element];
    if (instance?.node === node) instance.incident = id;
  },
  INCIDENT_RESOLVED(state, fact) {
    const incident = state.incidents[fact.incident]!;
    const element = state.elements[incident.element];
    if (element?.node === incident.node) element.retryOf = fact.incident;
    if (incident.errorType === 'RotationLimitError') state.rotations = 0;
    if (incident.errorType === 'SnapshotSizeExceeded' && incident.errorCode === COMPENSATION_TOO_LARGE)
      for (const each of Object.values(state.elements)) delete each.compensable;
    closeIncident(state, fact.incident);
  },
  INCIDENT_WITHDRAWN(state, fact) {
    closeIncident(state, fact.incident);
  },
} satisfies Appliers;

function closeIncident(state: State, id: number): void {
  const element = state.elements[state.incidents[id]!.element];
  if (element?.incident === id) delete element.incident;
  delete state.incidents[id];
}
