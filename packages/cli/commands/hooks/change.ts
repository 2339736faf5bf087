import { unwrap, type Schemas } from '@perdure/client';
import { printable } from '@perdure/lib/trust/printable.js';
import { exitCodes, type Command } from '../../command.js';
import { fieldLines } from '../../lists/fields.js';
import { show } from '../../terminal.js';
import { parseObject } from '../../values.js';
import { reasonOf, reasonOption } from '../instance/target.js';
import { describeHook, exampleHook } from './read.js';

type Hook = Schemas['Hook'];
/** The host checks it. */
type Request = Schemas['HookRequest'];

const about = 'JSON is a hook as REST takes it, or @FILE with one: name, auth, messageName, and the optional members.';

export const createHook: Command = {
  name: 'hooks create',
  role: 'editor',
  operands: 'JSON',
  summary: 'Create a hook',
  details: about,
  examples: ['perdure hooks create @payments-hook.json'],
  minOperands: 1,
  maxOperands: 1,
  options: {},
  async run({ operands, terminal, host }) {
    const body = (await parseObject(operands[0]!, 'JSON')) as unknown as Request;
    const { client, projectID } = await host();
    const hook = await unwrap<Hook>(
      client.POST('/projects/{projectID}/hooks', { params: { path: { projectID } }, body }),
    );
    show(terminal, hook, () => describeHook(hook));
    return exitCodes.done;
  },
};

export const updateHook: Command = {
  name: 'hooks update',
  role: 'editor',
  operands: 'HOOK_ID JSON',
  summary: 'Replace a hook; its path stays the same',
  details: `${about} Members that are left out get their defaults.`,
  examples: [`perdure hooks update ${exampleHook} @payments-hook.json`],
  minOperands: 2,
  maxOperands: 2,
  options: {},
  async run({ operands, terminal, host }) {
    const [hookID, json] = operands as [string, string];
    const body = (await parseObject(json, 'JSON')) as unknown as Request;
    const { client, projectID } = await host();
    const params = { path: { projectID, hookID } };
    const hook = await unwrap<Hook>(client.PUT('/projects/{projectID}/hooks/{hookID}', { params, body }));
    show(terminal, hook, () => describeHook(hook));
    return exitCodes.done;
  },
};

export const deleteHook: Command = {
  name: 'hooks delete',
  role: 'editor',
  operands: 'HOOK_ID',
  summary: 'Delete a hook with its deliveries',
  examples: [`perdure hooks delete ${exampleHook} --reason 'the shop is closed'`],
  minOperands: 1,
  maxOperands: 1,
  options: { ...reasonOption },
  async run(invocation) {
    const hookID = invocation.operands[0]!;
    const { client, projectID } = await invocation.host();
    const params = { path: { projectID, hookID }, query: reasonOf(invocation) };
    await unwrap<unknown>(client.DELETE('/projects/{projectID}/hooks/{hookID}', { params }));
    show(invocation.terminal, { hookID, deleted: true }, () => [printable(`Hook ${hookID} deleted`)]);
    return exitCodes.done;
  },
};

export const redeliver: Command = {
  name: 'hooks redeliver',
  role: 'editor',
  operands: 'HOOK_ID DELIVERY_ID',
  summary: 'Deliver a failed delivery again',
  details: 'By the expressions that the hook has now. Ends with 1 if the delivery fails again.',
  examples: [`perdure hooks redeliver ${exampleHook} 9b2f6c1e-4f0a-4a53-8c5e-0d5a3c2b7e11`],
  minOperands: 2,
  maxOperands: 2,
  options: {},
  async run({ operands, terminal, host }) {
    const [hookID, deliveryID] = operands as [string, string];
    const { client, projectID } = await host();
    const params = { path: { projectID, hookID, deliveryID } };
    const delivery = await unwrap<Schemas['HookDelivery']>(
      client.POST('/projects/{projectID}/hooks/{hookID}/deliveries/{deliveryID}/redeliver', { params }),
    );
    const { outcome, publicationID, problem } = delivery;
    show(terminal, delivery, () =>
      fieldLines({ Delivery: deliveryID, Outcome: outcome, Publication: publicationID, Problem: problem }),
    );
    return outcome === 'FAILED' ? exitCodes.refused : exitCodes.done;
  },
};
