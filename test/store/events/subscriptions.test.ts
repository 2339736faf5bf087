/** Deliveries of events: at least once, in order per instance, whatever fails. The receiver is a function. */
import { randomUUID } from 'node:crypto';
import { expect, onTestFinished, test, vi } from 'vitest';
import { runTurn, MAX_DELIVERIES_AT_ONCE } from '../../../connectors/events/turn.js';
import { listDeadLetters, redeliver } from '../../../store/event-subscriptions/dead-letters.js';
import {
  createSubscription,
  deleteSubscription,
  findSubscription,
  MAX_SUBSCRIPTIONS,
  updateSubscription,
  type EventSubscription,
} from '../../../store/event-subscriptions/subscriptions.js';
import { advance, takeTurns, type SubscriptionTurn } from '../../../store/event-subscriptions/turns.js';
import { removeOldEvents, type StoredEvent } from '../../../store/events/feed.js';
import { eventTypes, type EventType } from '../../../store/events/types.js';
import { deleteProject, ensureProject } from '../../../store/projects/projects.js';
import { finishDeletion } from '../../support/deleted-projects.js';
import { silent } from '../../support/host-services.js';
import { rowsReadBy } from '../support/rows-read.js';
import { useStore } from '../support/store.js';
import { assignAll, beginFeed, readAll } from '../support/events.js';

const store = useStore();

async function subscribed(
  changes: { types?: EventType[]; processIDs?: string[]; enabled?: boolean } = {},
): Promise<{ project: string; subscription: EventSubscription }> {
  const project = `p-${randomUUID()}`;
  await ensureProject(store.database, project);
  await beginFeed(store, project);
  const settings = { name: 'all', url: 'https://example.com', secret: 'KEY', types: [...eventTypes], processIDs: null };
  const created = await createSubscription(
    store.database,
    project,
    { ...settings, enabled: true, ...changes },
    { position: '0', createdBy: 'ann' },
  );
  if ('kind' in created) throw new Error(created.message);
  return { project, subscription: created };
}

interface Written {
  workflowID?: string;
  type?: EventType;
  processID?: string;
}

/** Events with positions, in this order. */
async function write(project: string, events: readonly Written[]): Promise<void> {
  for (const { workflowID = 'w', type = 'instance.started', processID = 'order' } of events)
    await store.database.query(
      `INSERT INTO events (project_id, type, subject, workflow_id, process_id, data) VALUES ($1, $2, $3, $3, $4, '{}')`,
      [project, type, workflowID, processID],
    );
  await assignAll(store);
}

/** As `write`, at once. */
async function writeUnwanted(project: string, count: number): Promise<void> {
  await store.database.query(
    `INSERT INTO events (project_id, type, subject, workflow_id, process_id, data)
     SELECT $1, 'instance.started', 'w' || n, 'w' || n, 'order', '{}' FROM generate_series(1, $2) n`,
    [project, count],
  );
  await assignAll(store);
}

type Send = (event: StoredEvent) => Promise<string | undefined>;

/** Turns of the subscription until it has nothing due, as one connector takes them. */
async function deliverAll({ id }: EventSubscription, send: Send): Promise<void> {
  const never = new AbortController().signal;
  const options = {
    store: store.database,
    logger: silent,
    count: () => undefined,
    send: (_project: string, _to: unknown, event: StoredEvent) => send(event),
  };
  for (;;) {
    // Other tests of this file have subscriptions too.
    const { rows } = await store.database.query<SubscriptionTurn>(
      `UPDATE event_subscriptions s SET lease = gen_random_uuid(), due_at = now() + interval '30 seconds' WHERE id = $1 AND enabled AND (
         EXISTS (SELECT FROM event_deliveries d WHERE d.subscription_id = s.id AND d.due_at <= now()) OR
         EXISTS (SELECT FROM events e WHERE e.project_id = s.project_id AND e.position > s.position))
       RETURNING id AS "subscriptionID", lease, project_id AS "projectID"`,
      [id],
    );
    if (rows.length === 0) return;
    await runTurn(options, rows[0]!, never);
  }
}

/** One turn, not all that are due. */
async function runOneTurn({ id }: EventSubscription, send: Send): Promise<void> {
  const turns = await takeTurns(store.database, 1_000, 1_000);
  const turn = turns.find(({ subscriptionID }) => subscriptionID === id)!;
  await runTurn(
    { store: store.database, logger: silent, count: () => undefined, send: (_project, _to, event) => send(event) },
    turn,
    new AbortController().signal,
  );
}

/** The work of the next days. */
const untilDue = ({ id }: EventSubscription) =>
  store.database.query('UPDATE event_deliveries SET due_at = now() WHERE subscription_id = $1 AND due_at IS NOT NULL', [
    id,
  ]);

const look = async (project: string, { id }: EventSubscription) =>
  (await findSubscription(store.database, project, id))!;

/** The positions of each instance, in the order of their first delivery. */
function byInstance(events: readonly StoredEvent[]): Map<string, string[]> {
  const order = new Map<string, string[]>();
  for (const { subject, position } of events) {
    const positions = order.get(subject) ?? [];
    if (!positions.includes(position)) positions.push(position);
    order.set(subject, positions);
  }
  return order;
}

test('every event is delivered, in order per instance, to a receiver that fails at random', async () => {
  const { project, subscription } = await subscribed();
  const instances = Array.from({ length: 20 }, (_, index) => `w${index}`);
  const events = Array.from({ length: 600 }, () => ({ workflowID: instances[Math.trunc(Math.random() * 20)]! }));
  await write(project, events);
  const delivered: StoredEvent[] = [];
  let atOnce = 0;
  let maxAtOnce = 0;
  const send: Send = async (event) => {
    maxAtOnce = Math.max(maxAtOnce, (atOnce += 1));
    await new Promise((resolve) => setImmediate(resolve));
    atOnce -= 1;
    // Some arrive although they seem to have failed.
    const fails = Math.random() < 0.3;
    if (!fails || Math.random() < 0.5) delivered.push(event);
    return fails ? 'The receiver answered with status 503.' : undefined;
  };
  for (let round = 0; (await look(project, subscription)).pending > 0 && round < 200; round += 1) {
    await deliverAll(subscription, send);
    await untilDue(subscription);
  }
  expect(byInstance(delivered)).toEqual(byInstance(await readAll(store, { projectID: project })));
  expect(maxAtOnce).toBe(MAX_DELIVERIES_AT_ONCE);
  expect(await look(project, subscription)).toMatchObject({ pending: 0, deadLetters: 0 });
});

test('a failing delivery holds back later events of the same instance only', async () => {
  const { project, subscription } = await subscribed();
  await write(project, [{ workflowID: 'bad' }, { workflowID: 'good' }, { workflowID: 'bad' }, { workflowID: 'good' }]);
  const delivered: string[] = [];
  await deliverAll(subscription, async ({ subject }) => {
    if (subject === 'bad') return 'The receiver answered with status 500.';
    delivered.push(subject);
    return undefined;
  });
  expect(delivered).toEqual(['good', 'good']);
  expect(await look(project, subscription)).toMatchObject({
    pending: 2,
    lastError: 'The receiver answered with status 500.',
  });
});

test('instances whose deliveries hang leave half of the requests to the others', async () => {
  const { project, subscription } = await subscribed();
  const bad = Array.from({ length: 50 }, (_, index) => ({ workflowID: `bad${index}` }));
  await write(project, bad);
  await deliverAll(subscription, async () => 'The receiver did not answer within 10 s.');
  await untilDue(subscription);
  await write(
    project,
    Array.from({ length: 20 }, (_, index) => ({ workflowID: `good${index}` })),
  );
  const order: string[] = [];
  await deliverAll(subscription, async ({ subject }) => {
    order.push(subject);
    return subject.startsWith('bad') ? 'The receiver did not answer within 10 s.' : undefined;
  });
  const lastGood = order.findLastIndex((subject) => subject.startsWith('good'));
  const badBefore = order.slice(0, lastGood).filter((subject) => subject.startsWith('bad'));
  expect(badBefore.length).toBeLessThanOrEqual(20 + MAX_DELIVERIES_AT_ONCE);
});

test('only the wanted types and processes are delivered', async () => {
  const { project, subscription } = await subscribed({ types: ['instance.completed'], processIDs: ['order'] });
  await write(project, [
    { type: 'instance.started' },
    { type: 'instance.completed', workflowID: 'wanted' },
    { type: 'instance.completed', processID: 'other' },
  ]);
  const delivered: string[] = [];
  await deliverAll(subscription, async ({ subject }) => void delivered.push(subject));
  expect(delivered).toEqual(['wanted']);
});

test('after three days, an event is a dead letter, and the next one of its instance follows', async () => {
  const { project, subscription } = await subscribed();
  await write(project, [{ type: 'instance.started' }, { type: 'instance.completed' }]);
  const delivered: EventType[] = [];
  const refuseStarted: Send = async ({ type }) => {
    if (type === 'instance.started') return 'The receiver answered with status 400.';
    delivered.push(type);
    return undefined;
  };
  await deliverAll(subscription, refuseStarted);
  await store.database.query(
    "UPDATE event_deliveries SET queued_at = now() - interval '73 hours' WHERE subscription_id = $1",
    [subscription.id],
  );
  await untilDue(subscription);
  await deliverAll(subscription, refuseStarted);
  expect(delivered).toEqual(['instance.completed']);
  const page = { page: 1, pageSize: 10 };
  const dead = await listDeadLetters(store.database, { projectID: project, subscriptionID: subscription.id }, page);
  expect(dead).toMatchObject({
    total: 1,
    data: [{ type: 'instance.started', attempts: 2, lastError: 'The receiver answered with status 400.' }],
  });
  await redeliver(store.database, subscription.id, [dead.data[0]!.position]);
  await deliverAll(subscription, async ({ type }) => void delivered.push(type));
  expect(delivered).toEqual(['instance.completed', 'instance.started']);
  expect(await look(project, subscription)).toMatchObject({ deadLetters: 0, pending: 0 });
});

test('dead letters that are delivered again come before later events of their instance', async () => {
  const { project, subscription } = await subscribed();
  await write(project, [{ type: 'instance.started' }, { type: 'instance.suspended' }, { type: 'instance.resumed' }]);
  const fail: Send = async () => 'The receiver answered with status 500.';
  await deliverAll(subscription, fail);
  await store.database.query(
    `UPDATE event_deliveries SET dead_at = now(), due_at = NULL
     WHERE subscription_id = $1 AND position = (SELECT min(position) FROM event_deliveries WHERE subscription_id = $1)`,
    [subscription.id],
  );
  await redeliver(store.database, subscription.id, undefined);
  await untilDue(subscription);
  const delivered: EventType[] = [];
  await deliverAll(subscription, async ({ type }) => void delivered.push(type));
  expect(delivered).toEqual(['instance.started', 'instance.suspended', 'instance.resumed']);
});

test('a connector that has lost its turn records nothing, and its events are delivered again', async () => {
  const { project, subscription } = await subscribed();
  await write(project, [{ workflowID: 'a' }, { workflowID: 'b' }]);
  const begin = { underWay: [], room: MAX_DELIVERIES_AT_ONCE, roomForRepeated: MAX_DELIVERIES_AT_ONCE };
  const nothing = { delivered: [], failed: [] };
  const mine = (turns: SubscriptionTurn[]) => turns.find(({ subscriptionID }) => subscriptionID === subscription.id)!;
  const lost = mine(await takeTurns(store.database, 1_000, 1_000));
  const first = await advance(store.database, lost, nothing, begin);
  await store.database.query('UPDATE event_subscriptions SET due_at = now() WHERE id = $1', [subscription.id]);
  const next = mine(await takeTurns(store.database, 1_000, 1_000));
  const positions = first!.events.map(({ position }) => position);
  expect(await advance(store.database, lost, { delivered: positions, failed: [] }, begin)).toBeUndefined();
  const again = await advance(store.database, next, nothing, begin);
  expect(again!.events.map(({ position }) => position)).toEqual(positions);
});

test('a project has its share of turns, with those that it has already, and others have theirs', async () => {
  const [{ project: many }, { project: few }] = [await subscribed(), await subscribed()];
  const settings = { name: 'all', url: 'https://example.com', secret: 'KEY', types: [...eventTypes], processIDs: null };
  for (let count = 1; count < 6; count += 1)
    await createSubscription(store.database, many, { ...settings, enabled: true }, { position: '0', createdBy: 'ann' });
  for (const project of [many, few]) await write(project, [{}]);
  const turnsOf = (turns: readonly SubscriptionTurn[], project: string) =>
    turns.filter(({ projectID }) => projectID === project).length;
  const first = await takeTurns(store.database, 1_000, 4, [many, many]);
  expect([turnsOf(first, many), turnsOf(first, few)]).toEqual([2, 1]);
  const second = await takeTurns(store.database, 1_000, 4, [many, many, many, many, few]);
  expect(turnsOf(second, many)).toBe(0);
});

test('a turn of a receiver that takes nothing ends after one attempt', async () => {
  const { project, subscription } = await subscribed();
  await write(
    project,
    Array.from({ length: 3 * MAX_DELIVERIES_AT_ONCE }, (_, index) => ({ workflowID: `w${index}` })),
  );
  let attempts = 0;
  await runOneTurn(subscription, async () => {
    attempts += 1;
    return 'The receiver did not answer within 10 s.';
  });
  expect(attempts).toBe(MAX_DELIVERIES_AT_ONCE);
  expect(await look(project, subscription)).toMatchObject({ pending: 3 * MAX_DELIVERIES_AT_ONCE });
});

test('one turn passes thousands of events that are not wanted', async () => {
  const { project, subscription } = await subscribed({ types: ['instance.completed'] });
  await write(project, [{ type: 'instance.completed', workflowID: 'first' }]);
  await writeUnwanted(project, 3_000);
  await write(project, [{ type: 'instance.completed', workflowID: 'last' }]);
  const delivered: string[] = [];
  await runOneTurn(subscription, async ({ subject }) => void delivered.push(subject));
  expect(delivered).toEqual(['first', 'last']);
});

test('events that are wanted are found while an earlier delivery hangs', async () => {
  const { project, subscription } = await subscribed({ types: ['instance.completed'] });
  await write(project, [{ type: 'instance.completed', workflowID: 'slow' }]);
  await writeUnwanted(project, 2_000);
  await write(project, [{ type: 'instance.completed', workflowID: 'last' }]);
  let release = (): void => undefined;
  const isReleased = new Promise<void>((resolve) => (release = resolve));
  await runOneTurn(subscription, async ({ subject }) => {
    if (subject === 'last') release();
    await isReleased;
    return undefined;
  });
  expect(await look(project, subscription)).toMatchObject({ pending: 0 });
});

test('a turn that finds nothing for seconds makes way, and the next one continues', async () => {
  const { project, subscription } = await subscribed({ types: ['instance.completed'] });
  await writeUnwanted(project, 10_000);
  await write(project, [{ type: 'instance.completed', workflowID: 'wanted' }]);
  let now = performance.now();
  const clock = vi.spyOn(performance, 'now').mockImplementation(() => (now += 1_000));
  onTestFinished(() => clock.mockRestore());
  const delivered: string[] = [];
  const deliver: Send = async ({ subject }) => void delivered.push(subject);
  await runOneTurn(subscription, deliver);
  expect(delivered).toEqual([]);
  expect(Number((await look(project, subscription)).position)).toBeGreaterThan(0);
  await deliverAll(subscription, deliver);
  expect(delivered).toEqual(['wanted']);
});

test('a disabled subscription keeps its place and continues there', async () => {
  const { project, subscription } = await subscribed();
  const delivered: string[] = [];
  const receive: Send = async ({ subject }) => void delivered.push(subject);
  await updateSubscription(store.database, project, subscription.id, { enabled: false });
  await write(project, [{ workflowID: 'a' }, { workflowID: 'b' }]);
  await deliverAll(subscription, receive);
  expect(delivered).toEqual([]);
  expect(await look(project, subscription)).toMatchObject({ enabled: false, pending: 2 });
  await updateSubscription(store.database, project, subscription.id, { enabled: true });
  await deliverAll(subscription, receive);
  expect(delivered).toEqual(['a', 'b']);
});

test('a receiver that was down gets everything as soon as it answers', async () => {
  const { project, subscription } = await subscribed();
  const instances = Array.from({ length: 30 }, (_, index) => `w${index}`);
  await write(
    project,
    [...instances, ...instances].map((workflowID) => ({ workflowID })),
  );
  await deliverAll(subscription, async () => 'The receiver did not answer within 10 s.');
  expect(await look(project, subscription)).toMatchObject({ failingSince: expect.any(Date), pending: 60 });
  await store.database.query("UPDATE event_subscriptions SET failing_since = now() - interval '1 hour' WHERE id = $1", [
    subscription.id,
  ]);
  // Only the first attempt is due; the others would come within the hour.
  await store.database.query(
    `UPDATE event_deliveries SET due_at = CASE WHEN order_key = 'w0' THEN now() ELSE now() + interval '1 hour' END
     WHERE subscription_id = $1 AND due_at IS NOT NULL`,
    [subscription.id],
  );
  const delivered: StoredEvent[] = [];
  await deliverAll(subscription, async (event) => void delivered.push(event));
  expect(byInstance(delivered)).toEqual(byInstance(await readAll(store, { projectID: project })));
  expect(await look(project, subscription)).toMatchObject({ failingSince: null });
});

test('an event that the receiver refuses is tried less and less often, although it takes rare events of others', async () => {
  const { project, subscription } = await subscribed();
  await write(project, [{ workflowID: 'refused' }]);
  let attempts = 0;
  const send: Send = async ({ subject }) => {
    if (subject !== 'refused') return undefined;
    attempts += 1;
    return 'The receiver answered with status 400.';
  };
  for (let minutes = 0; minutes < 120; minutes += 2) {
    await write(project, [{ workflowID: `taken${minutes}` }]);
    await deliverAll(subscription, send);
    await store.database.query(
      `WITH waited AS (UPDATE event_deliveries SET due_at = due_at - interval '2 minutes' WHERE subscription_id = $1)
       UPDATE event_subscriptions SET failing_since = failing_since - interval '2 minutes' WHERE id = $1`,
      [subscription.id],
    );
  }
  expect(attempts).toBeGreaterThan(8);
  expect(attempts).toBeLessThan(16);
});

test('events that retention removes while they wait are left out, and later ones follow', async () => {
  const { project, subscription } = await subscribed();
  await write(project, [{ type: 'instance.started' }, { type: 'instance.completed' }]);
  await deliverAll(subscription, async () => 'The receiver answered with status 500.');
  await store.database.query(
    `UPDATE events SET recorded_at = now() - interval '1 day' WHERE project_id = $1 AND type = 'instance.started'`,
    [project],
  );
  await removeOldEvents(store.database);
  await untilDue(subscription);
  const delivered: EventType[] = [];
  await deliverAll(subscription, async ({ type }) => void delivered.push(type));
  expect(delivered).toEqual(['instance.completed']);
});

test('events that retention removes before they are reached are reported', async () => {
  const { project, subscription } = await subscribed({ enabled: false });
  await write(project, [{}, {}]);
  await store.database.query(`UPDATE events SET recorded_at = now() - interval '1 day' WHERE project_id = $1`, [
    project,
  ]);
  await removeOldEvents(store.database);
  await write(project, [{ workflowID: 'later' }]);
  await updateSubscription(store.database, project, subscription.id, { enabled: true });
  const delivered: string[] = [];
  await deliverAll(subscription, async ({ subject }) => void delivered.push(subject));
  expect(delivered).toEqual(['later']);
  expect((await look(project, subscription)).lastError).toMatch(/^Events up to position \d+ were removed/);
});

test('a project has a bounded number of subscriptions, also when many are created at once', async () => {
  const { project, subscription } = await subscribed();
  const { name, url, secret, types, processIDs, enabled } = subscription;
  const settings = { name, url, secret, types, processIDs, enabled };
  const created = await Promise.all(
    Array.from({ length: 30 }, () =>
      createSubscription(store.database, project, settings, { position: '0', createdBy: 'ann' }),
    ),
  );
  expect(created.filter((one) => !('kind' in one))).toHaveLength(MAX_SUBSCRIPTIONS - 1);
});

test('deleting a subscription or its project deletes what waits for delivery', async () => {
  const { project, subscription } = await subscribed();
  await write(project, [{}]);
  await deliverAll(subscription, async () => 'The receiver answered with status 500.');
  const rows = () => store.database.query('SELECT FROM event_deliveries WHERE subscription_id = $1', [subscription.id]);
  expect((await rows()).rowCount).toBe(1);
  expect(await deleteSubscription(store.database, 'another', subscription.id)).toBeUndefined();
  expect(await deleteProject(store.database, project)).toMatchObject({ kind: 'deleted' });
  await finishDeletion(store.database, project);
  expect((await rows()).rowCount).toBe(0);
});

test('turns of subscriptions that have nothing to deliver read nothing of those that have much', async () => {
  const subscribe = async (count: number) => {
    const { rows } = await store.database.query<{ id: string; project: string }>(
      `WITH p AS (INSERT INTO projects (id, name) SELECT gen_random_uuid(), 'p' FROM generate_series(1, $1::int) RETURNING id)
       INSERT INTO event_subscriptions (project_id, name, url, secret, types, position, created_by)
       SELECT id, 'all', 'https://example.com', 'KEY', '{}', 1000000, 'ann' FROM p RETURNING id, project_id AS project`,
      [count],
    );
    return rows;
  };
  await store.database.query('UPDATE event_subscriptions SET enabled = false');
  const failing = await subscribe(5);
  await subscribe(20);
  await store.database.query(
    `INSERT INTO event_deliveries (subscription_id, position, order_key, attempts, due_at)
     SELECT id, n, n, 1, now() FROM unnest($1::uuid[]) id, generate_series(1, 4000) n`,
    [failing.map(({ id }) => id)],
  );
  await store.database.query(
    `INSERT INTO events (position, project_id, type, subject, data)
     SELECT nextval('event_positions'), project, 'instance.started', 's', '{}' FROM unnest($1::text[]) project, generate_series(1, 4000) n`,
    [failing.map(({ project }) => project)],
  );
  await store.database.query('VACUUM ANALYZE event_deliveries, events, event_subscriptions');
  expect(await rowsReadBy(store, (database) => takeTurns(database as never, 20, 5), /^UPDATE/)).toBeLessThan(200);
});
