/** Deliveries that are sent again: published once, whatever happens in between. */
import { createHmac } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { MAX_BODIES, removeOldDeliveries } from '../../../../store/hooks/deliveries.js';
import { exchange, SECRET, signed, STANDARD_SECRET, startHookHost, type HookHost } from './support/hook-host.js';
import { eventually } from '../../../support/eventually.js';

let host: HookHost;
beforeAll(async () => void (host = await startHookHost()));
afterAll(() => host?.close());

const sign = (key: string | Buffer, text: string, encoding: 'hex' | 'base64') =>
  createHmac('sha256', key).update(text).digest(encoding);

function standard(id: string, at: number) {
  const signature = sign(Buffer.from(STANDARD_SECRET, 'base64'), `${id}.${at}.{}`, 'base64');
  const headers = ['webhook-id', id, 'webhook-timestamp', String(at), 'webhook-signature', `v1,${signature}`];
  return { headers: ['Content-Type', 'application/json', ...headers], body: '{}' };
}

function stripe(id: string, at: number) {
  const body = JSON.stringify({ id });
  // An attacker can add signatures that do not verify.
  const signature = `t=${at},v1=${sign(SECRET, `${at}.${body}`, 'hex')},v1=${Math.random()}`;
  return { headers: ['Content-Type', 'application/json', 'Stripe-Signature', signature], body };
}

const once = { idempotencyKey: 'body.event' };
const event = (name: string) => JSON.stringify({ event: name });

async function publications(hook: string): Promise<number> {
  const { rows } = await host.store.query('SELECT count(*)::int AS count FROM publications WHERE published_by = $1', [
    `hook:${hook.split('/').at(-1)}`,
  ]);
  return rows[0]!.count;
}

it('a hook answers the first publication', async () => {
  const path = await host.hook(once);
  const first = await host.deliver(path, { event: 'e1' });
  const again = await host.deliver(path, { event: 'e1', more: true });
  expect(again).toEqual({
    status: 200,
    body: { outcome: 'REPEATED', publicationID: first.body.publicationID },
  });
  expect(await publications(path)).toBe(1);
  expect((await host.deliveries(path)).map(({ outcome }) => outcome)).toEqual(['REPEATED', 'PUBLISHED']);
});

it('the same key at another hook is another delivery', async () => {
  const [one, other] = [await host.hook(once), await host.hook(once)];
  for (const [path, name] of [
    [one, 'e1'],
    [one, 'e2'],
    [other, 'e1'],
  ] as const)
    expect((await host.deliver(path, { event: name })).body.outcome).toBe('PUBLISHED');
});

it('a hook publishes each delivery without a key', async () => {
  const path = await host.hook({ idempotencyKey: 'body.event' });
  for (let times = 0; times < 2; times += 1)
    expect((await host.deliver(path, { event: null })).body.outcome).toBe('PUBLISHED');
});

it('twenty concurrent deliveries at two processes are published once', async () => {
  const path = await host.hook(once);
  const another = await host.serveAnother();
  const answers = await Promise.all(
    Array.from({ length: 20 }, async (_, index) =>
      index % 2 === 0 ? host.send(path, signed(event('e'))) : exchange(`${another.url}${path}`, signed(event('e'))),
    ),
  );
  const bodies = answers.map(({ body }) => JSON.parse(body));
  expect(bodies.filter(({ outcome }) => outcome === 'PUBLISHED')).toHaveLength(1);
  expect(bodies.filter(({ outcome }) => outcome === 'REPEATED')).toHaveLength(19);
  expect(new Set(bodies.map(({ publicationID }) => publicationID)).size).toBe(1);
  expect(await publications(path)).toBe(1);
});

it('a hook publishes again when the key is older than a day', async () => {
  const path = await host.hook(once);
  await host.deliver(path, { event: 'e' });
  await host.store.query("UPDATE idempotency_keys SET created_at = now() - interval '25 hours'");
  expect((await host.deliver(path, { event: 'e' })).body.outcome).toBe('PUBLISHED');
});

it('a delivery whose connection to Postgres is cut off leaves nothing, and is published when it comes again', async () => {
  const path = await host.hook(once);
  await host.store.transaction(async (blocker) => {
    await blocker.query('LOCK TABLE hook_deliveries IN ACCESS EXCLUSIVE MODE');
    const answer = host.send(path, signed(event('e')));
    // The delivery has published its message and waits to write its own row.
    const waiting = `SELECT pid FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock' AND query LIKE 'INSERT INTO hook_deliveries%'`;
    const look = async () => (await host.store.query<{ pid: number }>(waiting)).rows;
    const [found] = await eventually(look, ({ length }) => length === 1);
    await blocker.query('SELECT pg_terminate_backend($1)', [found!.pid]);
    expect((await answer).status).toBe(503);
  });
  expect(await publications(path)).toBe(0);
  expect(await host.deliver(path, { event: 'e' })).toMatchObject({ status: 200, body: { outcome: 'PUBLISHED' } });
  expect(await publications(path)).toBe(1);
});

it('a hook keeps the bodies of the newest 1,000 failures', async () => {
  const path = await host.hook({ messageName: 'body + 1' });
  const hookID = path.split('/').at(-1);
  await host.store.query(
    `INSERT INTO hook_deliveries (project_id, hook_id, outcome, problem, body) SELECT 'p1', $1, 'FAILED', 'p', 'b' FROM generate_series(1, $2)`,
    [hookID, MAX_BODIES],
  );
  await host.send(path, signed('"x"'));
  const { rows } = await host.store.query(
    'SELECT count(*)::int AS all, count(body)::int AS kept, min(number) FILTER (WHERE body IS NULL) = min(number) AS oldest FROM hook_deliveries WHERE hook_id = $1',
    [hookID],
  );
  expect(rows[0]).toEqual({ all: MAX_BODIES + 1, kept: MAX_BODIES, oldest: true });
});

describe.each(['STANDARD', 'STRIPE'] as const)('a %s delivery that is sent again', (type) => {
  // A delivery that is sent again has its former time.
  const begin = Math.floor(Date.now() / 1000);
  const auth = { type, secret: type === 'STANDARD' ? 'STANDARD' : 'SHOP' };
  const deliver = async (path: string, id: string, changed: { at?: number; more?: string[] } = {}) => {
    const at = begin + (changed.at ?? 0);
    const { headers, body } = type === 'STANDARD' ? standard(id, at) : stripe(id, at);
    const { body: answer } = await host.send(path, { headers: [...headers, ...(changed.more ?? [])], body });
    return JSON.parse(answer);
  };

  const old = (seconds: number) =>
    host.store.query(
      "UPDATE idempotency_keys SET created_at = created_at - make_interval(secs => $1) WHERE operation_id = 'ReceiveWebhookDelivery'",
      [seconds],
    );

  it('is published once, without an idempotencyKey and with one from a header that the signature does not cover', async () => {
    for (const idempotencyKey of [undefined, 'headers.`x-event`']) {
      const path = await host.hook({ auth, ...(idempotencyKey && { idempotencyKey }) });
      const first = await deliver(path, 'm1', { more: ['X-Event', '1'] });
      expect(first.outcome).toBe('PUBLISHED');
      expect(await deliver(path, 'm1', { more: ['X-Event', '2'] })).toEqual({ ...first, outcome: 'REPEATED' });
      // The key of a repeat leads to the same message.
      if (idempotencyKey)
        expect(await deliver(path, 'm2', { more: ['X-Event', '2'] })).toEqual({ ...first, outcome: 'REPEATED' });
      expect(await publications(path)).toBe(1);
      expect((await deliver(path, 'm3', { more: ['X-Event', '3'] })).outcome).toBe('PUBLISHED');
    }
  });

  it('is published once by many at the same time', async () => {
    const path = await host.hook({ auth });
    const answers = await Promise.all(Array.from({ length: 10 }, () => deliver(path, 'm')));
    expect(answers.filter(({ outcome }) => outcome === 'PUBLISHED')).toHaveLength(1);
    expect(new Set(answers.map(({ publicationID }) => publicationID)).size).toBe(1);
  });

  it('is one also at a process whose clock is so far behind that it still accepts the signature', async () => {
    const path = await host.hook({ auth });
    const first = await deliver(path, 'late');
    await old(310);
    expect(await deliver(path, 'late')).toEqual({ ...first, outcome: 'REPEATED' });
  });

  it('is one for ten minutes, counted from its own time if its clock is ahead', async () => {
    const path = await host.hook({ auth });
    await deliver(path, 'ahead', { at: 200 });
    await old(610);
    expect((await deliver(path, 'ahead', { at: 200 })).outcome).toBe('REPEATED');
    await old(300);
    expect((await deliver(path, 'ahead', { at: 200 })).outcome).toBe('PUBLISHED');
  });
});

it('a hook forgets deliveries after seven days', async () => {
  const path = await host.hook();
  await host.deliver(path, {});
  await host.store.query("UPDATE hook_deliveries SET received_at = now() - interval '8 days' WHERE hook_id = $1", [
    path.split('/').at(-1),
  ]);
  await host.deliver(path, {});
  expect(await host.deliveries(path)).toHaveLength(1);
  expect(await removeOldDeliveries(host.store)).toBe(1);
  expect(await removeOldDeliveries(host.store)).toBe(0);
});
