import { printable } from '@perdure/lib/trust/printable.js';
import { unwrap, type Schemas } from '@perdure/client';
import { exitCodes, type Command, type Invocation } from '../command.js';
import { wholeNumber } from '../values.js';
import type { Host } from '../host.js';
import { show } from '../terminal.js';

type Moment = Schemas['BpmnInstanceReplay'];
type Facts = Schemas['BpmnFactPaginatedResponse'];

export const replay: Command = {
  name: 'replay',
  role: 'viewer',
  operands: 'WORKFLOW_ID',
  summary: 'List the facts of an instance, or show it as of one of them',
  examples: [
    'perdure replay 9b2f6c1e-4f0a-4a53-8c5e-0d5a3c2b7e11',
    'perdure replay 9b2f6c1e-4f0a-4a53-8c5e-0d5a3c2b7e11 --at 7',
  ],
  minOperands: 1,
  maxOperands: 1,
  options: { at: { type: 'string', value: 'NUMBER', help: 'show the instance as of the fact with this number' } },
  async run(invocation) {
    const at = wholeNumber(invocation, 'at', 0, 999_999_999);
    const host = await invocation.host();
    if (at === undefined) await listFacts(host, invocation);
    else {
      const moment = await momentAt(host, invocation, at);
      show(invocation.terminal, moment, () => describeMoment(moment));
    }
    return exitCodes.done;
  },
};

/** The most facts that one page can contain. */
const FACTS_PER_PAGE = 100;

async function listFacts({ client, projectID }: Host, { operands, signal, terminal }: Invocation): Promise<void> {
  for (let page = 1, pages = 1; page <= pages; page += 1) {
    const params = { path: { projectID, workflowID: operands[0]! }, query: { page, pageSize: FACTS_PER_PAGE } };
    const { data, pagination } = await unwrap<Facts>(
      client.GET('/projects/{projectID}/bpmn/instances/{workflowID}/replay/facts', { params, signal }),
    );
    pages = pagination.totalPages;
    const width = String(pagination.total).length;
    for (const fact of data)
      show(terminal, fact, () => [
        printable([String(fact.at).padStart(width), fact.time, fact.kind, fact.nodeID].filter(Boolean).join('  ')),
      ]);
  }
}

async function momentAt({ client, projectID }: Host, { operands, signal }: Invocation, at: number): Promise<Moment> {
  const params = { path: { projectID, workflowID: operands[0]! }, query: { at } };
  return unwrap<Moment>(client.GET('/projects/{projectID}/bpmn/instances/{workflowID}/replay', { params, signal }));
}

function describeMoment({
  at,
  last,
  status,
  fact,
  activeScopes = [],
  variables = {},
  incidents = [],
}: Moment): string[] {
  const active = activeScopes.flatMap(({ activeNodes = {} }) =>
    Object.entries(activeNodes).map(([node, tokens]) => `  ${node}${tokens > 1 ? ` (${tokens})` : ''}`),
  );
  return [
    `After fact ${at} of ${last}: ${status}` +
      (fact ? `, ${fact.kind}${fact.nodeID === undefined ? '' : ` at ${fact.nodeID}`}, ${fact.time}` : ''),
    ...(active.length > 0 ? ['Active:', ...active] : []),
    ...incidents.map(({ nodeID, errorType, errorMessage }) => `Incident at ${nodeID}: ${errorType}: ${errorMessage}`),
    `Variables: ${JSON.stringify(variables)}`,
  ].map(printable);
}
