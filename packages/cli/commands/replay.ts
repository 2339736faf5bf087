import { unwrap, type Schemas } from '../../client/index.js';
import { exitCodes, wholeNumber, type Command, type Invocation } from '../command.js';
import type { Host } from '../host.js';
import { printable, show } from '../terminal.js';

type Moment = Schemas['BpmnInstanceReplay'];
type Facts = Schemas['BpmnFactPaginatedResponse'];

export const replay: Command = {
  name: 'replay',
  operands: 'WORKFLOW',
  summary: 'List the facts of an instance in order; with --at, show the instance as of a fact.',
  least: 1,
  most: 1,
  options: { at: { type: 'string', value: 'NUMBER', help: 'the number of the fact' } },
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
    `After fact ${at} of ${last}: ${status}${fact ? `, ${fact.kind}${fact.nodeID === undefined ? '' : ` at ${fact.nodeID}`}, ${fact.time}` : ''}`,
    ...(active.length > 0 ? ['Active:', ...active] : []),
    ...incidents.map(({ nodeID, errorType, errorMessage }) => `Incident at ${nodeID}: ${errorType}: ${errorMessage}`),
    `Variables: ${JSON.stringify(variables)}`,
  ].map(printable);
}
