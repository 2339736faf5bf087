import { randomUUID } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import type { Json } from '@perdure/engine/contract/json.js';
import { loadCommands } from '../../store/instances/commands.js';
import { undeliveredCommands } from '../../store/instances/outbox.js';
import { forgetSignalPayloads } from '../../store/messages/signals.js';
import { correlates, publicationKeys, subscriptionKeys } from '../../store/messages/correlation.js';
import { began, commitStep, start, useStore, valueOf } from './support/store.js';
import { publicationsOf } from './support/publications.js';

const store = useStore();
const { opened, waiting, send, matchAll, received, kept } = publicationsOf(store);

describe('a signal', () => {
  it('with much to say is stored once, however many hear it, until none of them has its command and nothing else can hear it', async () => {
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
      expect((await loadCommands(store.database, workflowID, [1]))[0]).toMatchObject({
        kind: 'DELIVER_SIGNAL',
        execution: 3,
        publicationID: id,
        variables,
        actor: 'eda',
      });
    }
    const due = (await undeliveredCommands(store.database, 1000)).filter(({ workflowID }) => workflowID === first);
    expect(due).toEqual([
      { workflowID: first, number: 1, kind: 'DELIVER_SIGNAL', command: undefined, lingeringWorker: null },
    ]);
    const stored = () =>
      valueOf<number>(store, 'SELECT count(*)::integer AS value FROM signal_payloads WHERE publication_id = $1', [id]);
    const afterForgetting = async (statement: string, value: string) => {
      await store.database.query(statement, [value]);
      await forgetSignalPayloads(store.database);
      return stored();
    };
    const end =
      "UPDATE instances SET status = 'COMPLETED', completed_at = now() - interval '9 days' WHERE workflow_id = $1";
    const remove = 'DELETE FROM commands WHERE workflow_id = $1';
    for (const workflowID of [first, second]) expect(await afterForgetting(end, workflowID)).toBe(1);
    // The worker that has not heard of the end reads the command again.
    expect((await loadCommands(store.database, first, [1]))[0]).toMatchObject({ variables });
    for (const workflowID of [first, second]) expect(await afterForgetting(remove, workflowID)).toBe(1);
    expect(await afterForgetting('DELETE FROM publications WHERE id = $1', id)).toBe(0);
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
    // The instance continued in the meantime: it rejects what comes for the subscription that it has closed.
    await commitStep(store, workflowID, 2, [
      { kind: 'SUBSCRIPTION_CLOSED', subscription: 3, reason: 'CANCELED' },
      opened(5, name, undefined, 'signal'),
    ]);
    await matchAll();
    expect(await received(workflowID)).toEqual([id]);
    await commitStep(store, workflowID, 3, [], { outcomes: [{ number: 1, status: 'REJECTED', code: 'CONFLICT' }] });
    await matchAll();
    expect(await received(workflowID)).toEqual([id, id]);
    expect((await loadCommands(store.database, workflowID, [2]))[0]).toMatchObject({
      kind: 'DELIVER_SIGNAL',
      execution: 5,
    });
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

  it('with many receivers is delivered in parts', async () => {
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

  it('finds every match by its keys', () => {
    for (const asked of values) {
      for (const given of values) {
        if (correlates(asked, given))
          expect(publicationKeys('c', given)).toEqual(expect.arrayContaining(subscriptionKeys('c', asked)));
      }
    }
  });
});
