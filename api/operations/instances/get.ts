import type { z } from 'zod';
import type { Graph } from '@perdure/engine/model/graph.js';
import type { State } from '@perdure/engine/state/state.js';
import { readVariables } from '../../../store/instances/instances.js';
import type { Instance } from '../../../store/instances/instances.js';
import { stateAt } from '../../../store/steps/replay.js';
import { parentSuspensionOf } from '../../../store/suspension/view.js';
import { defineOperation } from '../../commands/define-operation.js';
import { notFound } from '../../contract/problem.js';
import { testMark } from '../../commands/test-mark.js';
import { optional, optionalTime, time } from '../../contract/wire.js';
import { toSuspensions } from '../suspension/shared/entries.js';
import { activeScopes, pendingJoinArrivals } from './shared/active-scopes.js';
import { findWithGraph } from './shared/find-instance.js';
import { toImportedFrom } from './shared/instance.js';
import { instanceState } from './shared/schemas.js';
import { openIncidents } from './shared/state-view.js';

export const getBpmnInstance = defineOperation({
  operationID: 'GetBpmnInstance',
  method: 'GET',
  path: '/projects/{projectID}/bpmn/instances/{workflowID}',
  role: 'viewer',
  summary: 'Get an instance',
  description: 'Includes its active nodes, its variables, and its open incidents.',
  request: {},
  responses: { 200: { description: 'Instance', schema: instanceState } },
  problems: [],
}).handle(async ({ params, context }) => {
  const found = await findWithGraph(context, params);
  if (found === undefined) return notFound(`no instance ${params.workflowID} in project ${params.projectID}`);
  const [{ state }, variables = {}, parentSuspension] = await Promise.all([
    stateAt(context.store, params.workflowID),
    readVariables(context.store, params.projectID, params.workflowID),
    parentSuspensionOf(context.store, found.instance),
  ]);
  const suspensions = toSuspensions(found.instance, parentSuspension);
  return {
    status: 200,
    body: { ...toDetail(found.instance), ...suspensions, variables, ...toProgress(found.instance, found.graph, state) },
  };
});

/** The part of the detail that comes from the row. */
function toDetail(
  instance: Instance,
): Omit<z.output<typeof instanceState>, 'variables' | 'error' | 'incidents' | 'activeScopes' | 'pendingJoinArrivals'> {
  const { resourceID, definitionID, workflowID, processID, processVersion, status, createdAt } = instance;
  return {
    resourceID,
    definitionID,
    workflowID,
    parentWorkflowID: optional(instance.parentWorkflowID),
    processId: processID,
    processName: optional(instance.processName),
    processVersion,
    status,
    failureReason: optional(instance.failureReason),
    startedBy: optional(instance.startedBy),
    createdAt: time(createdAt),
    completedAt: optionalTime(instance.completedAt),
    overTarget: instance.overTarget,
    definitionSuspended: instance.definitionSuspended,
    parentSuspended: instance.parentSuspended,
    businessId: optional(instance.businessID),
    queued: instance.queued || undefined,
    restartedFrom: optional(instance.restartedFrom),
    importedFrom: toImportedFrom(instance),
    redactedVariables: instance.redactedVariables.length > 0 ? instance.redactedVariables : undefined,
    ...testMark(workflowID),
  };
}

/**
 * The part of the detail that comes from the facts. An instance that was ended from outside has no scopes, whatever its
 * last fact was.
 */
function toProgress({ status, processVersion }: Instance, graph: Graph, state: State) {
  if (status !== 'RUNNING') return { error: false, incidents: [], activeScopes: [], pendingJoinArrivals: {} };
  const incidents = openIncidents(state);
  return {
    error: incidents.length > 0,
    incidents,
    activeScopes: activeScopes(state, graph, processVersion),
    pendingJoinArrivals: pendingJoinArrivals(state, graph),
  };
}
