/** The result of an instance as the API shows it. */
import type { z } from 'zod';
import { readResult, type InstanceResult, type ResultRequest } from '../../../../store/instances/result.js';
import { listIncidents, type IncidentRecord } from '../../../../store/work/incidents/lists.js';
import type { ApiContext } from '../../../context.js';
import { optional, optionalTime } from '../../../contract/wire.js';
import type { incident } from '../../incidents/shared/schemas.js';
import type { instanceResult } from './schemas.js';

const MAX_INCIDENTS = 100;

/** A wait for a result. */
export interface ResultWait extends ResultRequest {
  waitMilliseconds: number;
  signal: AbortSignal;
  /** Whether the instance is about to be started by this request. */
  isNew?: boolean;
}

/** Waits for the result; undefined if the project has no such instance. */
export async function awaitResult(
  context: ApiContext,
  { waitMilliseconds, signal, isNew, ...request }: ResultWait,
): Promise<z.output<typeof instanceResult> | undefined> {
  const result =
    waitMilliseconds > 0
      ? await context.notifications.awaitResult(context.store, request, waitMilliseconds, signal, isNew)
      : await readResult(context.store, request);
  return result && toResult(context, request, result);
}

async function toResult(
  { store }: ApiContext,
  { projectID, workflowID }: ResultRequest,
  { status, completedAt, failureReason, variables, hasIncident }: InstanceResult,
): Promise<z.output<typeof instanceResult>> {
  const incidents = hasIncident
    ? await listIncidents(
        store,
        projectID,
        { workflowID, includeChildren: true, status: 'open' },
        { page: 1, pageSize: MAX_INCIDENTS },
      )
    : undefined;
  return {
    workflowID,
    status,
    completedAt: optionalTime(completedAt),
    variables: optional(variables),
    failureReason: optional(failureReason),
    incidents: incidents?.data.map(toIncident),
  };
}

function toIncident(open: IncidentRecord): z.output<typeof incident> {
  const { incidentID, nodeID, errorType, message, raisedAt } = open;
  return {
    incidentID,
    previousIncidentID: optional(open.previousIncidentID),
    nodeID,
    errorType,
    errorCode: optional(open.errorCode),
    errorMessage: message,
    timestamp: raisedAt.getTime(),
  };
}
