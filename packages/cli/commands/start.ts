import { printable } from '@perdure/lib/trust/printable.js';
import { randomUUID } from 'node:crypto';
import { awaitResult, unwrap, type Schemas } from '@perdure/client';
import { exitCodes, type Command } from '../command.js';
import { readObject, wholeNumber } from '../values.js';
import { UUID, type Host } from '../host.js';
import { show, type Terminal } from '../terminal.js';

export const start: Command = {
  name: 'start',
  role: 'executor',
  operands: 'PROCESS',
  summary: 'Start an instance and print its workflow id',
  details:
    'PROCESS is the id of a process, or a definitionID. With --wait, also prints how the instance ends ' +
    'and its variables; it stops waiting at an incident.',
  examples: [
    `perdure start order --variables '{"total": 120}' --business-id order-17`,
    'perdure start order --variables @order.json --version 3',
    'perdure start order --wait',
  ],
  minOperands: 1,
  maxOperands: 1,
  options: {
    variables: { type: 'string', value: 'JSON', help: 'JSON object, or @FILE that contains one' },
    'business-id': { type: 'string', value: 'ID', help: 'your own id for the instance' },
    version: { type: 'string', value: 'NUMBER', help: 'version of the process (default: the newest)' },
    wait: { type: 'boolean', help: 'wait for the result' },
    'idempotency-key': {
      type: 'string',
      value: 'KEY',
      help: 'a repeated start with the same key returns the first instance',
    },
  },
  async run(invocation) {
    const { terminal, operands, option, signal } = invocation;
    const variables = await readObject(invocation, 'variables');
    const version = wholeNumber(invocation, 'version', 1, 999_999_999);
    const host = await invocation.host();
    const isWaiting = invocation.flag('wait');
    const businessId = option('business-id');
    const params = {
      path: { projectID: host.projectID },
      header: {
        'Idempotency-Key': option('idempotency-key') ?? randomUUID(),
        ...(isWaiting && { Prefer: 'wait=60' }),
      },
    };
    const body = {
      ...versionToStart(operands[0]!, version),
      ...(variables && { variables }),
      ...(businessId !== undefined && { businessId }),
    };
    const started = await unwrap<Schemas['StartedBpmnInstance']>(
      host.client.POST('/projects/{projectID}/bpmn/instances', { params, body, signal }),
    );
    if (!isWaiting) {
      show(terminal, started, () => [started.workflowID]);
      return exitCodes.done;
    }
    return showResult(terminal, await resultOf(host, started, signal));
  },
};

function versionToStart(named: string, version: number | undefined) {
  return UUID.test(named)
    ? { processDefinitionID: named }
    : { processId: named, ...(version !== undefined && { version }) };
}

/** The result in the response, or the one that comes later. */
async function resultOf(
  { client, projectID }: Host,
  { workflowID, result }: Schemas['StartedBpmnInstance'],
  signal: AbortSignal,
): Promise<Schemas['InstanceResult']> {
  const isThere = result && (result.status !== 'RUNNING' || result.incidents);
  return isThere ? result : awaitResult(client, { projectID, workflowID, signal });
}

function showResult(terminal: Terminal, result: Schemas['InstanceResult']): number {
  const { workflowID, status, failureReason, variables, incidents = [] } = result;
  show(terminal, result, () => [
    workflowID,
    printable(failureReason === undefined ? status : `${status}: ${failureReason}`),
    ...incidents.map(({ nodeID, errorType, errorMessage }) =>
      printable(`incident at ${nodeID}: ${errorType}: ${errorMessage}`),
    ),
    ...(variables ? [printable(JSON.stringify(variables))] : []),
  ]);
  return status === 'COMPLETED' ? exitCodes.done : exitCodes.refused;
}
