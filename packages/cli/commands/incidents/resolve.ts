import { unwrap } from '@perdure/client';
import type { Command } from '../../command.js';
import { workflowOf } from '../../execution-key.js';
import { showOutcome, untilApplied } from '../../outcome.js';
import { readObject } from '../../values.js';
import { reasonOf, reasonOption } from '../instance/target.js';

export const resolveIncident: Command = {
  name: 'incidents resolve',
  role: 'editor',
  operands: 'INCIDENT_ID',
  summary: 'Resolve an incident and retry its activity',
  examples: [
    'perdure incidents resolve 9b2f6c1e-4f0a-4a53-8c5e-0d5a3c2b7e11:4',
    `perdure incidents resolve 9b2f6c1e-4f0a-4a53-8c5e-0d5a3c2b7e11:4 --variables '{"rate": 0.2}'`,
  ],
  minOperands: 1,
  maxOperands: 1,
  options: {
    variables: { type: 'string', value: 'JSON', help: 'variables to set before the retry, or @FILE' },
    ...reasonOption,
  },
  async run(invocation) {
    const incidentID = invocation.operands[0]!;
    const workflowID = workflowOf(incidentID, 'perdure incidents list');
    const variables = await readObject(invocation, 'variables');
    const { client, projectID } = await invocation.host();
    const resolved = await unwrap(
      client.POST('/projects/{projectID}/bpmn/instances/{workflowID}/incidents/{incidentID}/resolve', {
        params: { path: { projectID, workflowID, incidentID }, header: untilApplied },
        body: { ...(variables && { variables }), ...reasonOf(invocation) },
      }),
    );
    return showOutcome(invocation.terminal, resolved, `Incident ${incidentID} resolved; its activity runs again`);
  },
};
