import { randomUUID } from 'node:crypto';
import { describe, expect, it, vi } from 'vitest';
import type { Fact } from '@perdure/engine/contract/facts.js';
import type { StepCommit } from '@perdure/engine/contract/step-commit.js';
import { loadCommands } from '../../store/instances/commands.js';
import { rows } from '../../store/sql/database.js';
import { dropExpired } from './support/expired.js';
import { publish } from '../../store/messages/messages.js';
import { reasonNotToKeep } from '../../store/messages/room.js';
import { project as changesOf } from '../../store/steps/project.js';
import { oldestMessage, oldestSubscriber } from '../../store/messages/claims.js';
import { channelsToMatch, matchChannel, matchNow } from '../../store/messages/matching.js';
import { undeliveredCommands } from '../../store/instances/outbox.js';
import { channelOf, publicationKeys, subscriptionKeys } from '../../store/messages/correlation.js';
import { began, commitStep, projectID, start, useStore, valueOf } from './support/store.js';
import { publicationsOf } from './support/publications.js';

const store = useStore();
const { opened, waiting, send, matchAll, received } = publicationsOf(store);

describe('a message', () => {
  it('goes to the subscription that has waited longest, and to no other', async () => {
    const name = randomUUID();
    const [first, second] = [await waiting(name, 'k'), await waiting(name, 'k')];
    const id = await send({ name, correlation: 'k', variables: { paid: true } });
    await matchAll();
    expect([await received(first), await received(second)]).toEqual([[id], []]);
    expect((await loadCommands(store.database, first, [1]))[0]).toMatchObject({
      kind: 'CORRELATE_MESSAGE',
      execution: 3,
      publicationID: id,
      variables: { paid: true },
      actor: 'eda',
    });
  });

  it('is kept for a subscription that opens later, and gone when that has taken it', async () => {
    const name = randomUUID();
    const id = await send({ name });
    await matchAll();
    const workflowID = await waiting(name);
    await matchAll();
    expect(await received(workflowID)).toEqual([id]);
    const taken: Fact[] = [
      { kind: 'SUBSCRIPTION_CLOSED', subscription: 3, reason: 'CONSUMED', publicationID: id },
      { kind: 'COMMAND_HANDLED', number: 1 },
    ];
    await commitStep(store, workflowID, 2, taken, { outcomes: [{ number: 1, status: 'APPLIED' }] });
    expect(await valueOf(store, 'SELECT count(*)::integer AS value FROM publications WHERE name = $1', [name])).toBe(0);
    expect(await valueOf(store, 'SELECT count(*)::integer AS value FROM subscriptions WHERE name = $1', [name])).toBe(
      0,
    );
  });

  it('is delivered by the process that publishes it, and by the outbox relay only if that has not in time', async () => {
    const name = randomUUID();
    const workflowID = await waiting(name, 'k');
    await matchAll();
    const id = await send({ name, correlation: 'k', variables: { paid: true } });
    const unheard = await send({ name, correlation: 'other' });
    const { messages } = await matchNow(store.database, { projectID, channel: channelOf('message', name) });
    const command = {
      kind: 'CORRELATE_MESSAGE',
      number: 1,
      execution: 3,
      publicationID: id,
      variables: { paid: true },
    };
    expect([...messages]).toMatchObject([
      [id, { workflowID, delivery: 'signal', waitsForResume: false, command }],
      [unheard, undefined],
    ]);
    const offered = async () =>
      (await undeliveredCommands(store.database, 100)).filter((found) => found.workflowID === workflowID);
    expect(await offered()).toEqual([]);
    await store.database.query('UPDATE commands SET deliver_at = now() WHERE workflow_id = $1', [workflowID]);
    expect(await offered()).toMatchObject([{ number: 1, command }]);
  });

  it('that is kept makes its channel one that must be matched for itself', async () => {
    const name = randomUUID();
    const channel = { projectID, channel: channelOf('message', name) };
    await waiting(name, 'a');
    expect(await channelsToMatch(store.database, 100)).toContainEqual({ ...channel, buffers: false });
    await matchAll();
    const id = await send({ name, correlation: 'b' });
    expect([...(await matchNow(store.database, channel)).messages]).toEqual([[id, undefined]]);
    const later = await waiting(name, 'b');
    expect(await channelsToMatch(store.database, 100)).toContainEqual({ ...channel, buffers: true });
    await matchAll();
    expect(await received(later)).toEqual([id]);
  });

  it('goes to another subscription when the first one no longer waits', async () => {
    const name = randomUUID();
    const [first, second] = [await waiting(name), await waiting(name)];
    const id = await send({ name });
    await matchAll();
    const late: Fact[] = [
      { kind: 'SUBSCRIPTION_CLOSED', subscription: 3, reason: 'CANCELED' },
      { kind: 'COMMAND_HANDLED', number: 1 },
    ];
    await commitStep(store, first, 2, late, { outcomes: [{ number: 1, status: 'REJECTED', code: 'CONFLICT' }] });
    await matchAll();
    expect(await received(second)).toEqual([id]);
  });

  it('goes to another subscription when the first one ends with its instance', async () => {
    const name = randomUUID();
    const [first, second] = [await waiting(name), await waiting(name)];
    const id = await send({ name });
    await matchAll();
    await commitStep(store, first, 2, [
      { kind: 'SUBSCRIPTION_CLOSED', subscription: 3, reason: 'CANCELED' },
      { kind: 'INSTANCE_CANCELED' },
    ]);
    await matchAll();
    expect(await received(second)).toEqual([id]);
  });

  it('reaches no subscription that opens after its time to live', async () => {
    const name = randomUUID();
    await send({ name, ttl: 0 });
    await matchAll();
    const workflowID = await waiting(name);
    await matchAll();
    expect(await received(workflowID)).toEqual([]);
  });

  it('is dropped some time after it has expired, unless it is on its way to an instance', async () => {
    const [expired, claimed, fresh] = [randomUUID(), randomUUID(), randomUUID()];
    await waiting(claimed);
    for (const name of [expired, claimed, fresh]) await send({ name });
    await matchAll();
    await store.database.query(
      "UPDATE publications SET expires_at = now() - interval '2 minutes' WHERE name = ANY($1)",
      [[expired, claimed]],
    );
    expect((await dropExpired(store.database)).message).toBeGreaterThanOrEqual(1);
    const left = await rows<{ name: string }>(
      store.database,
      'SELECT name FROM publications WHERE name = ANY($1) ORDER BY position',
      [[expired, claimed, fresh]],
    );
    expect(left.map(({ name }) => name)).toEqual([claimed, fresh]);
  });

  it('published by an instance is kept, or its step has no room in the project', async () => {
    const project = randomUUID();
    const thrower = await start(store, { project });
    const [heard, unheard] = [randomUUID(), randomUUID()];
    const thrown = (name: string, more: object = {}): Fact => ({
      kind: 'MESSAGE_PUBLISHED',
      element: 1,
      node: 'throw',
      name,
      variables: {},
      ...more,
    });
    const reason = (number: number, facts: Fact[], limit: number) =>
      reasonNotToKeep(store.database, { workflowID: thrower, number } as StepCommit, changesOf(facts), limit);
    await commitStep(store, thrower, 1, [...began, thrown(unheard), thrown(unheard)]);
    await matchAll();
    expect(await reason(2, [thrown(unheard)], 3)).toBeUndefined();
    expect(await reason(2, [thrown(unheard)], 2)).toContain(`project ${project} keeps 2 messages, at most 2`);
    expect(await reason(2, [thrown(unheard), thrown(unheard)], 3)).toContain('publishes 2');
    // The step is committed already, or its messages need no room.
    expect(await reason(1, [thrown(unheard)], 2)).toBeUndefined();
    expect(await reason(2, [thrown(unheard, { ttl: 0 })], 2)).toBeUndefined();
    const receiver = await waiting(heard, undefined, { project });
    expect(await reason(2, [thrown(heard)], 2)).toBeUndefined();
    expect(await reason(2, [thrown(heard), thrown(heard)], 2)).toContain('publishes 1');
    await commitStep(store, thrower, 2, [thrown(heard)]);
    await matchAll();
    expect(await received(receiver)).toHaveLength(1);
  });

  it('stays in its project', async () => {
    const name = randomUUID();
    const foreign = await waiting(name, undefined, { project: 'elsewhere' });
    await send({ name });
    await matchAll();
    expect(await received(foreign)).toEqual([]);
  });

  it('of an instance is matched like any other', async () => {
    const name = randomUUID();
    const receiver = await waiting(name, 7);
    const thrower = await start(store);
    await commitStep(store, thrower, 1, [
      ...began,
      { kind: 'MESSAGE_PUBLISHED', element: 1, node: 'throw', name, correlation: 7, variables: { a: 1 } },
    ]);
    await matchAll();
    expect((await loadCommands(store.database, receiver, [1]))[0]).toMatchObject({
      kind: 'CORRELATE_MESSAGE',
      execution: 3,
      variables: { a: 1 },
    });
  });

  it('finds its subscription in one look among many that share a part of what they ask for, and so does the subscription', async () => {
    const [name, other] = [randomUUID(), randomUUID()];
    const asked = (order: number) => ({ country: 'DE', order });
    const orders = Array.from({ length: 250 }, (_, order) => order);
    const workflowID = await start(store);
    await commitStep(store, workflowID, 1, [
      ...began,
      ...orders.map((order) => opened(10 + order, name, asked(order))),
    ]);
    const thrower = await start(store);
    await commitStep(store, thrower, 1, [
      ...began,
      ...orders.map((order): Fact => ({
        kind: 'MESSAGE_PUBLISHED',
        element: 1,
        node: 'throw',
        name: other,
        correlation: { ...asked(order), more: true },
        variables: {},
      })),
    ]);
    const channel = (of: string) => ({ projectID, channel: channelOf('message', of) });
    while ((await matchChannel(store.database, channel(other), true)) !== 'done');
    await matchChannel(store.database, channel(name), true);
    let looks: string[] = [];
    const message = {
      projectID,
      channel: channelOf('message', name),
      keys: publicationKeys(channelOf('message', name), { ...asked(249), more: true }),
      hasCorrelation: true,
      correlation: { ...asked(249), more: true },
      variables: null,
      publishedBy: null,
      traceContext: null,
      expiresAt: new Date(),
    };
    const id = await valueOf<string>(store, 'SELECT id AS value FROM publications WHERE name = $1 LIMIT 1', [other]);
    const subscription = {
      workflowID,
      number: 10,
      type: 'message' as const,
      keys: subscriptionKeys(channelOf('message', other), asked(249)),
      hasCorrelation: true,
      correlation: asked(249),
      isRunning: true,
    };
    await store.database.transaction(async (transaction) => {
      const query = vi.spyOn(transaction, 'query');
      expect(await oldestSubscriber(transaction, { ...message, id })).toMatchObject({ workflowID, number: 259 });
      expect(
        await oldestMessage(transaction, { projectID, channel: channelOf('message', other) }, subscription),
      ).toMatchObject({ correlation: { ...asked(249), more: true } });
      looks = query.mock.calls.map(([statement]) => (typeof statement === 'string' ? statement : statement.text));
    });
    expect(looks.filter((text) => text.includes('ORDER BY'))).toHaveLength(2);
  });

  it('with large variables arrives whole, whether it comes first or is waited for', async () => {
    const [first, second] = [randomUUID(), randomUUID()];
    // Random, so that it stays large when it is compressed.
    const variables = { large: Array.from({ length: 1_000 }, () => randomUUID()).join() };
    await send({ name: first, variables });
    await matchAll();
    const late = await waiting(first);
    const early = await waiting(second);
    await send({ name: second, variables });
    await matchAll();
    for (const receiver of [late, early])
      expect((await loadCommands(store.database, receiver, [1]))[0]).toMatchObject({
        kind: 'CORRELATE_MESSAGE',
        variables,
      });
  });

  it('is refused when the quota of the project is full', async () => {
    const project = randomUUID();
    const message = { projectID: project, type: 'message' as const, name: 'n', variables: {}, publishedBy: 'eda' };
    expect(await publish(store.database, message, 1)).toMatchObject({ kind: 'published' });
    expect(await publish(store.database, message, 1)).toEqual({ kind: 'quota', limit: 1 });
    expect(await publish(store.database, { ...message, type: 'signal' }, 1)).toMatchObject({ kind: 'published' });
  });
});

describe('an expired message', () => {
  it('is dropped in statements of bounded size, with the receivers of a signal', async () => {
    const name = randomUUID();
    await Promise.all([1, 2, 3].map(() => waiting(name, undefined, { type: 'signal' })));
    const signals = await Promise.all([1, 2].map(() => send({ name, type: 'signal' })));
    await send({ name: `${name} message` });
    await matchAll();
    await store.database.query(
      "UPDATE publications SET expires_at = now() - interval '2 minutes' WHERE name = ANY($1)",
      [[name, `${name} message`]],
    );
    const dropped = await dropExpired(store.database, 1);
    expect(dropped.signal).toBeGreaterThanOrEqual(2);
    expect(dropped.message).toBeGreaterThanOrEqual(1);
    expect(
      await rows(store.database, 'SELECT 1 FROM signal_deliveries WHERE publication_id = ANY($1::uuid[])', [signals]),
    ).toEqual([]);
  });

  it('of signals is matched with nothing while it is being dropped', async () => {
    const name = randomUUID();
    const workflowID = await waiting(name, undefined, { type: 'signal' });
    const id = await send({ name, type: 'signal' });
    await matchAll();
    await store.database.query("UPDATE publications SET expires_at = '-infinity' WHERE id = $1", [id]);
    await store.database.query('DELETE FROM signal_deliveries WHERE publication_id = $1', [id]);
    await commitStep(store, workflowID, 2, [opened(9, name, undefined, 'signal')]);
    await matchAll();
    expect(await received(workflowID)).toEqual([id]);
  });
});
