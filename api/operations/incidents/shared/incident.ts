import type { z } from 'zod';
import type { IncidentRecord } from '../../../../store/work/incidents/lists.js';
import { optional, optionalTime, time } from '../../../contract/wire.js';
import { scopeID } from '../../instances/shared/active-scopes.js';
import type { incidentRecord } from './schemas.js';

/**
 * An incident as the lists show it. An incident that was withdrawn with its element counts as resolved, without an
 * actor.
 */
export function toIncidentRecord(incident: IncidentRecord): z.output<typeof incidentRecord> {
  const { id, incidentID, workflowID, definitionID, processID, processVersion, nodeID, errorType, message } = incident;
  return {
    id,
    incidentID,
    previousIncidentID: optional(incident.previousIncidentID),
    workflowID,
    definitionID,
    processID,
    processName: optional(incident.processName),
    processVersion,
    nodeID,
    elementInstanceID: scopeID(incident.element),
    scopeID: incident.scope === null ? undefined : scopeID(incident.scope),
    executionKey: optional(incident.executionKey),
    groupID: incident.groupID,
    errorType,
    errorCode: optional(incident.errorCode),
    errorMessage: message,
    raisedAt: time(incident.raisedAt),
    resolvedAt: optionalTime(incident.endedAt),
    resolvedBy: optional(incident.resolvedBy),
  };
}
