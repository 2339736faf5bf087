/** The limits on slow readers and connections, at every listener of a host. */
import { Gauge } from 'prom-client';
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import { createHookApp } from '../../../api/hooks/app.js';
import { apiLimits, hookLimits, hookTimes } from '../../../api/listener/limits.js';
import { createRefusalReport } from '../../../api/listener/refusals.js';
import { serveApi } from '../../../api/serve.js';
import { defaultApiConfiguration } from '../../../api/configuration.js';
import { openCodecServer } from '../../../host/codec-server.js';
import { openManagementServer } from '../../../host/management-server.js';
import { startTestApi, type TestApi } from '../support/api.js';
import { drop, head, open, openIdle, recordRefusals, shortTimes, statusOf, type Client } from './support.js';

const MIB = 1024 * 1024;

let api: TestApi;
beforeAll(async () => {
  api = await startTestApi({ configuration: { requestRate: { perSecond: 10_000, burst: 10_000 } } });
});
afterAll(() => api.close());

const closing: (() => Promise<void> | void)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close();
});

function opened<Given extends { close(): Promise<void> }>(listener: Given): Given {
  closing.push(() => listener.close());
  return listener;
}

/** Sends the same bytes from each client, and reads nothing until the listener has cut all of them off. */
async function sendWithoutReading(url: string, count: number, bytes: string, reasons: readonly string[]) {
  const clients = await Promise.all(Array.from({ length: count }, () => open(url)));
  closing.push(() => drop(clients));
  for (const { socket } of clients) {
    socket.pause();
    socket.write(bytes);
  }
  await vi.waitFor(() => expect(reasons).toHaveLength(count), { timeout: 20_000 });
  for (const { socket } of clients) socket.resume();
  await Promise.all(clients.map(({ closed }: Client) => closed));
  expect(new Set(reasons)).toEqual(new Set(['slow_reader']));
}

describe('clients that send requests and never read the answers', () => {
  it('are cut off by the API, without a token', async () => {
    const { reasons, report } = recordRefusals();
    const { url } = opened(await serveApi(api.app, { host: '127.0.0.1', port: 0, times: shortTimes, report }));
    await sendWithoutReading(url, 20, head('GET', '/openapi.json').repeat(16), reasons);
    expect((await fetch(`${url}/version`)).status).toBe(200);
  });

  it('are cut off by the management server', async () => {
    const { reasons, report } = recordRefusals();
    const { registry } = api.context.metrics;
    const text = 'x'.repeat(8 * MIB);
    const large = new Gauge({ name: 'large', help: text, registers: [registry] });
    closing.push(() => registry.removeSingleMetric('large'));
    large.set(1);
    const { url } = opened(
      await openManagementServer(registry, { host: '127.0.0.1', port: 0, times: shortTimes, report }),
    );
    await sendWithoutReading(url, 5, head('GET', '/metrics'), reasons);
    expect((await fetch(`${url}/health`)).status).toBe(200);
  });

  it('are cut off by the codec server', async () => {
    const { reasons, report } = recordRefusals();
    const token = await api.issuer.sign({ roles: ['system-admin'] });
    const { url } = opened(
      await openCodecServer(
        { ...api.context, codecs: [], origins: [], requestRate: defaultApiConfiguration.requestRate },
        { host: '127.0.0.1', port: 0, times: shortTimes, report },
      ),
    );
    const body = JSON.stringify({ payloads: [{ metadata: {}, data: 'AAAA'.repeat(1.4 * MIB) }] });
    const headers = [
      `Authorization: Bearer ${token}`,
      'Content-Type: application/json',
      `Content-Length: ${body.length}`,
    ];
    await sendWithoutReading(url, 3, head('POST', '/decode', headers) + body, reasons);
  });
});

describe('the port of the hooks', () => {
  const serveHooks = async (times = hookTimes) => {
    const { reasons, report } = recordRefusals();
    const served = opened(
      await serveApi(createHookApp(api.context, defaultApiConfiguration), {
        host: '127.0.0.1',
        port: 0,
        limits: hookLimits,
        times,
        report,
      }),
    );
    return { url: served.url, reasons };
  };

  it('closes the connection of a sender that it does not know after its answer', async () => {
    const { url } = await serveHooks();
    const client = await open(url);
    closing.push(() => drop([client]));
    client.socket.write(head('POST', '/hooks/p1/not-a-hook', ['Content-Length: 0']).repeat(3));
    await client.closed;
    expect(client.text()).toMatch(/\r\nconnection: close\r\n/i);
    expect(client.text().match(/HTTP\/1\.1 404/g)).toHaveLength(1);
  });

  it('serves other senders while one address opens 500 connections', async () => {
    const { url, reasons } = await serveHooks();
    const flood = await Promise.all(Array.from({ length: 500 }, () => open(url, '127.0.0.2')));
    closing.push(() => drop(flood));
    await vi.waitFor(() => expect(reasons).toHaveLength(450), { timeout: 10_000 });
    for (const address of ['127.0.0.3', '127.0.5.1']) {
      const sender = await open(url, address);
      closing.push(() => drop([sender]));
      sender.socket.write(head('POST', '/', ['Content-Length: 0']));
      expect(await statusOf(sender)).toBe(404);
    }
  });

  it('serves other senders while a whole network opens connections', async () => {
    const { url } = await serveHooks();
    for (let host = 1; host <= 12; host += 1) {
      const flood = await Promise.all(Array.from({ length: 50 }, () => open(url, `127.0.6.${host}`)));
      closing.push(() => drop(flood));
    }
    const sender = await open(url, '127.0.7.1');
    closing.push(() => drop([sender]));
    sender.socket.write(head('POST', '/', ['Content-Length: 0']));
    expect(await statusOf(sender)).toBe(404);
  });
});

describe('a refused connection', () => {
  it('is counted every time, and logged once for many', async () => {
    const { metrics, logger } = api.context;
    const { url } = opened(
      await serveApi(api.app, {
        host: '127.0.0.1',
        port: 0,
        limits: { ...apiLimits, perAddress: 2 },
        report: createRefusalReport('api', metrics, logger),
      }),
    );
    const held = await openIdle(url, 2, '127.0.0.2');
    const refused = await Promise.all(Array.from({ length: 10 }, () => open(url, '127.0.0.2')));
    closing.push(() => drop([...held, ...refused]));
    for (const client of refused) expect(await statusOf(client)).toBe(429);
    expect(await metrics.registry.metrics()).toContain(
      'perdure_connections_refused_total{listener="api",reason="address"} 10',
    );
    const lines = api.logs().filter(({ event }) => event === 'refused');
    expect(lines).toHaveLength(1);
    expect(lines[0]).toMatchObject({ listener: 'api', reason: 'address', clientAddress: '127.0.0.2', unlogged: 0 });
  });
});
