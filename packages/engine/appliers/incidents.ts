/** Incidents. */
import { COMPENSATION_TOO_LARGE, type ConditionWait, type Incident, type State, takeID } from '../state/state.js';
import type { Appliers } from './applier.js';

export const incidents = {
  INCIDENT_RAISED(state, fact, now) {
    takeID(state, fact.incident);
    const { incident: id, element, node, errorType, errorCode, message, previous, condition } = fact;
    state.incidents[id] = {
      id,
      element,
      node,
      errorType,
      message,
      at: now,
      ...(errorCode !== undefined && { errorCode }),
      ...(previous !== undefined && { previous }),
      ...(condition !== undefined && { condition }),
    };
    if (condition !== undefined) {
      const { retryOf: _, ...wait } = state.waits[condition] as ConditionWait;
      state.waits[condition] = { ...wait, incident: id };
      return;
    }
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
    closeIncident(state, incident);
    const wait = conditionAt(state, incident);
    if (wait) state.waits[wait.id] = { ...wait, retryOf: incident.id };
  },
  INCIDENT_WITHDRAWN(state, fact) {
    closeIncident(state, state.incidents[fact.incident]!);
  },
} satisfies Appliers;

function closeIncident(state: State, incident: Incident): void {
  const element = state.elements[incident.element];
  if (element?.incident === incident.id) delete element.incident;
  const wait = conditionAt(state, incident);
  if (wait) {
    const { incident: _, ...open } = wait;
    state.waits[wait.id] = open;
  }
  delete state.incidents[incident.id];
}

function conditionAt(state: State, { condition }: Incident): ConditionWait | undefined {
  return condition === undefined ? undefined : (state.waits[condition] as ConditionWait | undefined);
}
