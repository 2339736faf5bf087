import { z } from 'zod';
import { withoutVariables } from '@perdure/engine/redaction/state.js';
import { findInstance } from '../../../store/instances/instances.js';
import { stateAfterStep } from '../../../store/steps/replay.js';
import { defineOperation } from '../../commands/define-operation.js';
import { notFound, problem } from '../../contract/problem.js';
import { queryInteger } from '../../contract/schemas.js';
import { versionIn } from './shared/find-instance.js';

const stored = z.looseObject({ format: z.int() });

const engineState = z
  .strictObject({
    at: z.int().describe('Number of facts of the instance that the state includes'),
    last: z.int().describe('Number of all facts of the instance'),
    now: z.number().describe('Moment of the state in epoch milliseconds'),
    state: stored.describe('State of the interpreter, in its `format`'),
    graph: stored.describe('Compiled process that it runs, in its `format`'),
  })
  .meta({ id: 'BpmnInstanceEngineState' });

export const getBpmnInstanceEngineState = defineOperation({
  operationID: 'GetBpmnInstanceEngineState',
  method: 'GET',
  path: '/projects/{projectID}/bpmn/instances/{workflowID}/state',
  role: 'editor',
  summary: 'Get the state of an instance for the interpreter',
  description:
    'For programs that continue the instance in memory, such as the testkit. `at` is a position of the replay (default: the last fact). The state is the one after the step that has this fact, because an instance cannot continue from the middle of a step. Redacted variables are missing. CONFLICT: the instance has not begun.',
  request: { query: z.strictObject({ at: queryInteger({ minimum: 1, maximum: 2_000_000_000 }).optional() }) },
  responses: { 200: { description: 'State and graph', schema: engineState } },
  problems: ['CONFLICT'],
}).handle(async ({ params, query, context }) => {
  const instance = await findInstance(context.store, params.projectID, params.workflowID);
  if (instance === undefined) return notFound(`no instance ${params.workflowID} in project ${params.projectID}`);
  const { state, at, last, fact } = await stateAfterStep(context.store, params.workflowID, query.at);
  if (fact === undefined) return problem('CONFLICT', `Instance ${params.workflowID} has not begun`);
  if (query.at !== undefined && query.at > last)
    return problem('BAD_REQUEST', `at: must be from 1 to ${last}, the number of facts of the instance`);
  const { graph } = await versionIn(context, instance, state);
  const shown = withoutVariables(state, new Set(instance.redactedVariables));
  return { status: 200, body: { at, last, now: fact.now, state: { ...shown }, graph: { ...graph } } };
});
