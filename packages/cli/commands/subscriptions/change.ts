import { unwrap, type Schemas } from '@perdure/client';
import { printable } from '@perdure/lib/trust/printable.js';
import { exitCodes, type Command } from '../../command.js';
import { show } from '../../terminal.js';
import { parseObject } from '../../values.js';
import { WrongUse } from '../../wrong-use.js';
import { reasonOf, reasonOption } from '../instance/target.js';
import { describeSubscription, exampleSubscription } from './read.js';

type Subscription = Schemas['EventSubscription'];

const about = 'JSON is a subscription as REST takes it, or @FILE with one: name, url, secret, types, and others.';

export const createSubscription: Command = {
  name: 'subscriptions create',
  role: 'admin',
  operands: 'JSON',
  summary: 'Have events delivered to a URL',
  details: about,
  examples: ['perdure subscriptions create @warehouse.json'],
  minOperands: 1,
  maxOperands: 1,
  options: {},
  async run({ operands, terminal, host }) {
    const given = await parseObject(operands[0]!, 'JSON');
    const body = given as unknown as Schemas['CreateEventSubscriptionRequest'];
    const { client, projectID } = await host();
    const created = await unwrap<Subscription>(
      client.POST('/projects/{projectID}/events/subscriptions', { params: { path: { projectID } }, body }),
    );
    show(terminal, created, () => describeSubscription(created));
    return exitCodes.done;
  },
};

export const updateSubscription: Command = {
  name: 'subscriptions update',
  role: 'admin',
  operands: 'SUBSCRIPTION_ID JSON',
  summary: 'Change members of a subscription',
  details: `${about} Members that are left out stay as they are.`,
  examples: [`perdure subscriptions update ${exampleSubscription} '{"enabled": false}'`],
  minOperands: 2,
  maxOperands: 2,
  options: {},
  async run({ operands, terminal, host }) {
    const [subscriptionID, json] = operands as [string, string];
    const given = await parseObject(json, 'JSON');
    const body = given as unknown as Schemas['UpdateEventSubscriptionRequest'];
    const { client, projectID } = await host();
    const params = { path: { projectID, subscriptionID } };
    const updated = await unwrap<Subscription>(
      client.PATCH('/projects/{projectID}/events/subscriptions/{subscriptionID}', { params, body }),
    );
    show(terminal, updated, () => describeSubscription(updated));
    return exitCodes.done;
  },
};

export const deleteSubscription: Command = {
  name: 'subscriptions delete',
  role: 'admin',
  operands: 'SUBSCRIPTION_ID',
  summary: 'Delete a subscription with its dead letters',
  examples: [`perdure subscriptions delete ${exampleSubscription} --reason 'moved'`],
  minOperands: 1,
  maxOperands: 1,
  options: { ...reasonOption },
  async run(invocation) {
    const subscriptionID = invocation.operands[0]!;
    const { client, projectID } = await invocation.host();
    const params = { path: { projectID, subscriptionID }, query: reasonOf(invocation) };
    await unwrap<unknown>(client.DELETE('/projects/{projectID}/events/subscriptions/{subscriptionID}', { params }));
    show(invocation.terminal, { subscriptionID, deleted: true }, () => [
      printable(`Subscription ${subscriptionID} deleted`),
    ]);
    return exitCodes.done;
  },
};

export const redeliverDeadLetters: Command = {
  name: 'subscriptions redeliver',
  role: 'admin',
  operands: 'SUBSCRIPTION_ID [EVENT_ID...]',
  summary: 'Deliver dead letters again: the named ones, or the oldest 10,000',
  examples: [
    `perdure subscriptions redeliver ${exampleSubscription}`,
    `perdure subscriptions redeliver ${exampleSubscription} 4711 4712`,
  ],
  minOperands: 1,
  maxOperands: 1001,
  options: {},
  async run({ operands, terminal, host }) {
    const [subscriptionID, ...ids] = operands as [string, ...string[]];
    const wrong = ids.find((id) => !/^(?:0|[1-9]\d{0,17})$/.test(id));
    if (wrong !== undefined) throw new WrongUse(`The id of an event must be a number, but is ${JSON.stringify(wrong)}`);
    const { client, projectID } = await host();
    const params = { path: { projectID, subscriptionID } };
    await unwrap<unknown>(
      client.POST('/projects/{projectID}/events/subscriptions/{subscriptionID}/redeliver', {
        params,
        body: ids.length > 0 ? { ids } : {},
      }),
    );
    show(terminal, { subscriptionID, status: 'PENDING' }, () => ['Dead letters queued for delivery']);
    return exitCodes.done;
  },
};
