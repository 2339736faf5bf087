import { z } from 'zod';
import { listHistory } from '../../../store/steps/history.js';
import type { ActivityEntry } from '../../../store/steps/history.js';
import { findInstance } from '../../../store/instances/instances.js';
import { defineOperation } from '../../commands/define-operation.js';
import { pageResponse } from '../../commands/page.js';
import { notFound } from '../../contract/problem.js';
import { pageQuery } from '../../contract/schemas.js';
import { optionalTime } from '../../contract/wire.js';
import { scopeID } from './shared/active-scopes.js';
import { startedVersion } from './shared/find-instance.js';
import { historyPage } from './shared/schemas.js';
import type { activityState } from './shared/schemas.js';

export const listBpmnInstanceHistory = defineOperation({
  operationID: 'ListBpmnInstanceHistory',
  method: 'GET',
  path: '/projects/{projectID}/bpmn/instances/{workflowID}/history',
  role: 'viewer',
  summary: 'List the activity history of an instance',
  description: 'One entry per activation of a node, in order of activation.',
  request: { query: z.strictObject(pageQuery) },
  responses: { 200: { description: 'Page of entries', schema: historyPage } },
  problems: [],
}).handle(async ({ params, query, context }) => {
  const instance = await findInstance(context.store, params.projectID, params.workflowID);
  if (instance === undefined) return notFound(`no instance ${params.workflowID} in project ${params.projectID}`);
  const { graph } = await startedVersion(context, instance);
  const entries = await listHistory(context.store, params.workflowID, graph, query);
  return { status: 200, body: pageResponse(query, entries, toActivityState) };
});

function toActivityState(entry: ActivityEntry): z.output<typeof activityState> {
  const {
    element,
    nodeID,
    nodeType,
    scope,
    status,
    startedAt,
    endedAt,
    inputs,
    outputs,
    variablesOmitted,
    executionKey,
    actor,
    clientID,
    workStartedAt,
    execution,
    childWorkflowID,
    loopCounter,
  } = entry;
  return {
    elementInstanceID: scopeID(element),
    nodeID,
    nodeType,
    scopeID: scopeID(scope),
    status,
    startTime: new Date(startedAt).toISOString(),
    endTime: endedAt === undefined ? undefined : new Date(endedAt).toISOString(),
    durationMs: endedAt === undefined ? undefined : endedAt - startedAt,
    inputs,
    outputs,
    variablesOmitted,
    executionKey,
    actor,
    clientID,
    workStartedAt: optionalTime(workStartedAt),
    execution,
    childWorkflowID,
    loopCounter,
  };
}
