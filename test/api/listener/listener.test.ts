/** The limits of a listener on connections and on the time of its clients, without an API on top. */
import type { IncomingMessage, ServerResponse } from 'node:http';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { openListener, type ListenerOptions } from '../../../api/listener/listener.js';
import { drop, head, open, openIdle, recordRefusals, shortTimes, statusOf, type Client } from './support.js';

const MIB = 1024 * 1024;
const closing: (() => Promise<void> | void)[] = [];

afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close();
});

interface Given extends Partial<ListenerOptions> {
  handle?(incoming: IncomingMessage, outgoing: ServerResponse, identified: () => void): void;
}

async function listen({ handle = (_, outgoing) => void outgoing.end('ok'), ...options }: Given) {
  const { reasons, report } = recordRefusals();
  const { server, url } = await openListener(
    { handle, refuse: (outgoing) => void outgoing.writeHead(429).end() },
    { host: '127.0.0.1', port: 0, times: shortTimes, report, ...options },
  );
  closing.push(async () => {
    const closed = new Promise((resolve) => server.close(resolve));
    server.closeAllConnections();
    await closed;
  });
  const connections = () => new Promise<number>((resolve) => server.getConnections((_, count) => resolve(count)));
  return { server, url, reasons, connections };
}

function dropLater<Given extends Client | Client[]>(clients: Given): Given {
  closing.push(() => drop([clients].flat()));
  return clients;
}

describe('a client that does not read its answer', () => {
  it('is cut off, and the unread output is dropped', async () => {
    const body = 'x'.repeat(8 * MIB);
    const { url, reasons, connections } = await listen({ handle: (_, outgoing) => void outgoing.end(body) });
    const clients = dropLater(await Promise.all([open(url), open(url)]));
    for (const { socket } of clients) {
      socket.pause();
      socket.write(head('GET', '/'));
    }
    await vi.waitFor(async () => expect(await connections()).toBe(0), { timeout: 10_000 });
    expect(reasons).toEqual(['slow_reader', 'slow_reader']);
    for (const { socket } of clients) socket.resume();
    await Promise.all(clients.map(({ closed }) => closed));
    for (const { text } of clients) expect(text().length).toBeLessThan(body.length);
  });

  it('is cut off although it reads a little now and then', async () => {
    const { url, reasons } = await listen({ handle: (_, outgoing) => void outgoing.end('x'.repeat(32 * MIB)) });
    const client = dropLater(await open(url));
    client.socket.pause();
    client.socket.write(head('GET', '/'));
    const trickle = setInterval(() => client.socket.read(1), 20);
    closing.push(() => clearInterval(trickle));
    await vi.waitFor(() => expect(reasons).toEqual(['slow_reader']), { timeout: 10_000 });
  });

  it('cannot save up time by reading quickly before', async () => {
    const { url, reasons } = await listen({ handle: (_, outgoing) => void outgoing.end('x'.repeat(32 * MIB)) });
    const client = dropLater(await open(url));
    // At once: a moment later all of it could have arrived.
    client.socket.on('data', () => client.text().length > MIB && client.socket.pause());
    client.socket.write(head('GET', '/'));
    await vi.waitFor(() => expect(reasons).toEqual(['slow_reader']), { timeout: 10_000 });
  });

  it('has all the time that the slowest rate allows', async () => {
    const { url, reasons } = await listen({
      handle: (_, outgoing) => void outgoing.end('x'.repeat(16 * MIB)),
      times: { ...shortTimes, readingGrace: 3_000 },
    });
    const client = dropLater(await open(url));
    client.socket.pause();
    client.socket.write(head('GET', '/'));
    const sip = setInterval(() => {
      client.socket.resume();
      setImmediate(() => client.socket.pause());
    }, 10);
    closing.push(() => clearInterval(sip));
    await vi.waitFor(() => expect(client.text().length).toBeGreaterThan(16 * MIB), { timeout: 25_000 });
    expect(reasons).toEqual([]);
  });

  it('is cut off when it sends requests without reading answers', async () => {
    const { url, reasons, connections } = await listen({ handle: (_, outgoing) => void outgoing.end('x'.repeat(MIB)) });
    const client = dropLater(await open(url));
    client.socket.pause();
    client.socket.write(head('GET', '/').repeat(12));
    await vi.waitFor(async () => expect(await connections()).toBe(0), { timeout: 10_000 });
    expect(reasons).toEqual(['slow_reader']);
  });
});

describe('a request', () => {
  it('without progress ends with its connection', async () => {
    const { url, reasons } = await listen({ handle: () => undefined, times: { ...shortTimes, noProgress: 300 } });
    const client = dropLater(await open(url));
    client.socket.write(head('GET', '/'));
    await client.closed;
    expect(reasons).toEqual(['no_progress']);
  });

  it('after another one on its connection waits for the answer of that one', async () => {
    const begun: string[] = [];
    const ends: (() => void)[] = [];
    const { url } = await listen({
      handle({ url: path }, outgoing) {
        begun.push(path!);
        ends.push(() => void outgoing.end(path));
      },
    });
    const client = dropLater(await open(url));
    client.socket.write(head('GET', '/a') + head('GET', '/b') + head('GET', '/c'));
    for (const expected of [['/a'], ['/a', '/b'], ['/a', '/b', '/c']]) {
      await vi.waitFor(() => expect(ends).toHaveLength(1), { timeout: 10_000 });
      expect(begun).toEqual(expected);
      ends.shift()!();
    }
    await vi.waitFor(() => expect(client.text()).toMatch(/\/a[^]*\/b[^]*\/c/), { timeout: 10_000 });
  });

  it('after an answer that closes the connection is not begun', async () => {
    let begun = 0;
    const { url } = await listen({
      handle(_, outgoing) {
        begun += 1;
        outgoing.writeHead(404, { Connection: 'close' }).end();
      },
    });
    const client = dropLater(await open(url));
    client.socket.write(head('POST', '/', ['Content-Length: 0']).repeat(10));
    await client.closed;
    expect(begun).toBe(1);
  });

  it('with too many others on its connection ends the connection', async () => {
    let begun = 0;
    const { url, reasons } = await listen({ handle: () => void (begun += 1) });
    const client = dropLater(await open(url));
    client.socket.write(head('GET', '/').repeat(500));
    await client.closed;
    expect(reasons).toEqual(['pipelining']);
    expect(begun).toBe(1);
  });
});

describe('an idle connection', () => {
  it('whose client has not read what was sent leaves nothing of it with the kernel', async () => {
    const body = 'x'.repeat(MIB);
    const { url, connections } = await listen({
      handle: (_, outgoing) => void outgoing.end(body),
      times: { ...shortTimes, keepAlive: 50, readingGrace: 10_000 },
    });
    const client = dropLater(await open(url));
    client.socket.pause();
    client.socket.write(head('GET', '/'));
    await vi.waitFor(async () => expect(await connections()).toBe(0), { timeout: 10_000 });
    client.socket.resume();
    await client.closed;
    expect(client.text().length).toBeLessThan(body.length);
  });

  it('is closed after its keep-alive, and is not reported', async () => {
    const { url, reasons } = await listen({ times: { ...shortTimes, keepAlive: 50 } });
    const [client] = dropLater(await openIdle(url, 1, '127.0.0.1'));
    await client!.closed;
    expect(reasons).toEqual([]);
  });
});

describe('connections from one address', () => {
  it('above its share are refused with 429, and another address is served', async () => {
    const { url, reasons } = await listen({ limits: { connections: 100, perAddress: 5 } });
    dropLater(await openIdle(url, 5, '127.0.0.2'));
    const refused = dropLater(await open(url, '127.0.0.2'));
    expect(await statusOf(refused)).toBe(429);
    expect(refused.text()).toMatch(
      /\r\nRetry-After: 5\r\n[^]*"message":"Limit reached: too many connections from this address"/,
    );
    await refused.closed;
    expect(reasons).toEqual(['address']);
    const [other] = dropLater(await openIdle(url, 1, '127.0.0.3'));
    expect(await statusOf(other!)).toBe(200);
  });

  it('are admitted again when others have been closed', async () => {
    const { url, connections } = await listen({ limits: { connections: 100, perAddress: 5 } });
    drop(await openIdle(url, 5, '127.0.0.2'));
    await vi.waitFor(async () => expect(await connections()).toBe(0), { timeout: 10_000 });
    const again = dropLater(await openIdle(url, 5, '127.0.0.2'));
    for (const client of again) expect(await statusOf(client)).toBe(200);
  });

  it('have a share with those of their neighbors', async () => {
    const { url, reasons } = await listen({ limits: { connections: 100, perAddress: 2 } });
    for (let neighbor = 1; neighbor <= 4; neighbor += 1) dropLater(await openIdle(url, 2, `127.0.1.${neighbor}`));
    expect(await statusOf(dropLater(await open(url, '127.0.1.5')))).toBe(429);
    expect(reasons).toEqual(['network']);
    const [stranger] = dropLater(await openIdle(url, 1, '127.0.2.5'));
    expect(await statusOf(stranger!)).toBe(200);
  });

  it('cannot take the places of all addresses by being refused', async () => {
    const { url, connections } = await listen({ limits: { connections: 10, perAddress: 2 } });
    const flood = dropLater(await Promise.all(Array.from({ length: 300 }, () => open(url, '127.0.0.2'))));
    const [other] = dropLater(await openIdle(url, 1, '127.0.3.1'));
    expect(await statusOf(other!)).toBe(200);
    await vi.waitFor(async () => expect(await connections()).toBeLessThanOrEqual(3), { timeout: 10_000 });
    expect(flood.filter(({ socket }) => !socket.destroyed)).toHaveLength(2);
  });
});

it('all connections of a listener have a limit, above which they are refused with 503', async () => {
  const { url, reasons } = await listen({ limits: { connections: 3, perAddress: 10 } });
  dropLater(await openIdle(url, 3, '127.0.0.1'));
  const refused = dropLater(await open(url, '127.0.4.1'));
  expect(await statusOf(refused)).toBe(503);
  expect(refused.text()).toMatch(/\r\nRetry-After: 5\r\n/);
  expect(reasons).toEqual(['total']);
});

describe('a trusted proxy', () => {
  const behind = (address: string) => [`X-Forwarded-For: ${address}`];

  it('may have the connections of 500 callers, and any other address is refused at its share', async () => {
    const { url, reasons } = await listen({ trustedProxies: ['127.0.0.9'] });
    const callers = await Promise.all(
      Array.from({ length: 500 }, async (_, caller) => {
        const [client] = await openIdle(url, 1, '127.0.0.9', behind(`10.0.${caller >> 8}.${caller & 255}`));
        return client!;
      }),
    );
    dropLater(callers);
    expect(callers.filter(({ text }) => text().startsWith('HTTP/1.1 200 '))).toHaveLength(500);
    expect(reasons).toEqual([]);
    const untrusted = dropLater(await Promise.all(Array.from({ length: 500 }, () => open(url, '127.0.0.8'))));
    for (const { socket } of untrusted) socket.write(head('GET', '/', behind('10.9.9.9')));
    await vi.waitFor(
      () => expect(untrusted.filter(({ text }) => text().startsWith('HTTP/1.1 200 '))).toHaveLength(256),
      { timeout: 10_000 },
    );
    await vi.waitFor(() => expect(reasons).toHaveLength(244), { timeout: 10_000 });
    expect(new Set(reasons)).toEqual(new Set(['address']));
  });

  it('has its requests counted by the address that it forwards, until their token is known', async () => {
    const held: { outgoing: ServerResponse; identified: () => void }[] = [];
    const { url, reasons } = await listen({
      trustedProxies: ['127.0.0.9'],
      limits: { connections: 100, perAddress: 2 },
      handle: (_, outgoing, identified) => void held.push({ outgoing, identified }),
    });
    const send = async (address: string) => {
      const client = dropLater(await open(url, '127.0.0.9'));
      client.socket.write(head('GET', '/', behind(address)));
      return client;
    };
    await send('10.0.0.1');
    await send('10.0.0.1');
    await vi.waitFor(() => expect(held).toHaveLength(2), { timeout: 10_000 });
    expect(await statusOf(await send('10.0.0.1'))).toBe(429);
    expect(reasons).toEqual(['requests']);
    await send('10.0.0.2');
    await vi.waitFor(() => expect(held).toHaveLength(3), { timeout: 10_000 });
    held[0]!.identified();
    await send('10.0.0.1');
    await vi.waitFor(() => expect(held).toHaveLength(4), { timeout: 10_000 });
    // The end of a request that counts for its caller gives back no second place of its address.
    held[0]!.outgoing.end();
    held[1]!.outgoing.socket!.destroy();
    await send('10.0.0.1');
    await vi.waitFor(() => expect(held).toHaveLength(5), { timeout: 10_000 });
    expect(await statusOf(await send('10.0.0.1'))).toBe(429);
  });
});
