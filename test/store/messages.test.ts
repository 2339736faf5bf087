import { randomUUID } from 'node:crypto';
import type { PoolClient } from 'pg';
import { describe, expect, it } from 'vitest';
import type { Fact } from '@perdure/engine/contract/facts.js';
import type { Json } from '@perdure/engine/contract/json.js';
import { loadCommand } from '../../store/instances/commands.js';
import { rows } from '../../store/sql/database.js';
import { dropExpired } from '../../store/messages/expired-publications.js';
import { keepMessage, publish, type PublishRequest } from '../../store/messages/messages.js';
import { oldestMessage, oldestSubscriber } from '../../store/messages/claims.js';
import { channelsToMatch, matchChannel } from '../../store/messages/matching.js';
import { undeliveredCommands } from '../../store/instances/outbox.js';
import { forgetSignalPayloads } from '../../store/messages/signals.js';
import { channelOf, correlates, publicationKeys, subscriptionKeys } from '../../store/messages/correlation.js';
import { began, commitStep, projectID, start, useStore, valueOf } from './support/store.js';

const store = useStore();

const opened = (
  subscription: number,
  name: string,
  correlation?: Json,
  type: 'message' | 'signal' = 'message',
): Fact => ({
  kind: 'SUBSCRIPTION_OPENED',
  subscription,
  element: 1,
  node: 'wait',
  type,
  name,
  ...(correlation !== undefined && { correlation }),
});

/** An instance that waits (number 3) for the message or signal. */
async function waiting(
  name: string,
  correlation?: Json,
  { type = 'message', project = projectID }: { type?: 'message' | 'signal'; project?: string } = {},
): Promise<string> {
  const workflowID = await start(store, { project });
  await commitStep(store, workflowID, 1, [...began, opened(3, name, correlation, type)]);
  return workflowID;
}

async function send(request: Partial<PublishRequest> & { name: string }, limit?: number): Promise<string> {
  const published = await publish(
    store.pool,
    { projectID, type: 'message', variables: {}, publishedBy: 'eda', ...request },
    limit,
  );
  if (published.kind === 'quota') throw new Error('the quota is reached');
  return published.publicationID;
}

/** What the outbox relay does, until nothing is left to match. */
async function matchAll(): Promise<void> {
  for (;;) {
    const channels = await channelsToMatch(store.pool, 100);
    if (channels.length === 0) return;
    for (const channel of channels) await matchChannel(store.pool, channel, true);
  }
}

const received = async (workflowID: string): Promise<string[]> => {
  const found = await rows<{ id: string }>(
    store.pool,
    `SELECT body ->> 'publicationID' AS id FROM commands WHERE workflow_id = $1 ORDER BY number`,
    [workflowID],
  );
  return found.map(({ id }) => id);
};

const kept = (name: string) =>
  valueOf<number>(store, 'SELECT count(*)::integer AS value FROM publications WHERE name = $1 AND claimed_by IS NULL', [
    name,
  ]);

describe('a message', () => {
  it('goes to the subscription that has waited longest, and to no other', async () => {
    const name = randomUUID();
    const [first, second] = [await waiting(name, 'k'), await waiting(name, 'k')];
    const id = await send({ name, correlation: 'k', variables: { paid: true } });
    await matchAll();
    expect([await received(first), await received(second)]).toEqual([[id], []]);
    expect(await loadCommand(store.pool, first, 1)).toMatchObject({
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

  it('reaches nobody who begins to wait after its time to live', async () => {
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
    await store.pool.query("UPDATE publications SET expires_at = now() - interval '2 minutes' WHERE name = ANY($1)", [
      [expired, claimed],
    ]);
    expect((await dropExpired(store.pool)).message).toBeGreaterThanOrEqual(1);
    const left = await rows<{ name: string }>(
      store.pool,
      'SELECT name FROM publications WHERE name = ANY($1) ORDER BY position',
      [[expired, claimed, fresh]],
    );
    expect(left.map(({ name }) => name)).toEqual([claimed, fresh]);
  });

  it('of an instance expires at once when nothing takes it and the project keeps as many as it may, and is still taken by what waited before', async () => {
    const project = randomUUID();
    const thrower = await start(store, { project });
    const [early, late] = [randomUUID(), randomUUID()];
    const thrown = (name: string): Fact => ({
      kind: 'MESSAGE_PUBLISHED',
      element: 1,
      node: 'throw',
      name,
      variables: {},
    });
    await commitStep(store, thrower, 1, [...began, thrown('filler'), thrown(early), thrown(late)]);
    await matchAll();
    const idOf = (name: string) =>
      valueOf<string>(store, 'SELECT id AS value FROM publications WHERE name = $1 AND project_id = $2', [
        name,
        project,
      ]);
    const isKept = (name: string) =>
      valueOf<boolean>(store, 'SELECT expires_at > now() AS value FROM publications WHERE name = $1', [name]);
    await keepMessage(store.pool, await idOf(early), 3);
    expect(await isKept(early)).toBe(true);
    const receiver = await waiting(early, undefined, { project });
    await keepMessage(store.pool, await idOf(early), 2);
    await keepMessage(store.pool, await idOf(late), 1);
    expect([await isKept(early), await isKept(late)]).toEqual([false, false]);
    const tooLate = await waiting(late, undefined, { project });
    await matchAll();
    expect([await received(receiver), await received(tooLate)]).toEqual([[await idOf(early)], []]);
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
    expect(await loadCommand(store.pool, receiver, 1)).toMatchObject({
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
    while ((await matchChannel(store.pool, channel(other), true)) !== 'done');
    await matchChannel(store.pool, channel(name), true);
    const looks: string[] = [];
    const connection = await store.pool.connect();
    const counting = {
      query: (...query: [string | { text: string }, unknown[]]) => {
        const text = typeof query[0] === 'string' ? query[0] : query[0].text;
        if (text.includes('ORDER BY')) looks.push(text);
        return connection.query(...(query as [string, unknown[]]));
      },
    } as unknown as PoolClient;
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
    expect(await oldestSubscriber(counting, { ...message, id })).toMatchObject({ workflowID, number: 259 });
    const subscription = {
      workflowID,
      number: 10,
      type: 'message' as const,
      keys: subscriptionKeys(channelOf('message', other), asked(249)),
      hasCorrelation: true,
      correlation: asked(249),
      isRunning: true,
    };
    expect(
      await oldestMessage(counting, { projectID, channel: channelOf('message', other) }, subscription),
    ).toMatchObject({ correlation: { ...asked(249), more: true } });
    connection.release();
    expect(looks).toHaveLength(2);
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
      expect(await loadCommand(store.pool, receiver, 1)).toMatchObject({ kind: 'CORRELATE_MESSAGE', variables });
  });

  it('is refused when the project keeps as many as it may', async () => {
    const project = randomUUID();
    const message = { projectID: project, type: 'message' as const, name: 'n', variables: {}, publishedBy: 'eda' };
    expect(await publish(store.pool, message, 1)).toMatchObject({ kind: 'published' });
    expect(await publish(store.pool, message, 1)).toEqual({ kind: 'quota', limit: 1 });
    expect(await publish(store.pool, { ...message, type: 'signal' }, 1)).toMatchObject({ kind: 'published' });
  });
});

describe('what has expired', () => {
  it('is dropped in statements of bounded size, with whom a signal has reached', async () => {
    const name = randomUUID();
    await Promise.all([1, 2, 3].map(() => waiting(name, undefined, { type: 'signal' })));
    const signals = await Promise.all([1, 2].map(() => send({ name, type: 'signal' })));
    await send({ name: `${name} message` });
    await matchAll();
    await store.pool.query("UPDATE publications SET expires_at = now() - interval '2 minutes' WHERE name = ANY($1)", [
      [name, `${name} message`],
    ]);
    const dropped = await dropExpired(store.pool, 1);
    expect(dropped.signal).toBeGreaterThanOrEqual(2);
    expect(dropped.message).toBeGreaterThanOrEqual(1);
    expect(
      await rows(store.pool, 'SELECT 1 FROM signal_deliveries WHERE publication_id = ANY($1::uuid[])', [signals]),
    ).toEqual([]);
  });

  it('of signals is matched with nothing while it is being dropped', async () => {
    const name = randomUUID();
    const workflowID = await waiting(name, undefined, { type: 'signal' });
    const id = await send({ name, type: 'signal' });
    await matchAll();
    await store.pool.query("UPDATE publications SET expires_at = '-infinity' WHERE id = $1", [id]);
    await store.pool.query('DELETE FROM signal_deliveries WHERE publication_id = $1', [id]);
    await commitStep(store, workflowID, 2, [opened(9, name, undefined, 'signal')]);
    await matchAll();
    expect(await received(workflowID)).toEqual([id]);
  });
});

describe('a signal', () => {
  it('with much to say is stored once, however many hear it, until the last of them has ended', async () => {
    const name = randomUUID();
    const [first, second] = [
      await waiting(name, undefined, { type: 'signal' }),
      await waiting(name, undefined, { type: 'signal' }),
    ];
    const variables = { text: 'x'.repeat(100_000) };
    const id = await send({ name, type: 'signal', variables });
    await matchAll();
    for (const workflowID of [first, second]) {
      expect(
        await valueOf<number>(store, 'SELECT octet_length(body::text) AS value FROM commands WHERE workflow_id = $1', [
          workflowID,
        ]),
      ).toBeLessThan(200);
      expect(await loadCommand(store.pool, workflowID, 1)).toMatchObject({
        kind: 'DELIVER_SIGNAL',
        execution: 3,
        publicationID: id,
        variables,
        actor: 'eda',
      });
    }
    const due = (await undeliveredCommands(store.pool, 1000)).filter(({ workflowID }) => workflowID === first);
    expect(due).toEqual([
      { workflowID: first, number: 1, kind: 'DELIVER_SIGNAL', command: undefined, lingeringWorker: null },
    ]);
    const stored = () =>
      valueOf<number>(store, 'SELECT count(*)::integer AS value FROM signal_payloads WHERE publication_id = $1', [id]);
    const end = (workflowID: string) =>
      store.pool.query(
        "UPDATE instances SET status = 'COMPLETED', completed_at = now() - interval '2 days' WHERE workflow_id = $1",
        [workflowID],
      );
    await end(first);
    await forgetSignalPayloads(store.pool);
    expect(await stored()).toBe(1);
    await end(second);
    await forgetSignalPayloads(store.pool);
    expect(await stored()).toBe(0);
  });

  it('reaches every open subscription once, and late instances once each', async () => {
    const name = randomUUID();
    const early = await waiting(name, undefined, { type: 'signal' });
    const id = await send({ name, type: 'signal' });
    await matchAll();
    const late = await waiting(name, undefined, { type: 'signal' });
    await matchAll();
    await commitStep(
      store,
      early,
      2,
      [
        { kind: 'SUBSCRIPTION_CLOSED', subscription: 3, reason: 'CONSUMED', publicationID: id },
        opened(5, name, undefined, 'signal'),
      ],
      {
        outcomes: [{ number: 1, status: 'APPLIED' }],
      },
    );
    await matchAll();
    expect([await received(early), await received(late)]).toEqual([[id], [id]]);
    expect(await kept(name)).toBe(1);
  });

  it('waits for the next subscription of an instance while another signal is on its way', async () => {
    const name = randomUUID();
    const workflowID = await waiting(name, undefined, { type: 'signal' });
    const first = await send({ name, type: 'signal' });
    const second = await send({ name, type: 'signal' });
    await matchAll();
    expect(await received(workflowID)).toEqual([first]);
    await commitStep(
      store,
      workflowID,
      2,
      [
        { kind: 'SUBSCRIPTION_CLOSED', subscription: 3, reason: 'CONSUMED', publicationID: first },
        opened(5, name, undefined, 'signal'),
      ],
      {
        outcomes: [{ number: 1, status: 'APPLIED' }],
      },
    );
    await matchAll();
    expect(await received(workflowID)).toEqual([first, second]);
  });

  it('that came too late for one subscription reaches the next one of the instance', async () => {
    const name = randomUUID();
    const workflowID = await waiting(name, undefined, { type: 'signal' });
    const id = await send({ name, type: 'signal' });
    await matchAll();
    // The instance went on meanwhile: it rejects what comes for the subscription that it has closed.
    await commitStep(store, workflowID, 2, [
      { kind: 'SUBSCRIPTION_CLOSED', subscription: 3, reason: 'CANCELED' },
      opened(5, name, undefined, 'signal'),
    ]);
    await matchAll();
    expect(await received(workflowID)).toEqual([id]);
    await commitStep(store, workflowID, 3, [], { outcomes: [{ number: 1, status: 'REJECTED', code: 'CONFLICT' }] });
    await matchAll();
    expect(await received(workflowID)).toEqual([id, id]);
    expect(await loadCommand(store.pool, workflowID, 2)).toMatchObject({ kind: 'DELIVER_SIGNAL', execution: 5 });
  });

  it('that came too late for one subscription does not come again when another one of the instance has had it', async () => {
    const name = randomUUID();
    const workflowID = await waiting(name, undefined, { type: 'signal' });
    await commitStep(store, workflowID, 2, [opened(5, name, undefined, 'signal')]);
    const id = await send({ name, type: 'signal' });
    await matchAll();
    expect(await received(workflowID)).toEqual([id, id]);
    await commitStep(
      store,
      workflowID,
      3,
      [
        { kind: 'SUBSCRIPTION_CLOSED', subscription: 3, reason: 'CONSUMED', publicationID: id },
        { kind: 'SUBSCRIPTION_CLOSED', subscription: 5, reason: 'CANCELED' },
        opened(7, name, undefined, 'signal'),
      ],
      {
        outcomes: [
          { number: 1, status: 'APPLIED' },
          { number: 2, status: 'REJECTED', code: 'CONFLICT' },
        ],
      },
    );
    await matchAll();
    expect(await received(workflowID)).toEqual([id, id]);
  });

  it('that reaches many is delivered in parts', async () => {
    const name = randomUUID();
    const workflowID = await start(store);
    await commitStep(store, workflowID, 1, [
      ...began,
      ...Array.from({ length: 450 }, (_, index) => opened(index + 3, name, undefined, 'signal')),
    ]);
    await matchAll();
    await send({ name, type: 'signal' });
    await matchAll();
    expect((await received(workflowID)).length).toBe(450);
    expect(
      await valueOf(store, 'SELECT command_count AS value FROM instances WHERE workflow_id = $1', [workflowID]),
    ).toBe(450);
  });
});

describe('correlation', () => {
  const values: Json[] = [
    1,
    '1',
    true,
    'true',
    null,
    1.5,
    {},
    { a: 1 },
    { a: 1, b: 2 },
    { b: 2, a: 1 },
    { a: { c: 'x' } },
    { a: { c: 'x', d: 0 } },
    { a: [1] },
  ];

  it.each([
    [1, 1, true],
    [1, '1', false],
    [1, true, false],
    [true, 'true', false],
    [1, 1.0, true],
    [null, null, true],
    [{ a: 1 }, { b: 2, a: 1 }, true],
    [{ a: 1, b: 2 }, { a: 1 }, false],
    [{ a: 1 }, { a: '1' }, false],
    [{ a: { c: 'x' } }, { a: { c: 'x', d: 0 } }, true],
    [{ a: [1] }, { a: [1, 2] }, false],
    [{}, { a: 1 }, true],
    [undefined, 1, false],
    [1, undefined, false],
    [undefined, undefined, true],
  ] as [Json | undefined, Json | undefined, boolean][])(
    'of a subscription for %j with a message that carries %j: %s',
    (asked, given, expected) => {
      expect(correlates(asked, given)).toBe(expected);
    },
  );

  it('finds by its keys whatever it matches', () => {
    for (const asked of values) {
      for (const given of values) {
        if (correlates(asked, given))
          expect(publicationKeys('c', given)).toEqual(expect.arrayContaining(subscriptionKeys('c', asked)));
      }
    }
  });
});
