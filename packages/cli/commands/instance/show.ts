import { printable } from '@perdure/lib/trust/printable.js';
import { unwrap, type Schemas } from '@perdure/client';
import { exitCodes, type Command } from '../../command.js';
import { show } from '../../terminal.js';
import { exampleInstance, instanceOf } from './target.js';

type Instance = Schemas['BpmnInstanceState'];

export const showInstance: Command = {
  name: 'show',
  role: 'viewer',
  operands: 'WORKFLOW_ID',
  summary: 'Show an instance: active nodes, incidents, suspensions',
  details: 'perdure variables get prints the variables.',
  examples: [`perdure show ${exampleInstance}`],
  minOperands: 1,
  maxOperands: 1,
  options: {},
  async run(invocation) {
    const host = await invocation.host();
    const instance = await unwrap<Instance>(
      host.client.GET('/projects/{projectID}/bpmn/instances/{workflowID}', {
        params: { path: instanceOf(host, invocation) },
      }),
    );
    show(invocation.terminal, instance, () => describeInstance(instance).map(printable));
    return exitCodes.done;
  },
};

function describeInstance(instance: Instance): string[] {
  const { workflowID, processId, processVersion, status, businessId, createdAt, completedAt, failureReason } = instance;
  return [
    `Instance     ${workflowID}`,
    `Process      ${processId}, version ${processVersion}`,
    `Status       ${failureReason === undefined ? status : `${status}: ${failureReason}`}${instance.queued ? ' (queued)' : ''}`,
    ...(businessId === undefined ? [] : [`Business id  ${businessId}`]),
    `Created      ${createdAt}`,
    ...(completedAt === undefined ? [] : [`Ended        ${completedAt}`]),
    ...(instance.redactedVariables === undefined ? [] : [`Redacted     ${instance.redactedVariables.join(', ')}`]),
    ...suspensionsOf(instance),
    ...activeNodesOf(instance),
    ...instance.incidents.flatMap(({ incidentID, nodeID, errorType, errorMessage }) => [
      `Incident     ${incidentID} at ${nodeID}: ${errorType}: ${errorMessage}`,
      `             perdure incidents resolve ${incidentID}`,
    ]),
  ];
}

function suspensionsOf({ instanceSuspension, definitionSuspension, parentSuspension }: Instance): string[] {
  const entries = {
    itself: instanceSuspension,
    'its definition': definitionSuspension,
    'an ancestor': parentSuspension,
  };
  return Object.entries(entries).flatMap(([what, entry]) =>
    entry === undefined
      ? []
      : [
          `Suspended    ${what}, by ${entry.suspendedBy ?? 'an unknown account'}` +
            (entry.reason === undefined ? '' : `: ${entry.reason}`),
        ],
  );
}

function activeNodesOf({ activeScopes }: Instance): string[] {
  return activeScopes.flatMap(({ activeNodes }) =>
    Object.entries(activeNodes).map(([node, tokens]) => `Active       ${node}${tokens > 1 ? ` (${tokens})` : ''}`),
  );
}
