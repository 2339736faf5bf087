import { z } from 'zod';
import { pageOf, reason, timestamp, uuid, variables } from '../../../contract/schemas.js';
import { givenVariables } from '../../../contract/variables.js';

/** The closed list of the contract; `errorCode` and `errorMessage` carry the detailed reason. */
export const errorType = z.enum([
  'BpmnError',
  'EscalationError',
  'CompensationError',
  'FeelError',
  'NoHandler',
  'GatewayNoMatch',
  'TimerResolution',
  'LinkNotFound',
  'MigrationError',
  'SubscriptionError',
  'RotationLimitError',
  'SnapshotSizeExceeded',
  'CallActivityCanceled',
  'ExternalRowRefreshError',
  'JobLockLost',
  'DecisionNotFound',
  'EngineError',
  'Unknown',
]);

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
    errorType,
    errorCode: z.string().optional(),
    errorMessage: z.string(),
    raisedAt: timestamp,
    resolvedAt: timestamp.optional(),
    resolvedBy: z.string().optional(),
  })
  .meta({ id: 'BpmnIncidentRecord' });

export const incidentRecordPage = pageOf('BpmnIncidentRecordPaginatedResponse', incidentRecord);

export const resolveIncidentRequest = z
  .strictObject({ variables: givenVariables.optional(), reason })
  .meta({ id: 'ResolveBpmnIncidentRequest' });
