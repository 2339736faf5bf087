/** Incidents that have the same cause, as far as their words tell. */
import type { Schemas } from '../../frame/api/client.js';

export type Incident = Schemas['BpmnIncidentRecord'];

export interface IncidentGroup {
  key: string;
  /** Newest first; never empty. */
  incidents: readonly [Incident, ...Incident[]];
}

/** Groups by process, node and error; the largest group comes first. Numbers in messages (ids, amounts) do not tell them apart. */
export function groupIncidents(incidents: readonly Incident[]): IncidentGroup[] {
  const groups = new Map<string, [Incident, ...Incident[]]>();
  for (const incident of incidents) {
    const { processID, nodeID, errorType, errorCode, errorMessage } = incident;
    const key = JSON.stringify([processID, nodeID, errorType, errorCode ?? null, errorMessage.replaceAll(/\d+/g, '#')]);
    const group = groups.get(key);
    if (group) group.push(incident);
    else groups.set(key, [incident]);
  }
  return [...groups]
    .map(([key, found]) => ({ key, incidents: found }))
    .sort((a, b) => b.incidents.length - a.incidents.length);
}
