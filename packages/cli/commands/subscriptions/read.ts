import { unwrap, type Schemas } from '@perdure/client';
import { exitCodes, type Command } from '../../command.js';
import { fieldLines } from '../../lists/fields.js';
import { pageCommand } from '../../lists/page-command.js';
import { show } from '../../terminal.js';

type Subscription = Schemas['EventSubscription'];
type DeadLetter = Schemas['DeadLetter'];

export const exampleSubscription = '3f0c9a52-7d1e-4a55-9c39-6f2b8f1f0f11';

export const listSubscriptions = pageCommand<Subscription>({
  name: 'subscriptions list',
  role: 'admin',
  summary: 'List the URLs that events are delivered to',
  examples: ['perdure subscriptions list'],
  noun: 'subscription',
  read: ({ client, projectID }, query) =>
    unwrap<Schemas['EventSubscriptionPaginatedResponse']>(
      client.GET('/projects/{projectID}/events/subscriptions', { params: { path: { projectID }, query } }),
    ),
  columns: {
    'SUBSCRIPTION ID': (one) => one.subscriptionID,
    NAME: (one) => one.name,
    URL: (one) => one.url,
    STATE: stateOf,
    PENDING: (one) => one.pending,
    'DEAD LETTERS': (one) => one.deadLetters,
  },
});

export const showSubscription: Command = {
  name: 'subscriptions show',
  role: 'admin',
  operands: 'SUBSCRIPTION_ID',
  summary: 'Show a subscription with the state of its deliveries',
  examples: [`perdure subscriptions show ${exampleSubscription}`],
  minOperands: 1,
  maxOperands: 1,
  options: {},
  async run({ operands, terminal, host }) {
    const { client, projectID } = await host();
    const params = { path: { projectID, subscriptionID: operands[0]! } };
    const found = await unwrap<Subscription>(
      client.GET('/projects/{projectID}/events/subscriptions/{subscriptionID}', { params }),
    );
    show(terminal, found, () => describeSubscription(found));
    return exitCodes.done;
  },
};

export function describeSubscription(found: Subscription): string[] {
  const { subscriptionID, name, url, secret, types, processIds, pending, deadLetters } = found;
  return fieldLines({
    Subscription: `${subscriptionID}, ${stateOf(found)}`,
    Name: name,
    URL: url,
    Secret: secret,
    Types: types.join(', '),
    Processes: processIds?.join(', '),
    Position: found.position,
    Pending: pending,
    'Failing since': found.failingSince,
    'Last error': found.lastError,
    'Dead letters': deadLetters,
    Created: `${found.createdAt} by ${found.createdBy}`,
  });
}

function stateOf({ enabled, failingSince }: Subscription): string {
  if (!enabled) return 'disabled';
  return failingSince === undefined ? 'enabled' : 'failing';
}

export const listDeadLetters = pageCommand<DeadLetter>({
  name: 'subscriptions dead-letters',
  role: 'admin',
  of: 'SUBSCRIPTION_ID',
  summary: 'List events that could not be delivered, newest first',
  examples: [`perdure subscriptions dead-letters ${exampleSubscription}`],
  noun: 'dead letter',
  read: ({ client, projectID }, query, owner) =>
    unwrap<Schemas['DeadLetterPaginatedResponse']>(
      client.GET('/projects/{projectID}/events/subscriptions/{subscriptionID}/dead-letters', {
        params: { path: { projectID, subscriptionID: owner }, query },
      }),
    ),
  columns: {
    EVENT: ({ event }) => event.id,
    TYPE: ({ event }) => event.type,
    SUBJECT: ({ event }) => event.subject,
    ATTEMPTS: (one) => one.attempts,
    DEAD: (one) => one.deadAt,
    'LAST ERROR': (one) => one.lastError,
  },
});
