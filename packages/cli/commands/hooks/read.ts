import { unwrap, type Schemas } from '@perdure/client';
import { exitCodes, type Command } from '../../command.js';
import { fieldLines } from '../../lists/fields.js';
import { pageOptions, pageQuery, showPage } from '../../lists/paging.js';
import { show } from '../../terminal.js';

type Hook = Schemas['Hook'];
type Delivery = Schemas['HookDelivery'];

export const exampleHook = '3f0c9a52-7d1e-4a55-9c39-6f2b8f1f0f11';

export const listHooks: Command = {
  name: 'hooks list',
  role: 'viewer',
  operands: '',
  summary: 'List hooks',
  examples: ['perdure hooks list'],
  minOperands: 0,
  maxOperands: 0,
  options: { ...pageOptions },
  async run(invocation) {
    const query = pageQuery(invocation);
    const { client, projectID } = await invocation.host();
    const answer = await unwrap<Schemas['HooksPaginatedResponse']>(
      client.GET('/projects/{projectID}/hooks', { params: { path: { projectID }, query } }),
    );
    showPage<Hook>(invocation.terminal, answer, 'hook', {
      'HOOK ID': (one) => one.hookID,
      NAME: (one) => one.name,
      SIGNATURE: ({ auth }) => auth.type,
      SECRET: ({ auth }) => auth.secret,
      STATE: stateOf,
    });
    return exitCodes.done;
  },
};

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

export const listDeliveries: Command = {
  name: 'hooks deliveries',
  role: 'editor',
  operands: 'HOOK_ID',
  summary: 'List the deliveries of the last 7 days, newest first',
  details: 'Bodies of failed deliveries are in the output of --json.',
  examples: [`perdure hooks deliveries ${exampleHook}`],
  minOperands: 1,
  maxOperands: 1,
  options: { ...pageOptions },
  async run(invocation) {
    const query = pageQuery(invocation);
    const { client, projectID } = await invocation.host();
    const params = { path: { projectID, hookID: invocation.operands[0]! }, query };
    const answer = await unwrap<Schemas['HookDeliveriesPaginatedResponse']>(
      client.GET('/projects/{projectID}/hooks/{hookID}/deliveries', { params }),
    );
    showPage<Delivery>(invocation.terminal, answer, 'delivery', {
      'DELIVERY ID': (one) => one.deliveryID,
      RECEIVED: (one) => one.receivedAt,
      OUTCOME: (one) => one.outcome,
      'PUBLICATION OR PROBLEM': (one) => one.publicationID ?? one.problem,
    });
    return exitCodes.done;
  },
};
