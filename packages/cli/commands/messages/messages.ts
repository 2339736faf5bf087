import { printable } from '@perdure/lib/trust/printable.js';
import { lists, unwrap, type Schemas } from '@perdure/client';
import { exitCodes, type Command, type Invocation } from '../../command.js';
import { filterOptions, filterQuery } from '../../lists/filters.js';
import { pageOptions, pageQuery, showPage } from '../../lists/paging.js';
import { WrongUse } from '../../wrong-use.js';
import { counted, show } from '../../terminal.js';

type Publication = Schemas['BpmnPublication'];
type Difference = Schemas['BpmnCorrelationDifference'];

const publications = lists.ListBpmnPublications;

export const messages: Command = {
  name: 'messages',
  role: 'viewer',
  operands: '[show|delete PUBLICATION_ID]',
  summary: 'List, show, or delete messages and signals',
  details:
    'Newest first; ended ones for 24 hours. For a kept message, show lists the subscriptions that it ' +
    'does not match, and why.',
  examples: [
    'perdure messages --state kept --name payment-received',
    'perdure messages show 3f0c9a52-7d1e-4a55-9c39-6f2b8f1f0f11',
    'perdure messages delete 3f0c9a52-7d1e-4a55-9c39-6f2b8f1f0f11 --reason "sent twice"',
  ],
  minOperands: 0,
  maxOperands: 2,
  options: {
    ...filterOptions(publications),
    reason: { type: 'string', value: 'TEXT', help: 'why a message is deleted' },
    ...pageOptions,
  },
  async run(invocation) {
    const [action, publicationID] = invocation.operands;
    if (action === undefined) return list(invocation);
    if (publicationID === undefined || (action !== 'show' && action !== 'delete'))
      throw new WrongUse(`Expected show or delete and a publication id, but got ${JSON.stringify(action)}`);
    return action === 'show' ? showOne(invocation, publicationID) : remove(invocation, publicationID);
  },
};

async function list(invocation: Invocation): Promise<number> {
  const query = { ...filterQuery(publications, invocation), ...pageQuery(invocation) };
  const { client, projectID } = await invocation.host();
  const answer = await unwrap<Schemas['BpmnPublicationPaginatedResponse']>(
    client.GET('/projects/{projectID}/bpmn/publications', { params: { path: { projectID }, query } }),
  );
  showPage<Publication>(invocation.terminal, answer, 'publication', {
    'PUBLICATION ID': (one) => one.publicationID,
    TYPE: (one) => one.type,
    NAME: (one) => one.name,
    KEY: ({ correlationKeys }) => (correlationKeys === undefined ? undefined : JSON.stringify(correlationKeys)),
    STATE: (one) => one.state,
    PUBLISHED: (one) => one.publishedAt,
    'TAKEN BY': (one) => one.takenBy?.workflowID,
  });
  return exitCodes.done;
}

async function showOne(invocation: Invocation, publicationID: string): Promise<number> {
  const { client, projectID } = await invocation.host();
  const found = await unwrap<Publication>(
    client.GET('/projects/{projectID}/bpmn/publications/{publicationID}', {
      params: { path: { projectID, publicationID } },
    }),
  );
  show(invocation.terminal, found, () => linesOf(found).map(printable));
  return exitCodes.done;
}

function linesOf(found: Publication): string[] {
  const { correlationKeys, takenBy, endedAt, variables, nearMisses = [] } = found;
  return [
    `${found.type} ${JSON.stringify(found.name)}: ${found.state}`,
    `published ${found.publishedAt} by ${found.publishedBy ?? 'an instance'}, expires ${found.expiresAt}`,
    ...(correlationKeys === undefined ? [] : [`key ${JSON.stringify(correlationKeys)}`]),
    ...(endedAt === undefined ? [] : [`ended ${endedAt}`]),
    ...(takenBy === undefined ? [] : [`given to ${takenBy.nodeID} of instance ${takenBy.workflowID}`]),
    ...(found.started ?? []).map(({ workflowID }) => `started instance ${workflowID}`),
    ...(found.reached === undefined ? [] : [`reached ${counted(found.reached, 'instance')}`]),
    ...(variables === undefined ? [] : [`variables ${JSON.stringify(variables)}`]),
    ...nearMisses.flatMap(({ workflowID, nodeID, differences }) => [
      `does not match ${nodeID} of instance ${workflowID}:`,
      ...differences.map((difference) => `  ${explain(difference)}`),
    ]),
  ];
}

function explain({ path, reason, expected, found }: Difference): string {
  const key = path === '' ? 'the key' : `the key ${path}`;
  if (reason === 'MISSING') return `${key} is missing; the subscription has ${inWords(expected)}`;
  return `${key} is ${inWords(found)}; the subscription has ${inWords(expected)}`;
}

/** With its type, because 5 and "5" differ. */
function inWords(value: unknown): string {
  if (value === undefined) return 'none, or one that is too large to show';
  const kind = typeof value === 'string' ? 'text ' : typeof value === 'number' ? 'number ' : '';
  return `${kind === '' ? '' : `the ${kind}`}${JSON.stringify(value)}`;
}

async function remove(invocation: Invocation, publicationID: string): Promise<number> {
  const { client, projectID } = await invocation.host();
  await unwrap(
    client.DELETE('/projects/{projectID}/bpmn/publications/{publicationID}', {
      params: { path: { projectID, publicationID }, query: { reason: invocation.option('reason') } },
    }),
  );
  show(invocation.terminal, { publicationID, state: 'DELETED' }, () => [`Deleted publication ${publicationID}`]);
  return exitCodes.done;
}
