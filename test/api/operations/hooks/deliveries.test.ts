/** Deliveries over HTTP: messages they publish, records the host keeps, and responses to senders. */
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  FORMER_SECRET,
  HOOK,
  signed,
  startHookHost,
  type Answered,
  type HookHost,
  type Sent,
} from './support/hook-host.js';

/** Does not move unless a test moves it. */
const clock = { milliseconds: 0 };

let host: HookHost;
beforeAll(async () => {
  host = await startHookHost({ clocks: { time: () => Date.now(), monotonic: () => clock.milliseconds } });
});
afterAll(() => host?.close());

const idOf = (path: string) => path.split('/').at(-1)!;

async function publication(publicationID: string) {
  return (await host.call('viewer', 'GET', `/bpmn/publications/${publicationID}`)).body;
}

describe('a delivery with the right signature', () => {
  it('publishes the message that the expressions make of it', async () => {
    const path = await host.hook({
      correlationKeys: '{ order: body.id }',
      variables: '{ amount: body.amount }',
      ttl: 'PT2H',
    });
    const { status, body } = await host.deliver(path, { id: 7, amount: 12.5 });
    expect({ status, body }).toEqual({
      status: 200,
      body: { outcome: 'PUBLISHED', publicationID: expect.any(String) },
    });
    const found = await publication(body.publicationID);
    expect(found).toMatchObject({
      type: 'message',
      name: 'Order paid',
      correlationKeys: { order: 7 },
      variables: { amount: 12.5 },
      state: 'KEPT',
      publishedBy: `hook:${idOf(path)}`,
    });
    expect(Date.parse(found.expiresAt) - Date.parse(found.publishedAt)).toBeCloseTo(7_200_000, -4);
  });

  it('is kept without any value', async () => {
    const path = await host.hook({ variables: 'body' });
    const { body } = await host.deliver(path, { card: '4111' });
    expect(await host.deliveries(path)).toEqual([
      {
        deliveryID: expect.any(String),
        receivedAt: expect.any(String),
        outcome: 'PUBLISHED',
        publicationID: body.publicationID,
        redeliverable: false,
      },
    ]);
  });

  it('is published in the name of the hook, with the names of its variables', async () => {
    const path = await host.hook({ variables: 'body' });
    const { body } = await host.deliver(path, { card: '4111' });
    const { body: audit } = await host.call('admin', 'GET', '/audit?operation=PublishBpmnMessage&pageSize=1');
    expect(audit.data).toMatchObject([
      {
        actor: `hook:${idOf(path)}`,
        actorType: 'HOOK',
        via: 'HOOK',
        outcome: 'APPLIED',
        hookID: idOf(path),
        publicationID: body.publicationID,
        names: ['card'],
      },
    ]);
    expect(JSON.stringify(audit)).not.toContain('4111');
  });

  it('is ignored if the name of the message is null', async () => {
    const path = await host.hook();
    expect(await host.deliver(path, { ignore: true })).toEqual({ status: 200, body: { outcome: 'IGNORED' } });
    expect(await host.deliveries(path)).toMatchObject([{ outcome: 'IGNORED' }]);
  });

  it('may be signed with the former value of the secret', async () => {
    const path = await host.hook();
    expect((await host.send(path, signed('{}', FORMER_SECRET))).status).toBe(200);
  });

  it('keeps its connection, which any other delivery loses', async () => {
    const path = await host.hook();
    const accepted = await host.send(path, signed('{"amount":1}'));
    expect([accepted.status, accepted.headers['connection']]).toEqual([200, 'keep-alive']);
    const refused = await host.send(path, signed('{"amount":1}', 'another secret'));
    expect([refused.status, refused.headers['connection']]).toEqual([404, 'close']);
  });

  it('may be a form or a text', async () => {
    const path = await host.hook({ messageName: '"m"', variables: '{ given: body }' });
    const form = await host.send(path, signed('a=1&b=2', undefined, 'application/x-www-form-urlencoded'));
    expect((await publication(JSON.parse(form.body).publicationID)).variables).toEqual({ given: { a: '1', b: '2' } });
    const text = await host.send(path, signed('hello', undefined, 'text/plain'));
    expect((await publication(JSON.parse(text.body).publicationID)).variables).toEqual({ given: 'hello' });
  });

  it('shows headers in lower case and the query, but not the header with the secret', async () => {
    const auth = { type: 'HEADER', secret: 'SHOP', header: 'X-Token' };
    const path = await host.hook({ auth, messageName: '"m"', variables: '{ headers: headers, query: query }' });
    const headers = ['X-Token', FORMER_SECRET, 'X-Event', 'one', 'X-EVENT', 'two'];
    const { body } = await host.send(`${path}?shop=1&shop=2&x=%20`, { headers });
    const { variables } = await publication(JSON.parse(body).publicationID);
    expect(variables.query).toEqual({ shop: ['1', '2'], x: ' ' });
    expect(variables.headers['x-event']).toBe('one, two');
    expect(JSON.stringify(variables)).not.toContain(FORMER_SECRET);
  });
});

describe('a delivery that fails', () => {
  it.each([
    ['is not JSON', '{"a":', /not valid JSON/],
    ['is nested 100,000 levels deep', '['.repeat(100_000), /nested more than 64 levels/],
    ['has a number beyond a double', '{"a":1e400}', /round trip/],
    ['is not UTF-8', Buffer.from([0x22, 0xff, 0x22]), /not valid UTF-8/],
    ['lacks what an expression reads', '{"ignore":1}', /variables failed/],
    ['makes an expression fail', '{"amount":"much"}', /variables failed/],
  ])('because its body %s returns 400 and keeps the body', async (_, body, problem) => {
    const path = await host.hook({ messageName: '"m"', variables: '{ a: body.amount + 1 }' });
    const answer = await host.send(path, signed(body));
    expect(answer.status).toBe(400);
    const [delivery] = await host.deliveries(path);
    expect(delivery).toMatchObject({ outcome: 'FAILED', problem: JSON.parse(answer.body).message });
    expect(Buffer.byteLength(delivery.body)).toBeLessThanOrEqual(64 * 1024);
    if (typeof body === 'string') expect(body.startsWith(delivery.body)).toBe(true);
    expect(delivery.problem).toMatch(problem);
  });

  it('keeps the beginning of the largest body', async () => {
    const path = await host.hook();
    const answer = await host.send(path, signed(`"${'x'.repeat(1024 * 1024 - 1)}`));
    expect(answer.status).toBe(400);
    expect((await host.deliveries(path))[0].body).toHaveLength(64 * 1024);
  });

  it('is refused without a trace if the project keeps too many messages', async () => {
    const path = await host.hook({ idempotencyKey: '"once"' });
    await host.store.query(
      `INSERT INTO publications (project_id, type, name, channel, keys, variables, published_by, expires_at)
       SELECT 'p1', 'message', 'other', 'other', '{}', '{}', 'test', now() + interval '1 hour' FROM generate_series(1, 10000)`,
    );
    const answer = await host.send(path, signed('{}'));
    expect({ status: answer.status, retry: answer.headers['retry-after'] }).toEqual({ status: 429, retry: '10' });
    await host.store.query("DELETE FROM publications WHERE name = 'other'");
    expect(await host.deliver(path, {})).toMatchObject({ status: 200, body: { outcome: 'PUBLISHED' } });
    expect(await host.deliveries(path)).toHaveLength(1);
  });
});

describe('the 404', () => {
  const comparable = ({ status, body, headers }: Answered) => ({
    status,
    body: body.replaceAll(headers['x-request-id'] as string, 'ID'),
    headers: { ...headers, date: undefined, 'x-request-id': undefined },
  });

  it('is the same, byte for byte, whatever is wrong', async () => {
    const path = await host.hook();
    const disabled = await host.hook({ enabled: false });
    const nameless = await host.hook({ auth: { ...HOOK.auth, secret: 'MISSING' } });
    const send = async (to: string, sent: Sent) => comparable(await host.send(to, sent));
    const json = ['Content-Type', 'application/json'];
    const right = signed('{}');
    const answers = [
      await send(path, { headers: json, body: '{}' }),
      await send(path, { headers: [...json, 'X-Signature', ''], body: '{}' }),
      await send(path, { headers: [...json, 'X-Signature', 'sha256=00'], body: '{}' }),
      await send(path, signed('{}', 'another-secret')),
      await send(path, { ...right, headers: [...right.headers!, ...right.headers!.slice(2)] }),
      await send(path, { ...right, body: '[]' }),
      await send(path, {}),
      await send(disabled, right),
      await send(nameless, right),
      await send(path.replace('/p1/', '/p2/'), right),
      await send(path.replace('/p1/', '/none/'), right),
      await send(`/hooks/p1/${randomUUID()}`, right),
      await send('/hooks/p1/none', right),
      await send('/hooks/p1', right),
      await send(`${path}/`, right),
      await send('/', right),
    ];
    expect(answers[0]!.status).toBe(404);
    for (const answer of answers) expect(answer).toEqual(answers[0]);
    expect(await host.deliveries(path)).toEqual([]);
  });

  it('costs no statement for a hook that the process knows, and one for any number of tries of an unknown id', async () => {
    const path = await host.hook();
    const unknown = `/hooks/p1/${randomUUID()}`;
    const wrong = signed('{}', 'another-secret');
    await host.send(path, wrong);
    const before = host.statements();
    for (let times = 0; times < 5; times += 1) await host.send(path, wrong);
    expect(host.statements() - before).toBe(0);
    for (let times = 0; times < 5; times += 1) await host.send(unknown, wrong);
    expect(host.statements() - before).toBe(1);
  });
});

describe('a request is refused before its hook is read', () => {
  const unknown = `/hooks/p1/${randomUUID()}`;
  const both = async (sent: Sent) => {
    const path = await host.hook();
    return [await host.send(path, sent), await host.send(unknown, sent)];
  };

  it.each(['GET', 'PUT', 'DELETE', 'OPTIONS'])('with 405 if its method is %s', async (method) => {
    for (const { status, headers } of await both({ method }))
      expect({ status, allow: headers['allow'] }).toEqual({ status: 405, allow: 'POST' });
  });

  it.each(['application/xml', 'application/json; charset=latin1', 'multipart/form-data; boundary=x'])(
    'with 415 if its body is %s',
    async (type) => {
      for (const { status } of await both(signed('{}', undefined, type))) expect(status).toBe(415);
    },
  );

  it('with 415 if its body is compressed', async () => {
    const sent = signed('{}');
    for (const { status } of await both({ ...sent, headers: [...sent.headers!, 'Content-Encoding', 'gzip'] }))
      expect(status).toBe(415);
  });

  it('with 413 if its body is larger than 1 MiB, also if it does not say so', async () => {
    const large = signed('x'.repeat(1024 * 1024 + 1), undefined, 'text/plain');
    for (const { status } of await both(large)) expect(status).toBe(413);
    const { status } = await fetch(`${(await host.serveAnother()).url}${unknown}`, {
      method: 'POST',
      headers: { 'Content-Type': 'text/plain' },
      body: new Blob(['x'.repeat(2 * 1024 * 1024)]).stream(),
      duplex: 'half',
    } as RequestInit);
    expect(status).toBe(413);
  });

  it('but not if its body has exactly 1 MiB', async () => {
    const path = await host.hook({ messageName: '"m"' });
    expect((await host.send(path, signed('x'.repeat(1024 * 1024), undefined, 'text/plain'))).status).toBe(200);
  });
});

describe('a hook', () => {
  it('takes 100 deliveries per second, then returns 429', async () => {
    const path = await host.hook({ messageName: 'null' });
    const answers = await Promise.all(Array.from({ length: 110 }, () => host.send(path, signed('{}'))));
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(100);
    const refused = answers.filter(({ status }) => status === 429);
    expect(refused).toHaveLength(10);
    expect(refused[0]!.headers['retry-after']).toBe('1');
    clock.milliseconds += 1_000;
    expect((await host.send(path, signed('{}'))).status).toBe(200);
  });

  it('is not held up by requests with a wrong signature', async () => {
    const path = await host.hook({ messageName: 'null' });
    await Promise.all(Array.from({ length: 120 }, () => host.send(path, signed('{}', 'another-secret'))));
    expect((await host.send(path, signed('{}'))).status).toBe(200);
  });

  it('is changed for deliveries that a process has already authenticated', async () => {
    const path = await host.hook({ messageName: '"before"' });
    await host.deliver(path, {});
    await host.call('editor', 'PUT', `/hooks/${idOf(path)}`, { ...HOOK, messageName: '"after"' });
    const { body } = await host.deliver(path, {});
    expect((await publication(body.publicationID)).name).toBe('after');
    await host.call('editor', 'PUT', `/hooks/${idOf(path)}`, { ...HOOK, enabled: false });
    expect((await host.send(path, signed('{}'))).status).toBe(404);
  });

  it('that is deleted publishes nothing anymore', async () => {
    const path = await host.hook();
    await host.deliver(path, {});
    await host.call('editor', 'DELETE', `/hooks/${idOf(path)}`);
    expect((await host.send(path, signed('{}'))).status).toBe(404);
  });

  it('accepts a new signature everywhere within five seconds', async () => {
    const path = await host.hook({ auth: { type: 'STRIPE', secret: 'SHOP' } });
    expect((await host.send(path, signed('{}'))).status).toBe(404);
    await host.call('editor', 'PUT', `/hooks/${idOf(path)}`, HOOK);
    clock.milliseconds += 5_000;
    expect((await host.send(path, signed('{}'))).status).toBe(200);
  });
});
