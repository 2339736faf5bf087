import type { Variables } from '@perdure/engine/contract/json.js';
import { findDefinition } from '../../../store/definitions/definitions.js';
import { readInitialVariables } from '../../../store/steps/initial-variables.js';
import { findInstance, readVariables, type Instance } from '../../../store/instances/instances.js';
import type { ApiContext } from '../../context.js';
import { commandDeadlineSeconds } from '../../commands/commands.js';
import { defineOperation } from '../../commands/define-operation.js';
import { variableNames } from '../../contract/audit/recording.js';
import { notFound, problem, type Problem } from '../../contract/problem.js';
import { excessOf } from '../../contract/variables.js';
import { refusalToStartAt } from './shared/rights.js';
import { restartInstanceRequest, startedInstance } from './shared/schemas.js';
import { placesOf } from './shared/places-of.js';
import { askedResult, startedBefore, startOnce } from './shared/start-instance.js';

export const restartBpmnInstance = defineOperation({
  operationID: 'RestartBpmnInstance',
  method: 'POST',
  path: '/projects/{projectID}/bpmn/instances/{workflowID}/restart',
  role: 'executor',
  records: {
    entry: 'within',
    says: ({ params, body }) => ({
      ...variableNames({ body }),
      details: { restartedFrom: params.workflowID, variablesFrom: body.variablesFrom, ...placesOf(body) },
    }),
  },
  summary: 'Restart an ended instance',
  description:
    'Starts a new instance with the variables that the ended one began or ended with, by default of the version that it ran last and with its business id. ' +
    'The ended instance stays as it is, and `restartedFrom` of the new one names it. ' +
    'A called instance cannot be restarted; restart the one that called it. `startAt` needs the role admin.',
  request: { body: restartInstanceRequest },
  responses: { 201: { description: 'New instance started', schema: startedInstance } },
  problems: ['CONFLICT', 'DEFINITION_SUSPENDED', 'BUSINESS_ID_TAKEN', 'LIMIT_REACHED', 'PAYLOAD_TOO_LARGE'],
  accepts: ['Idempotency-Key'],
  waits: 'news',
  deadlineSeconds: commandDeadlineSeconds,
}).handle(
  async (input) => {
    const { params, body, caller, headers, traceContext, audit, context } = input;
    const { projectID, workflowID } = params;
    const { variablesFrom, processDefinitionID, businessId, startAt } = body;
    const refused = refusalToStartAt(caller, projectID, startAt);
    if (refused !== undefined) return refused;
    const ended = await findInstance(context.store, projectID, workflowID);
    if (ended === undefined) return notFound(`no instance ${workflowID} in project ${projectID}`);
    const conflict = whyNotRestartable(ended) ?? (await otherProcess(context, ended, processDefinitionID));
    if (conflict !== undefined) return conflict;
    const former = await variablesOf(context, ended, variablesFrom);
    // The instance was erased in the meantime.
    if (former === undefined) return notFound(`no instance ${workflowID} in project ${projectID}`);
    const variables = { ...former, ...body.variables };
    const excess = excessOf(variables);
    if (excess !== undefined) return problem('PAYLOAD_TOO_LARGE', excess);
    const request = {
      definitionID: processDefinitionID ?? ended.definitionID,
      projectID,
      variables,
      businessID: businessId ?? ended.businessID ?? undefined,
      startedBy: caller.subject,
      startAt,
      restartedFrom: workflowID,
      traceContext,
      audit,
    };
    return startOnce(context, request, { idempotency: headers.idempotency, result: askedResult(input) });
  },
  { answerAgain: startedBefore },
);

function whyNotRestartable({ workflowID, status, parentWorkflowID }: Instance): Problem<'CONFLICT'> | undefined {
  if (parentWorkflowID !== null)
    return problem('CONFLICT', `Instance ${workflowID} was called by ${parentWorkflowID}. Restart the topmost caller.`);
  if (status !== 'RUNNING') return undefined;
  return problem('CONFLICT', `Instance ${workflowID} is running. Wait for its end, or cancel it first.`);
}

async function otherProcess(
  { store }: ApiContext,
  { projectID, processID, workflowID }: Instance,
  definitionID: string | undefined,
): Promise<Problem<'BAD_REQUEST'> | undefined> {
  if (definitionID === undefined) return undefined;
  const definition = await findDefinition(store, projectID, definitionID);
  if (definition?.processID === processID) return undefined;
  return problem(
    'BAD_REQUEST',
    `Definition ${definitionID} is not a version of process ${processID}, which instance ${workflowID} ran`,
  );
}

/** Undefined if the instance does not exist anymore. */
async function variablesOf(
  { store }: ApiContext,
  { projectID, workflowID }: Instance,
  from: 'INITIAL' | 'LAST',
): Promise<Variables | undefined> {
  const initial = from === 'INITIAL' ? await readInitialVariables(store, workflowID) : undefined;
  // Read last, because steps are deleted after their instance.
  const last = await readVariables(store, projectID, workflowID);
  // Without a step, the row has what the instance was to start with.
  return last && (initial ?? last);
}
