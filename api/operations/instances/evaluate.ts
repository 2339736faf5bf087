import { visibleNames, variableScope } from '@perdure/engine/state/scopes.js';
import { setMember, type Variables } from '@perdure/engine/contract/json.js';
import { ROOT, type ElementInstance, type State } from '@perdure/engine/state/state.js';
import { findInstance, readVariables } from '../../../store/instances/instances.js';
import { stateAt } from '../../../store/steps/replay.js';
import { defineOperation } from '../../commands/define-operation.js';
import { notFound, problem } from '../../contract/problem.js';
import { isEmptyExpression } from '../../contract/schemas.js';
import { evaluateInThread } from '../../evaluation/threads.js';
import { evaluatedExpression, evaluateExpressionRequest } from './shared/schemas.js';

export const evaluateBpmnExpression = defineOperation({
  operationID: 'EvaluateBpmnExpression',
  method: 'POST',
  path: '/projects/{projectID}/bpmn/instances/{workflowID}/evaluate',
  role: 'viewer',
  summary: 'Evaluate an expression over the variables of an instance',
  description:
    'Strict and with the limits of a condition. Changes nothing. An expression that fails, or is not valid FEEL, has a `problem` with its place. ' +
    'Redacted variables are missing. At most four at once per caller, then 429.',
  request: { body: evaluateExpressionRequest },
  responses: { 200: { description: 'Value, or why there is none', schema: evaluatedExpression } },
  problems: ['BAD_REQUEST'],
  countsAs: 'expression',
}).handle(async ({ params, body, context, turns }) => {
  const { expression, scopeID = String(ROOT) } = body;
  if (isEmptyExpression(expression)) return problem('BAD_REQUEST', 'expression: is empty');
  const instance = await findInstance(context.store, params.projectID, params.workflowID);
  if (instance === undefined) return notFound(`no instance ${params.workflowID} in project ${params.projectID}`);
  const { state, last, fact } = await stateAt(context.store, params.workflowID, body.at);
  if (body.at !== undefined && body.at > last) {
    return problem('BAD_REQUEST', `at: must be from 0 to ${last}, the number of facts of the instance`);
  }
  const element = elementOf(state, scopeID);
  // A queued instance has no scopes yet, but the variables of its process.
  const isRootOfQueued = instance.queued && scopeID === String(ROOT);
  if (!isRootOfQueued && element === undefined && body.scopeID !== undefined)
    return notFound(`no element instance ${scopeID} in instance ${params.workflowID} at that moment`);
  const known = isRootOfQueued ? await readVariables(context.store, params.projectID, params.workflowID) : undefined;
  const variables = known ?? (element ? seenBy(state, element, new Set(instance.redactedVariables)) : {});
  const now = body.at === undefined || fact === undefined ? Date.now() : fact.now;
  return {
    status: 200,
    body: await evaluateInThread({ expression, variables: JSON.stringify(variables), now }, turns),
  };
});

function elementOf(state: State, scopeID: string): ElementInstance | undefined {
  return Object.hasOwn(state.elements, scopeID) ? state.elements[Number(scopeID)] : undefined;
}

function seenBy(state: State, element: ElementInstance, redacted: ReadonlySet<string>): Variables {
  const scope = variableScope(state, element);
  const variables: Variables = {};
  for (const name of visibleNames(state, element)) {
    if (!redacted.has(name)) setMember(variables, name, scope.get(name)!);
  }
  return variables;
}
