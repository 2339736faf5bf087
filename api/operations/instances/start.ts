import type { VersionToStart } from '../../../store/instances/start.js';
import { commandDeadlineSeconds } from '../../commands/commands.js';
import { defineOperation } from '../../commands/define-operation.js';
import { variableNames } from '../../contract/audit/recording.js';
import { checkStartForm } from '../forms/shared/check-submission.js';
import { startedInstance, startInstanceRequest } from './shared/schemas.js';
import { refusalToStartAt } from './shared/rights.js';
import { placesOf } from './shared/places-of.js';
import { askedResult, startedBefore, startOnce } from './shared/start-instance.js';

export const startBpmnInstance = defineOperation({
  operationID: 'StartBpmnInstance',
  method: 'POST',
  path: '/projects/{projectID}/bpmn/instances',
  role: 'executor',
  records: { entry: 'within', says: ({ body }) => ({ ...variableNames({ body }), details: placesOf(body) }) },
  summary: 'Start an instance of a process',
  description:
    'Starts the version `processDefinitionID`, or the newest version of `processId`: of all versions, or of those with `versionTag`. ' +
    'A suspended version is refused (409), never passed over for an older one. ' +
    'With `Prefer: wait=N`, the response has `result`: the wait ends when the instance has ended or has an open incident, otherwise after N seconds with the status RUNNING. ' +
    '`startAt` puts a token before each of its nodes instead of at a start event, all or none, by the rules of a modification; it needs the role admin. ' +
    'The settings of the process may refuse the business id (409, `details.workflowID` has it) or a start above the limit (409), or let the instance wait for a place before it begins (201). ' +
    'The instance is stored before the wait begins. A repeat with the same `Idempotency-Key` names the same instance and has its present result.',
  request: { body: startInstanceRequest },
  responses: { 201: { description: 'Instance started', schema: startedInstance } },
  problems: ['CONFLICT', 'DEFINITION_SUSPENDED', 'BUSINESS_ID_TAKEN', 'LIMIT_REACHED'],
  accepts: ['Idempotency-Key'],
  waits: 'news',
  deadlineSeconds: commandDeadlineSeconds,
}).handle(
  async (input) => {
    const { params, body, caller, headers, traceContext, audit, context } = input;
    const { processDefinitionID, processId, version, versionTag, variables, startAt } = body;
    const { projectID } = params;
    const refused = refusalToStartAt(caller, projectID, startAt);
    if (refused !== undefined) return refused;
    const asked: VersionToStart =
      processDefinitionID === undefined
        ? { processID: processId!, version, versionTag }
        : { definitionID: processDefinitionID };
    const request = {
      ...asked,
      projectID,
      variables: variables ?? {},
      startAt,
      businessID: body.businessId,
      startedBy: caller.subject,
      traceContext,
      audit,
    };
    return startOnce(context, request, {
      idempotency: headers.idempotency,
      // A start form belongs to the start event, which is skipped.
      checkForm: startAt
        ? undefined
        : (database, definitionID) => checkStartForm(database, { projectID, definitionID }, variables),
      result: askedResult(input),
    });
  },
  { answerAgain: startedBefore },
);
