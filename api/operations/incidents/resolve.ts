import { parseExecutionKey } from '../../../store/sql/ids.js';
import { resolveIncident } from '../../../store/work/incidents.js';
import { acceptedResponse, submitAndAwait, commandDeadlineSeconds } from '../../commands/commands.js';
import { defineOperation } from '../../contract/operation.js';
import { notFound } from '../../contract/problem.js';
import { asVariables, tooManyVariables } from '../../commands/variables.js';
import { command } from '../../contract/command.js';
import { resolveIncidentRequest } from './shared/schemas.js';

export const resolveBpmnIncident = defineOperation({
  operationID: 'ResolveBpmnIncident',
  method: 'POST',
  path: '/projects/{projectID}/bpmn/instances/{workflowID}/incidents/{incidentID}/resolve',
  role: 'editor',
  summary: 'Resolve an incident and retry its activity',
  description: 'Can set variables before the retry.',
  request: { body: resolveIncidentRequest.default({}) },
  responses: { 200: { description: 'Retry started', schema: command }, 202: acceptedResponse },
  problems: ['CONFLICT', 'INSTANCE_ENDED'],
  accepts: ['Prefer'],
  deadlineSeconds: commandDeadlineSeconds,
}).handle(async ({ params, body, caller, headers, traceContext, context }) => {
  const tooLarge = tooManyVariables(body.variables);
  if (tooLarge !== undefined) return tooLarge;
  const incident = parseExecutionKey(params.incidentID);
  if (incident?.workflowID !== params.workflowID) return notFound('the incident id names no incident of the instance');
  const submitted = await resolveIncident(context.store, {
    projectID: params.projectID,
    workflowID: params.workflowID,
    number: incident.number,
    variables: asVariables(body.variables),
    actor: caller.subject,
    awaited: headers.waitMilliseconds > 0,
    traceContext,
  });
  return submitAndAwait(context, params.workflowID, submitted, headers.waitMilliseconds);
});
