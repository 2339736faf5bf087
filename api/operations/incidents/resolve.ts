import { parseExecutionKey } from '../../../store/ids.js';
import { resolveIncident } from '../../../store/incidents.js';
import { acceptedResponse, submitAndAwait, commandDeadlineSeconds } from '../../commands.js';
import { defineOperation } from '../../operation.js';
import { notFound } from '../../problem.js';
import { asVariables, tooManyVariables } from '../../variables.js';
import { command } from '../commands/schemas.js';
import { resolveIncidentRequest } from './schemas.js';

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
