/** Failed deliveries that an editor delivers again, by the expressions that the hook has then. */
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { signatureOf } from '../../../../outbound/standard-webhooks.js';
import { MAX_BODIES } from '../../../../store/hooks/deliveries.js';
import { FORMER_SECRET, HOOK, STANDARD_SECRET, signed, startHookHost, type HookHost } from './support/hook-host.js';

let host: HookHost;
beforeAll(async () => void (host = await startHookHost()));
afterAll(() => host?.close());

const idOf = (path: string) => path.split('/').at(-1)!;

/** Replaces the hook, which is like `HOOK`. */
const change = (path: string, changed: Record<string, unknown>) =>
  host.call('editor', 'PUT', `/hooks/${idOf(path)}`, { ...HOOK, ...changed });

const again = (path: string, deliveryID: string, role = 'editor', project?: string) =>
  host.call(role, 'POST', `/hooks/${idOf(path)}/deliveries/${deliveryID}/redeliver`, undefined, project);

const newest = async (path: string) => (await host.deliveries(path))[0];

/** Those of the hook, with their variables. */
async function publications(path: string) {
  const { body: list } = await host.call('viewer', 'GET', '/bpmn/publications?pageSize=100');
  const own = (list.data as Record<string, string>[]).filter(({ publishedBy }) => publishedBy === `hook:${idOf(path)}`);
  return Promise.all(
    own.map(
      async ({ publicationID }) => (await host.call('viewer', 'GET', `/bpmn/publications/${publicationID}`)).body,
    ),
  );
}

/** A hook with a failed delivery of the body. */
async function failed(body: string | Uint8Array = '{"order":7}', changed: Record<string, unknown> = {}) {
  const path = await host.hook({ messageName: 'body.missing', ...changed });
  expect((await host.send(path, signed(body))).status).toBe(400);
  return { path, ...(await newest(path)) } as { path: string; deliveryID: string; receivedAt: string; body: string };
}

describe('a failed delivery', () => {
  it('publishes what the corrected hook makes of it, and keeps its record without the body', async () => {
    const { path, deliveryID, receivedAt } = await failed();
    await change(path, { messageName: '"paid"', correlationKeys: '{ order: body.order }', variables: 'body' });
    const { status, body } = await again(path, deliveryID);
    const expected = {
      deliveryID,
      receivedAt,
      outcome: 'PUBLISHED',
      publicationID: expect.any(String),
      redeliverable: false,
    };
    expect({ status, body }).toEqual({ status: 200, body: expected });
    expect(await host.deliveries(path)).toEqual([body]);
    expect(await publications(path)).toMatchObject([
      { publicationID: body.publicationID, name: 'paid', correlationKeys: { order: 7 }, variables: { order: 7 } },
    ]);
  });

  it('shows the expressions the headers and the query that came with it, but not the secret', async () => {
    const auth = { type: 'HEADER', secret: 'SHOP', header: 'X-Token' };
    const path = await host.hook({ auth, messageName: 'body.missing' });
    const headers = ['X-Token', FORMER_SECRET, 'X-Event', 'one', 'X-EVENT', 'two'];
    const form = { headers: [...headers, 'Content-Type', 'application/x-www-form-urlencoded'], body: 'a=1&a=2' };
    expect((await host.send(`${path}?shop=1&x=%20`, form)).status).toBe(400);
    const { rows } = await host.store.query('SELECT request::text AS kept FROM hook_deliveries WHERE hook_id = $1', [
      idOf(path),
    ]);
    expect(rows[0]!['kept']).not.toContain(FORMER_SECRET);
    await change(path, { auth, messageName: '"m"', variables: '{ body: body, headers: headers, query: query }' });
    expect(await again(path, (await newest(path)).deliveryID)).toMatchObject({ body: { outcome: 'PUBLISHED' } });
    const [{ variables }] = await publications(path);
    expect(variables).toMatchObject({ body: { a: ['1', '2'] }, query: { shop: '1', x: ' ' } });
    expect(variables.headers).toMatchObject({ 'x-event': 'one, two', 'content-type': form.headers.at(-1) });
    expect(variables.headers).not.toHaveProperty('x-token');
  });

  it('does not show a header that has become the secret one', async () => {
    const path = await host.hook({ messageName: 'body.missing' });
    const { headers = [], body } = signed('{}');
    await host.send(path, { headers: [...headers, 'X-Token', 'abc'], body: body! });
    const auth = { type: 'HEADER', secret: 'SHOP', header: 'X-Token' };
    await change(path, { auth, messageName: '"m"', variables: 'headers' });
    await again(path, (await newest(path)).deliveryID);
    const [{ variables }] = await publications(path);
    expect(variables).not.toHaveProperty('x-token');
    expect(variables).toHaveProperty('x-signature');
  });

  it('may be ignored, and may fail again with its body kept', async () => {
    const { path, deliveryID, body: kept } = await failed();
    await change(path, { messageName: 'body.alsoMissing' });
    const second = await again(path, deliveryID);
    expect(second).toMatchObject({ status: 200, body: { outcome: 'FAILED', body: kept } });
    expect(second.body.problem).toContain('alsoMissing');
    await change(path, { messageName: 'null' });
    expect((await again(path, deliveryID)).body).toMatchObject({ outcome: 'IGNORED' });
    expect(await newest(path)).not.toHaveProperty('body');
  });

  it('of no bytes, of a byte order mark, and of exactly 64 KiB is kept whole', async () => {
    for (const body of ['', '\uFEFF{"a":1}', `"${'x'.repeat(64 * 1024 - 2)}"`]) {
      const { path, deliveryID } = await failed(body);
      await change(path, { messageName: '"m"' });
      expect(await newest(path)).toMatchObject({ redeliverable: true });
      expect(await again(path, deliveryID)).toMatchObject({ status: 200, body: { outcome: 'PUBLISHED' } });
    }
  });

  it('is in the audit log with the one who delivered it again and the names of the variables', async () => {
    const { path, deliveryID } = await failed('{"card":"4111"}');
    await change(path, { messageName: '"m"', variables: 'body' });
    const { body } = await again(path, deliveryID);
    const { body: audit } = await host.call('admin', 'GET', `/audit?pageSize=1`);
    expect(audit.data).toMatchObject([
      {
        actor: 'editor',
        operation: 'RedeliverHookDelivery',
        outcome: 'APPLIED',
        hookID: idOf(path),
        publicationID: body.publicationID,
        names: ['card'],
        details: { deliveryID, outcome: 'PUBLISHED' },
      },
    ]);
    expect(JSON.stringify(audit)).not.toContain('4111');
  });
});

describe('idempotency counts as for any delivery:', () => {
  it('a delivery with the key of a published one is a repeat', async () => {
    const { path, deliveryID } = await failed();
    await change(path, { messageName: '"m"', idempotencyKey: 'body.order' });
    const { body: sentAgain } = await host.deliver(path, { order: 7 });
    expect((await again(path, deliveryID)).body).toMatchObject({ ...sentAgain, outcome: 'REPEATED' });
    expect(await publications(path)).toHaveLength(1);
  });

  it('a signed delivery that its sender repeats in time is the same', async () => {
    const auth = { type: 'STANDARD', secret: 'STANDARD' };
    const path = await host.hook({ auth, messageName: 'body.missing' });
    const timestamp = String(Math.floor(Date.now() / 1000));
    const signature = signatureOf(Buffer.from(STANDARD_SECRET, 'base64'), {
      id: 'm1',
      timestamp,
      body: Buffer.from('{}'),
    });
    const headers = ['Content-Type', 'application/json', 'webhook-id', 'm1', 'webhook-timestamp', timestamp];
    const send = () => host.send(path, { headers: [...headers, 'webhook-signature', signature], body: '{}' });
    expect((await send()).status).toBe(400);
    const { deliveryID } = await newest(path);
    await change(path, { auth, messageName: '"m"' });
    const { body } = await again(path, deliveryID);
    expect(body.outcome).toBe('PUBLISHED');
    expect(JSON.parse((await send()).body)).toEqual({ outcome: 'REPEATED', publicationID: body.publicationID });
  });

  it('is left as it was by a delivery that the project has no room for', async () => {
    const { path, deliveryID } = await failed();
    await change(path, { messageName: '"m"', idempotencyKey: 'body.order' });
    await host.store.query(
      `INSERT INTO publications (project_id, type, name, channel, keys, variables, published_by, expires_at)
       SELECT 'p1', 'message', 'other', 'other', '{}', '{}', 'test', now() + interval '1 hour' FROM generate_series(1, 10000)`,
    );
    const refused = await again(path, deliveryID);
    expect(refused).toMatchObject({ status: 429, body: { code: 'TOO_MANY_REQUESTS' } });
    await host.store.query("DELETE FROM publications WHERE name = 'other'");
    expect((await again(path, deliveryID)).body.outcome).toBe('PUBLISHED');
  });
});

describe('of many requests at once', () => {
  it.each(['"m"', 'body.alsoMissing'])(
    'one delivers, and the others conflict, if the name is %s',
    async (messageName) => {
      const { path, deliveryID } = await failed();
      await change(path, { messageName });
      // Those that read the delivery before the first one is done; each waits for the lock of this transaction.
      const answers = await host.store.transaction(async (transaction) => {
        await transaction.query('SELECT FROM hook_deliveries WHERE id = $1 FOR UPDATE', [deliveryID]);
        const sent = Array.from({ length: 4 }, () => again(path, deliveryID));
        await waitingForLock(4);
        return { sent };
      });
      const statuses = (await Promise.all(answers.sent)).map(({ status }) => status).toSorted();
      expect(statuses).toEqual([200, 409, 409, 409]);
      expect(await publications(path)).toHaveLength(messageName === '"m"' ? 1 : 0);
    },
  );

  it('evaluates again if the hook is changed in between', async () => {
    const { path, deliveryID } = await failed();
    await change(path, { messageName: '"before"' });
    const { sent } = await host.store.transaction(async (transaction) => {
      await transaction.query('SELECT FROM hook_deliveries WHERE id = $1 FOR UPDATE', [deliveryID]);
      const one = again(path, deliveryID);
      await waitingForLock(1);
      await change(path, { messageName: '"after"' });
      return { sent: one };
    });
    expect((await sent).status).toBe(200);
    expect(await publications(path)).toMatchObject([{ name: 'after' }]);
  });
});

/** Until so many connections wait for a row. */
async function waitingForLock(count: number) {
  await expect
    .poll(async () => {
      const { rows } = await host.store.query(
        "SELECT count(*)::int AS n FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'",
      );
      return rows[0]!['n'] as number;
    })
    .toBe(count);
}

describe('the request is refused with 409', () => {
  it('unless the delivery failed', async () => {
    const path = await host.hook();
    for (const [json, outcome] of [
      [{}, 'PUBLISHED'],
      [{ ignore: true }, 'IGNORED'],
    ]) {
      await host.deliver(path, json);
      const { status, body } = await again(path, (await newest(path)).deliveryID);
      expect({ status, message: body.message }).toEqual({
        status: 409,
        message: `The delivery is ${outcome}. Only a FAILED one can be delivered again.`,
      });
    }
  });

  it.each([
    ['is one byte too large', `"${'x'.repeat(64 * 1024 - 1)}"`],
    ['is not UTF-8', Buffer.from([0x22, 0xff, 0x22])],
    ['has a NUL', '"\0"'],
  ])('if its body %s', async (_, body) => {
    const { path, deliveryID } = await failed(body);
    await change(path, { messageName: '"m"' });
    expect(await newest(path)).toMatchObject({ outcome: 'FAILED', redeliverable: false });
    const answer = await again(path, deliveryID);
    expect(answer).toMatchObject({ status: 409, body: { code: 'CONFLICT' } });
    expect(answer.body.message).toContain('not kept whole');
    expect(await publications(path)).toEqual([]);
  });

  it('if newer failures have displaced its body', async () => {
    const { path, deliveryID } = await failed();
    await host.store.query(
      `INSERT INTO hook_deliveries (project_id, hook_id, outcome, body)
       SELECT 'p1', $1, 'FAILED', '' FROM generate_series(1, ${MAX_BODIES - 1})`,
      [idOf(path)],
    );
    await host.send(path, signed('{}'));
    expect(await again(path, deliveryID)).toMatchObject({ status: 409, body: { code: 'CONFLICT' } });
  });

  it('if the hook is disabled', async () => {
    const { path, deliveryID } = await failed();
    await change(path, { messageName: '"m"', enabled: false });
    const answer = await again(path, deliveryID);
    expect(answer).toMatchObject({ status: 409, body: { message: expect.stringContaining('disabled') } });
    expect((await newest(path)).outcome).toBe('FAILED');
  });
});

it('a delivery is not found for another hook, another project, an old delivery, and a viewer', async () => {
  const { path, deliveryID } = await failed();
  const other = await host.hook();
  const { body: notFound } = await again(path, randomUUID());
  expect(notFound.code).toBe('NOT_FOUND');
  expect((await again(other, deliveryID)).status).toBe(404);
  expect((await again(path, deliveryID, 'editor', 'p2')).status).toBe(404);
  expect((await again(path, deliveryID, 'viewer')).status).toBe(404);
  await host.store.query("UPDATE hook_deliveries SET received_at = now() - interval '8 days' WHERE id = $1", [
    deliveryID,
  ]);
  expect((await again(path, deliveryID)).status).toBe(404);
});
