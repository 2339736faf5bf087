import { unwrap, type Schemas } from '@perdure/client';
import { exitCodes, type Command } from '../../command.js';
import { fieldLines } from '../../lists/fields.js';
import { pageCommand } from '../../lists/page-command.js';
import { show } from '../../terminal.js';

type Hook = Schemas['Hook'];
type Delivery = Schemas['HookDelivery'];

export const exampleHook = '3f0c9a52-7d1e-4a55-9c39-6f2b8f1f0f11';

export const listHooks = pageCommand<Hook>({
  name: 'hooks list',
  role: 'viewer',
  summary: 'List hooks',
  examples: ['perdure hooks list'],
  noun: 'hook',
  read: ({ client, projectID }, query) =>
    unwrap<Schemas['HooksPaginatedResponse']>(
      client.GET('/projects/{projectID}/hooks', { params: { path: { projectID }, query } }),
    ),
  columns: {
    'HOOK ID': (one) => one.hookID,
    NAME: (one) => one.name,
    SIGNATURE: ({ auth }) => auth.type,
    SECRET: ({ auth }) => auth.secret,
    STATE: stateOf,
  },
});

export const showHook: Command = {
  name: 'hooks show',
  role: 'viewer',
  operands: 'HOOK_ID',
  summary: 'Show a hook with its path and expressions',
  examples: [`perdure hooks show ${exampleHook}`],
  minOperands: 1,
  maxOperands: 1,
  options: {},
  async run({ operands, terminal, host }) {
    const { client, projectID } = await host();
    const params = { path: { projectID, hookID: operands[0]! } };
    const hook = await unwrap<Hook>(client.GET('/projects/{projectID}/hooks/{hookID}', { params }));
    show(terminal, hook, () => describeHook(hook));
    return exitCodes.done;
  },
};

export function describeHook(hook: Hook): string[] {
  const { hookID, name, path, auth, messageName, correlationKeys, variables, idempotencyKey, ttl } = hook;
  return fieldLines({
    Hook: `${hookID}, ${stateOf(hook)}`,
    Name: name,
    Path: path,
    Signature: auth.type,
    Secret: auth.secret,
    Header: 'header' in auth ? auth.header : undefined,
    Message: messageName,
    Keys: correlationKeys,
    Variables: variables,
    'Idempotency key': idempotencyKey,
    'Time to live': ttl,
    Created: `${hook.createdAt} by ${hook.createdBy}`,
    Updated: hook.updatedAt === undefined ? undefined : `${hook.updatedAt} by ${hook.updatedBy ?? ''}`,
  });
}

function stateOf({ enabled }: Hook): string {
  return enabled ? 'enabled' : 'disabled';
}

export const listDeliveries = pageCommand<Delivery>({
  name: 'hooks deliveries',
  role: 'editor',
  of: 'HOOK_ID',
  summary: 'List the deliveries of the last 7 days, newest first',
  details: 'Bodies of failed deliveries are in the output of --json.',
  examples: [`perdure hooks deliveries ${exampleHook}`],
  noun: 'delivery',
  read: ({ client, projectID }, query, owner) =>
    unwrap<Schemas['HookDeliveriesPaginatedResponse']>(
      client.GET('/projects/{projectID}/hooks/{hookID}/deliveries', {
        params: { path: { projectID, hookID: owner }, query },
      }),
    ),
  columns: {
    'DELIVERY ID': (one) => one.deliveryID,
    RECEIVED: (one) => one.receivedAt,
    OUTCOME: (one) => one.outcome,
    'PUBLICATION OR PROBLEM': (one) => one.publicationID ?? one.problem,
  },
});
