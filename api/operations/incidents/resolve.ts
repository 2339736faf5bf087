import { parseExecutionKey } from '../../../store/sql/ids.js';
import { resolveIncident } from '../../../store/work/incidents.js';
import { defineCommand } from '../../commands/define-command.js';
import { variableNames } from '../../contract/audit/recording.js';
import { notFound } from '../../contract/problem.js';
import { resolveIncidentRequest } from './shared/schemas.js';

export const resolveBpmnIncident = defineCommand({
  operationID: 'ResolveBpmnIncident',
  method: 'POST',
  path: '/projects/{projectID}/bpmn/instances/{workflowID}/incidents/{incidentID}/resolve',
  role: 'editor',
  summary: 'Resolve an incident and retry its activity',
  description: 'Can set variables before the retry.',
  request: { body: resolveIncidentRequest.default({}) },
  says: variableNames,
  applied: 'Retry started',
}).submit(async ({ params, body, context }, request) => {
  const incident = parseExecutionKey(params.incidentID);
  if (incident?.workflowID !== params.workflowID) return notFound('the incident id names no incident of the instance');
  return resolveIncident(context.store, {
    ...request,
    workflowID: params.workflowID,
    number: incident.number,
    variables: body.variables,
    reason: body.reason,
  });
});
