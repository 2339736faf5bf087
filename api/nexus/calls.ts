/**
 * Operations that callers of Nexus request. Temporal brings no token, so the configuration names the project of their
 * endpoint. Apart from that, such a request takes the steps of any other.
 */
import { endpointActor } from '../../store/audit/machine-actors.js';
import { sha256 } from '@perdure/lib/sha256.js';
import type { Caller } from '../access/caller.js';
import type { Operation } from '../commands/operation.js';
import type { ApiConfiguration } from '../configuration.js';
import type { ApiContext } from '../context.js';
import { isProblem, problemCodes } from '../contract/problem.js';
import type { ProjectRole } from '../contract/roles.js';
import { readClientRequestID } from '../http/request/request-id.js';
import { operations as allOperations } from '../operations/index.js';
import { createAdmittedPipeline } from '../pipeline/api-pipeline.js';

/**
 * All that an endpoint can call, and its role there. It is an executor. The exception is for instances that it runs, which
 * is checked before the call.
 */
const roles = {
  StartBpmnInstance: 'executor',
  PublishBpmnMessage: 'executor',
  PublishBpmnSignal: 'executor',
  CancelBpmnInstance: 'editor',
} as const satisfies Record<string, ProjectRole>;

interface NexusCall {
  readonly endpoint: string;
  readonly projectID: string;
  readonly operationID: keyof typeof roles;
  /** For an operation on an instance. */
  readonly workflowID?: string;
  readonly body?: unknown;
  /** Given by the caller. A request with the same id has no second effect. */
  readonly requestID?: string;
  /** Until when Temporal may repeat the request. */
  readonly repeatedUntil?: Date;
  readonly signal: AbortSignal;
}

type NexusAnswer =
  | { readonly kind: 'done'; readonly body: unknown }
  | {
      readonly kind: 'refused';
      readonly status: number;
      readonly code: string;
      readonly message: string;
      readonly details?: Readonly<Record<string, unknown>> | undefined;
    };

export function createNexusCalls(
  context: ApiContext,
  configuration: ApiConfiguration,
  operations: readonly Operation[] = allOperations,
): (call: NexusCall) => Promise<NexusAnswer> {
  const respond = createAdmittedPipeline(context, configuration, operations);
  const byID = new Map(operations.map((operation) => [operation.operationID, operation]));
  return async (call) => {
    const { endpoint, projectID, operationID, workflowID, body, requestID, repeatedUntil, signal } = call;
    const parameters = workflowID === undefined ? [projectID] : [projectID, workflowID];
    const found = await respond({
      via: 'NEXUS',
      clientRequestID: readClientRequestID(requestID ?? null),
      repeatedUntil,
      caller: callerAt(endpoint, projectID, roles[operationID]),
      operation: byID.get(operationID)!,
      call: {
        rawParameters: parameters.map(encodeURIComponent),
        search: '',
        // Hashed, because a key has fewer characters than the id of a request may have.
        headers: requestID === undefined ? {} : { 'Idempotency-Key': sha256(requestID) },
        body,
      },
      signal,
    });
    if (!isProblem(found)) return { kind: 'done', body: found.body };
    const { code, message, details } = found;
    return { kind: 'refused', status: problemCodes[code].status, code, message, details };
  };
}

function callerAt(endpoint: string, projectID: string, role: ProjectRole): Caller {
  const projects = new Map([[projectID, role]]);
  return {
    subject: endpointActor(endpoint),
    issuer: 'nexus',
    name: undefined,
    organisationRoles: new Set(),
    systemAdmin: false,
    groups: new Set(),
    isServiceAccount: true,
    expiresAt: Infinity,
    projects,
    projectRole: (id) => projects.get(id),
  };
}
