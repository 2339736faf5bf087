import { answerOf, type Schemas } from '../../client/index.js';
import { exitCodes, wholeNumber, type Command, type Invocation } from '../command.js';
import type { Host } from '../host.js';
import { printable, show } from '../terminal.js';

type Moment = Schemas['BpmnInstanceReplay'];

export const replay: Command = {
  name: 'replay',
  operands: 'WORKFLOW',
  summary: 'Lists what has happened in an instance, fact by fact; with --at, shows it as it was then.',
  least: 1,
  most: 1,
  options: { at: { type: 'string', value: 'NUMBER', help: 'after so many facts' } },
  async run(invocation) {
    const at = wholeNumber(invocation, 'at', 0, 999_999_999);
    const host = invocation.host();
    if (at === undefined) await listFacts(host, invocation);
    else {
      const moment = await momentAt(host, invocation, at);
      show(invocation.terminal, moment, () => describeMoment(moment));
    }
    return exitCodes.done;
  },
};

async function listFacts(host: Host, invocation: Invocation): Promise<void> {
  const { last } = await momentAt(host, invocation);
  for (let at = 1; at <= last && !invocation.signal.aborted; at += 1) {
    const { fact, status } = await momentAt(host, invocation, at);
    show(invocation.terminal, { at, status, ...fact }, () => [printable([String(at).padStart(String(last).length), fact?.time, fact?.kind, fact?.nodeID].filter(Boolean).join('  '))]);
  }
}

async function momentAt({ client, projectID }: Host, { operands, signal }: Invocation, at?: number): Promise<Moment> {
  const params = { path: { projectID, workflowID: operands[0]! }, query: { ...(at !== undefined && { at }) } };
  return answerOf<Moment>(client.GET('/projects/{projectID}/bpmn/instances/{workflowID}/replay', { params, signal }));
}

function describeMoment({ at, last, status, fact, activeScopes = [], variables = {}, incidents = [] }: Moment): string[] {
  const active = activeScopes.flatMap(({ activeNodes = {} }) => Object.entries(activeNodes).map(([node, tokens]) => `  ${node}${tokens > 1 ? ` (${tokens})` : ''}`));
  return [
    `After fact ${at} of ${last}: ${status}${fact ? `, ${fact.kind}${fact.nodeID === undefined ? '' : ` at ${fact.nodeID}`}, ${fact.time}` : ''}`,
    ...(active.length > 0 ? ['Active:', ...active] : []),
    ...incidents.map(({ nodeID, errorType, errorMessage }) => `Incident at ${nodeID}: ${errorType}: ${errorMessage}`),
    `Variables: ${JSON.stringify(variables)}`,
  ].map(printable);
}
