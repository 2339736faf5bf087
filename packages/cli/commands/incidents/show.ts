import { printable } from '@perdure/lib/trust/printable.js';
import { ApiError, unwrap, type Schemas } from '@perdure/client';
import { exitCodes, type Command } from '../../command.js';
import { workflowOf } from '../../execution-key.js';
import { findInPages } from '../../lists/paging.js';
import { show } from '../../terminal.js';

type Incident = Schemas['BpmnIncidentRecord'];

export const showIncident: Command = {
  name: 'incidents show',
  role: 'viewer',
  operands: 'INCIDENT_ID',
  summary: 'Show an incident with its whole message',
  examples: ['perdure incidents show 9b2f6c1e-4f0a-4a53-8c5e-0d5a3c2b7e11:4'],
  minOperands: 1,
  maxOperands: 1,
  options: {},
  async run({ operands, terminal, host: findHost }) {
    const incidentID = operands[0]!;
    const workflowID = workflowOf(incidentID, 'perdure incidents list');
    const { client, projectID } = await findHost();
    const incident = await findInPages(
      (query) =>
        unwrap<Schemas['BpmnIncidentRecordPaginatedResponse']>(
          client.GET('/projects/{projectID}/bpmn/instances/{workflowID}/incidents', {
            params: { path: { projectID, workflowID }, query },
          }),
        ),
      (one) => one.incidentID === incidentID,
    );
    if (incident === undefined)
      throw new ApiError(404, { code: 'NOT_FOUND', detail: `Instance ${workflowID} has no incident ${incidentID}` });
    show(terminal, incident, () => describeIncident(incident).map(printable));
    return exitCodes.done;
  },
};

function describeIncident(incident: Incident): string[] {
  const { incidentID, workflowID, processID, processVersion, nodeID, errorType, errorCode, errorMessage } = incident;
  const state =
    incident.resolvedAt === undefined
      ? 'open'
      : `resolved ${incident.resolvedAt}${incident.resolvedBy === undefined ? '' : ` by ${incident.resolvedBy}`}`;
  return [
    `Incident     ${incidentID}, ${state}`,
    `Instance     ${workflowID}`,
    `Process      ${processID}, version ${processVersion}`,
    `Node         ${nodeID}`,
    `Raised       ${incident.raisedAt}`,
    `Type         ${errorType}${errorCode === undefined ? '' : `, code ${errorCode}`}`,
    `Message      ${errorMessage}`,
    ...(incident.previousIncidentID === undefined ? [] : [`Repeats      ${incident.previousIncidentID}`]),
    ...(incident.resolvedAt === undefined
      ? ['', 'After correcting the cause:', `  perdure incidents resolve ${incidentID}`]
      : []),
  ];
}
