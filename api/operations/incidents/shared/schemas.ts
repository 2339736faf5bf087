import { z } from 'zod';
import { errorTypes } from '../../../../store/work/incidents/filters.js';
import { pageOf, reason, timestamp, uuid, variables } from '../../../contract/schemas.js';
import { givenVariables } from '../../../contract/variables.js';

export const errorType = z.enum(errorTypes);

export const incidentStatus = z.enum(['open', 'resolved']);

/** An open incident as in the state of its instance. */
export const incident = z
  .strictObject({
    incidentID: z.string(),
    previousIncidentID: z.string().optional(),
    nodeID: z.string(),
    scopeID: z.string().optional(),
    errorType,
    errorCode: z.string().optional(),
    errorMessage: z.string(),
    variables: variables.optional(),
    /** Epoch milliseconds. */
    timestamp: z.int(),
  })
  .meta({ id: 'BpmnIncident' });

/** An incident, open or resolved, as the lists show it. */
export const incidentRecord = z
  .strictObject({
    id: uuid,
    incidentID: z.string(),
    previousIncidentID: z.string().optional(),
    workflowID: z.string(),
    definitionID: uuid,
    processID: z.string(),
    processName: z.string().optional(),
    processVersion: z.int(),
    nodeID: z.string(),
    elementInstanceID: z.string().describe('As in the history of the instance.'),
    /** The scope around the node. */
    scopeID: z.string().optional(),
    /** The job or user task whose failure raised it. */
    executionKey: z.string().optional(),
    /** Incidents with the same process, node, error type, error code, and similar message. */
    groupID: z.string(),
    errorType,
    errorCode: z.string().optional(),
    errorMessage: z.string(),
    raisedAt: timestamp,
    resolvedAt: timestamp.optional(),
    resolvedBy: z.string().optional(),
  })
  .meta({ id: 'BpmnIncidentRecord' });

export const incidentRecordPage = pageOf('BpmnIncidentRecordPaginatedResponse', incidentRecord);

export const incidentGroup = z
  .strictObject({
    groupID: z.string(),
    processID: z.string(),
    processName: z.string().optional(),
    nodeID: z.string(),
    errorType,
    errorCode: z.string().optional(),
    /** With `…` for the parts that differ. */
    message: z.string(),
    count: z.int(),
    /** Instances with at least one of the incidents. */
    instances: z.int(),
    firstRaisedAt: timestamp,
    lastRaisedAt: timestamp,
  })
  .meta({ id: 'BpmnIncidentGroup' });

export const incidentGroupPage = pageOf('BpmnIncidentGroupPaginatedResponse', incidentGroup);

export const resolveIncidentRequest = z
  .strictObject({ variables: givenVariables.optional(), reason })
  .meta({ id: 'ResolveBpmnIncidentRequest' });
