import { z } from 'zod';
import { findInstance } from '../../../store/instances/instances.js';
import { stateAt } from '../../../store/steps/replay.js';
import { defineOperation } from '../../commands/define-operation.js';
import { notFound, problem } from '../../contract/problem.js';
import { queryInteger } from '../../contract/schemas.js';
import { activeScopes } from './shared/active-scopes.js';
import { toFactView } from './shared/fact-view.js';
import { versionIn } from './shared/find-instance.js';
import { replayView } from './shared/schemas.js';
import { openIncidents, processVariables } from './shared/state-view.js';

export const replayBpmnInstance = defineOperation({
  operationID: 'ReplayBpmnInstance',
  method: 'GET',
  path: '/projects/{projectID}/bpmn/instances/{workflowID}/replay',
  role: 'viewer',
  summary: 'Get an instance as of a fact',
  description: 'Defaults to the last fact.',
  request: { query: z.strictObject({ at: queryInteger({ minimum: 0, maximum: 2_000_000_000 }).optional() }) },
  responses: { 200: { description: 'Instance after fact number `at`; 0 is before the first', schema: replayView } },
  problems: [],
}).handle(async ({ params, query, context }) => {
  const instance = await findInstance(context.store, params.projectID, params.workflowID);
  if (instance === undefined) return notFound(`no instance ${params.workflowID} in project ${params.projectID}`);
  const { state, at, last, fact } = await stateAt(context.store, params.workflowID, query.at);
  if (query.at !== undefined && query.at > last) {
    return problem('BAD_REQUEST', `at: must be from 0 to ${last}, the number of facts of the instance`);
  }
  const { graph, version } = await versionIn(context, instance, state);
  const body = {
    at,
    last,
    status: state.status,
    activeScopes: activeScopes(state, graph, version),
    variables: processVariables(state),
    incidents: openIncidents(state),
    ...(fact && { fact: toFactView(fact.fact, fact.now, state) }),
  };
  return { status: 200, body };
});
