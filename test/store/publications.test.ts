/** Publications: states, receivers, reasons for no match, and deletion. */
import { randomUUID } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import type { Fact } from '@perdure/engine/contract/facts.js';
import type { Json } from '@perdure/engine/contract/json.js';
import { matchChannel } from '../../store/messages/matching.js';
import { correlates, channelOf } from '../../store/messages/correlation.js';
import { deletePublication } from '../../store/publications/delete-publication.js';
import { forgetEndedPublications } from '../../store/publications/ended-publications.js';
import { dropExpired } from './support/expired.js';
import { differencesOf, nearMisses } from '../../store/publications/near-misses.js';
import { listSubscriptions } from '../../store/publications/open-subscriptions.js';
import {
  findPublication,
  listPublications,
  readPublicationVariables,
  type Publication,
} from '../../store/publications/publications.js';
import { commitStep, deploy, projectID, useStore, valueOf } from './support/store.js';
import { publicationsOf } from './support/publications.js';

/** Of deletions next to matches: `npm run message-races` has more. */
const ROUNDS = Number(process.env['MESSAGE_RACES'] || 24);

const store = useStore();
const { opened, waiting, send, matchAll, received } = publicationsOf(store);
const page = { page: 1, pageSize: 100 };

const find = async (id: string): Promise<Publication> => (await findPublication(store.database, projectID, id))!;
const remove = (id: string) => deletePublication(store.database, projectID, id);

/** The instance handles its first command. */
const handle = (workflowID: string, publicationID: string, status: 'APPLIED' | 'REJECTED' = 'APPLIED') => {
  const closed: Fact =
    status === 'APPLIED'
      ? { kind: 'SUBSCRIPTION_CLOSED', subscription: 3, reason: 'CONSUMED', publicationID }
      : { kind: 'SUBSCRIPTION_CLOSED', subscription: 3, reason: 'CANCELED' };
  const outcome = { number: 1, status, ...(status === 'REJECTED' && { code: 'CONFLICT' as const }) };
  return commitStep(store, workflowID, 2, [closed, { kind: 'COMMAND_HANDLED', number: 1 }], { outcomes: [outcome] });
};

const expire = (id: string) =>
  store.database.query("UPDATE publications SET expires_at = now() - interval '2 minutes' WHERE id = $1", [id]);

describe('a message', () => {
  it('is kept, claimed by an instance, and taken when that has handled it; then its variables are gone', async () => {
    const name = randomUUID();
    const id = await send({ name, correlation: 'k', variables: { secret: 1 } });
    await matchAll();
    expect(await find(id)).toMatchObject({ state: 'KEPT', correlation: 'k', publishedBy: 'eda', endedAt: null });
    expect(await readPublicationVariables(store.database, id)).toEqual({ secret: 1 });
    const workflowID = await waiting(name, 'k');
    await matchAll();
    expect(await find(id)).toMatchObject({ state: 'CLAIMED', takenBy: workflowID, takenNode: 'wait', endedAt: null });
    await handle(workflowID, id);
    expect(await find(id)).toMatchObject({
      state: 'TAKEN',
      takenBy: workflowID,
      takenNode: 'wait',
      correlation: 'k',
      endedAt: expect.any(Date),
    });
    expect(await readPublicationVariables(store.database, id)).toBeUndefined();
  });

  it('that an instance rejects is kept again, and has expired if its time to live has ended in the meantime', async () => {
    const [name, other] = [randomUUID(), randomUUID()];
    const [workflowID, second] = [await waiting(name), await waiting(other)];
    const [id, late] = [await send({ name }), await send({ name: other })];
    await matchAll();
    await store.database.query('UPDATE publications SET expires_at = now() WHERE id = $1', [late]);
    await handle(workflowID, id, 'REJECTED');
    await handle(second, late, 'REJECTED');
    await matchAll();
    expect(await find(id)).toMatchObject({ state: 'KEPT', takenBy: null });
    expect(await find(late)).toMatchObject({ state: 'EXPIRED' });
  });

  it('without a time to live has a state that says whether it was received', async () => {
    const id = await send({ name: randomUUID(), ttl: 0 });
    await matchAll();
    expect(await find(id)).toMatchObject({ state: 'EXPIRED', endedAt: expect.any(Date) });
  });

  it('that starts a process is taken by the instance', async () => {
    const name = randomUUID();
    const { definitionID } = await deploy(store);
    await store.database.query(
      `INSERT INTO start_subscriptions (definition_id, project_id, node_id, trigger, type, name, channel) VALUES ($1, $2, 'begin', 0, 'message', $3, $4)`,
      [definitionID, projectID, name, channelOf('message', name)],
    );
    const id = await send({ name });
    await matchAll();
    const found = await find(id);
    expect(found).toMatchObject({ state: 'TAKEN', takenNode: 'begin', started: [{ definitionID }] });
    expect(found.started[0]!.workflowID).toBe(found.takenBy);
    expect((await listSubscriptions(store.database, projectID, { name }, page)).data).toMatchObject([
      { workflowID: null, definitionID, nodeID: 'begin', keptUnmatched: 0 },
    ]);
  });

  it('is listed for a day after it has expired, and then forgotten', async () => {
    const name = randomUUID();
    const id = await send({ name });
    await matchAll();
    await expire(id);
    await dropExpired(store.database);
    expect(await find(id)).toMatchObject({ state: 'EXPIRED' });
    const listed = await listPublications(store.database, projectID, { name, state: ['EXPIRED', 'TAKEN'] }, page);
    expect(listed).toMatchObject({ total: 1, data: [{ publicationID: id }] });
    await store.database.query("UPDATE ended_publications SET ended_at = now() - interval '25 hours' WHERE id = $1", [
      id,
    ]);
    expect((await listPublications(store.database, projectID, { name }, page)).total).toBe(0);
    expect(await forgetEndedPublications(store.database)).toBeGreaterThanOrEqual(1);
    expect(await valueOf(store, 'SELECT count(*)::integer AS value FROM ended_publications WHERE id = $1', [id])).toBe(
      0,
    );
  });
});

describe('a signal', () => {
  it('is kept until its time to live ends and counts the instances that it was given to', async () => {
    const name = randomUUID();
    const [first] = [await waiting(name, undefined, { type: 'signal' })];
    await waiting(name, undefined, { type: 'signal' });
    const id = await send({ name, type: 'signal' });
    await matchAll();
    expect(await find(id)).toMatchObject({ state: 'KEPT', reached: 2 });
    await handle(first, id, 'REJECTED');
    expect(await find(id)).toMatchObject({ state: 'KEPT', reached: 1 });
    await expire(id);
    await dropExpired(store.database);
    expect(await find(id)).toMatchObject({ state: 'EXPIRED', reached: 1 });
    expect((await listPublications(store.database, projectID, { name }, page)).total).toBe(1);
  });

  it('that is deleted reaches no later subscription', async () => {
    const name = randomUUID();
    const id = await send({ name, type: 'signal' });
    await matchAll();
    expect([await remove(id), await remove(id)]).toEqual([{ kind: 'deleted' }, { kind: 'deleted' }]);
    const workflowID = await waiting(name, undefined, { type: 'signal' });
    await matchAll();
    expect(await received(workflowID)).toEqual([]);
    await dropExpired(store.database);
    expect(await find(id)).toMatchObject({ state: 'DELETED' });
  });
});

describe('deleting a message', () => {
  it('ends it for good, and again changes nothing', async () => {
    const name = randomUUID();
    const id = await send({ name });
    await matchAll();
    expect([await remove(id), await remove(id)]).toEqual([{ kind: 'deleted' }, { kind: 'deleted' }]);
    const workflowID = await waiting(name);
    await matchAll();
    expect(await received(workflowID)).toEqual([]);
    expect(await find(id)).toMatchObject({ state: 'DELETED', endedAt: expect.any(Date) });
  });

  it('is refused when it is claimed, taken, or expired, and not found in another project', async () => {
    const name = randomUUID();
    const workflowID = await waiting(name);
    const [id, expired] = [await send({ name }), await send({ name: randomUUID(), ttl: 0 })];
    await matchAll();
    expect(await remove(id)).toMatchObject({
      code: 'CONFLICT',
      message: `Publication ${id} is CLAIMED and can no longer be deleted`,
    });
    await handle(workflowID, id);
    expect(await remove(id)).toMatchObject({ code: 'CONFLICT' });
    expect(await remove(expired)).toMatchObject({ code: 'CONFLICT' });
    expect(await deletePublication(store.database, 'other', id)).toMatchObject({ code: 'NOT_FOUND' });
    expect(await remove(randomUUID())).toMatchObject({ code: 'NOT_FOUND' });
  });

  it('and a match exclude each other in either order', { timeout: 120_000 + 100 * ROUNDS }, async () => {
    let deletions = 0;
    for (let round = 0; round < ROUNDS; round += 1) {
      const name = randomUUID();
      const waitsAlready = round % 2 === 0 ? undefined : await waiting(name);
      const id = await send({ name });
      const channel = { projectID, channel: channelOf('message', name) };
      if (!waitsAlready) await matchAll();
      const [workflowID, outcome] = await Promise.all([
        Promise.resolve(waitsAlready ?? waiting(name)).then(async (waits) => {
          await matchChannel(store.database, channel, true);
          return waits;
        }),
        remove(id),
        matchChannel(store.database, channel, round % 3 === 0),
      ]);
      await matchAll();
      const wasDeleted = outcome.kind === 'deleted';
      if (wasDeleted) deletions += 1;
      expect(await received(workflowID)).toEqual(wasDeleted ? [] : [id]);
      expect((await find(id)).state).toBe(wasDeleted ? 'DELETED' : 'CLAIMED');
    }
    expect(deletions).toBeGreaterThan(0);
  });

  it(
    'races with subscriptions that are open already, and each message is accounted for once',
    { timeout: 120_000 },
    async () => {
      const name = randomUUID();
      const channel = { projectID, channel: channelOf('message', name) };
      const receivers = await Promise.all(Array.from({ length: 30 }, () => waiting(name)));
      await matchAll();
      const ids = await Promise.all(Array.from({ length: 40 }, () => send({ name })));
      const [outcomes] = await Promise.all([
        Promise.all(ids.map(remove)),
        ...Array.from({ length: 8 }, () => matchChannel(store.database, channel, true)),
      ]);
      await matchAll();
      const got = (await Promise.all(receivers.map(received))).flat();
      for (const [index, id] of ids.entries()) {
        const { state } = await find(id);
        const expected =
          outcomes[index]!.kind === 'deleted' ? ['DELETED', 0] : [state === 'KEPT' ? 'none' : 'CLAIMED', 1];
        expect([state, got.filter((each) => each === id).length]).toEqual(expected);
      }
      expect((await listPublications(store.database, projectID, { name }, page)).total).toBe(ids.length);
    },
  );
});

describe('near misses', () => {
  it('tell that the key is the number 5 and the subscription has the text "5"', async () => {
    const name = randomUUID();
    const workflowID = await waiting(name, '5');
    const id = await send({ name, correlation: 5 });
    await matchAll();
    expect(await nearMisses(store.database, await find(id))).toEqual([
      {
        workflowID,
        nodeID: 'wait',
        correlation: '5',
        differences: [{ path: '', reason: 'TYPE', expected: '5', found: 5 }],
      },
    ]);
    expect((await listSubscriptions(store.database, projectID, { name }, page)).data).toMatchObject([
      { workflowID, correlation: '5', keptUnmatched: 1, publicationID: null },
    ]);
  });

  it.each([
    [{ a: 1 }, {}, [{ path: '/a', reason: 'MISSING', expected: 1 }]],
    [{ a: { 'b/c': 'x' } }, { a: { 'b/c': 'y' } }, [{ path: '/a/b~1c', reason: 'VALUE', expected: 'x', found: 'y' }]],
    [
      { a: 1, b: 2 },
      { a: '1', b: 3 },
      [
        { path: '/a', reason: 'TYPE', expected: 1, found: '1' },
        { path: '/b', reason: 'VALUE', expected: 2, found: 3 },
      ],
    ],
    ['k', undefined, [{ path: '', reason: 'MISSING', expected: 'k' }]],
    [undefined, 'k', [{ path: '', reason: 'VALUE', found: 'k' }]],
    [null, 1, [{ path: '', reason: 'TYPE', expected: null, found: 1 }]],
    [[1], [2], [{ path: '', reason: 'VALUE', expected: [1], found: [2] }]],
    ['x'.repeat(1000), 'k', [{ path: '', reason: 'VALUE', found: 'k' }]],
    [{ a: 1 }, { a: 1, b: 2 }, []],
  ] as [Json | undefined, Json | undefined, object[]][])('of %j with %j are %j', (asked, given, expected) => {
    expect(differencesOf(asked, given)).toEqual(expected);
    expect(correlates(asked, given)).toBe(expected.length === 0);
  });

  it('are bounded: 20 subscriptions, 20 differences', async () => {
    const name = randomUUID();
    await Promise.all(Array.from({ length: 25 }, (_, index) => waiting(name, index)));
    const id = await send({ name, correlation: 'none' });
    expect(await nearMisses(store.database, await find(id))).toHaveLength(20);
    const wide = Object.fromEntries(Array.from({ length: 500 }, (_, index) => [`k${index}`, index]));
    expect(differencesOf(wide, {})).toHaveLength(20);
  });
});

describe('open subscriptions', () => {
  it('are listed oldest first with what is on its way to them', async () => {
    const name = randomUUID();
    const [first, second] = [await waiting(name), await waiting(name)];
    const id = await send({ name });
    await matchAll();
    expect((await listSubscriptions(store.database, projectID, { name }, page)).data).toMatchObject([
      { workflowID: first, publicationID: id },
      { workflowID: second, publicationID: null },
    ]);
    const filtered = await listSubscriptions(store.database, projectID, { name, workflowID: second }, page);
    expect(filtered).toMatchObject({ total: 1, data: [{ workflowID: second }] });
  });

  it('say that a large total is an estimate', async () => {
    await store.database.query(
      `INSERT INTO subscriptions (workflow_id, number, project_id, element, node_id, type, name, channel, key, keys)
       SELECT $1, n, $2, 2, 'wait', 'signal', 'many', 'many', 'many', '{}' FROM generate_series(100, 11000) n`,
      [await waiting(randomUUID()), projectID],
    );
    const { isTotalEstimate, data } = await listSubscriptions(store.database, projectID, { name: 'many' }, page);
    expect({ isTotalEstimate, listed: data.length }).toEqual({ isTotalEstimate: true, listed: page.pageSize });
    await store.database.query("DELETE FROM subscriptions WHERE name = 'many'");
  });

  it('count at most 100 kept messages', async () => {
    const name = randomUUID();
    await Promise.all(Array.from({ length: 103 }, (_, index) => send({ name, correlation: index })));
    await matchAll();
    const workflowID = await waiting(name, 'other');
    await commitStep(store, workflowID, 2, [opened(5, name, { deep: { key: 1 } })]);
    await matchAll();
    expect(
      (await listSubscriptions(store.database, projectID, { name }, page)).data.map((row) => row.keptUnmatched),
    ).toEqual([100, 100]);
  });
});
