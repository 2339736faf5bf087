/**
 * The management server of a host, on its own port for every role: `/metrics` in the Prometheus text format, `/health`
 * while the process is alive, and `/ready` once the host has started and no dependency is missing.
 */
import { once } from 'node:events';
import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { serve } from '@hono/node-server';
import { Hono } from 'hono';
import type { Registry } from 'prom-client';
import { findAllMissing, type ReadinessCheck } from '../api/http/readiness.js';
import { withFormerNames } from '../telemetry/metrics/former-names.js';

export interface ManagementServer {
  url: string;
  /** Before this call, the host is not ready. */
  declareStarted(readiness: readonly ReadinessCheck[]): void;
  close(): Promise<void>;
}

/** @throws when the port is in use */
export async function openManagementServer(
  registry: Registry,
  { host, port }: { host: string; port: number },
): Promise<ManagementServer> {
  let readiness: readonly ReadinessCheck[] | undefined;
  const app = new Hono()
    .get('/metrics', async (context) =>
      context.body(withFormerNames(await registry.metrics()), 200, { 'Content-Type': registry.contentType }),
    )
    .get('/health', (context) => context.json({ status: 'live' }))
    .get('/ready', async (context) => {
      const missing = readiness ? await findAllMissing(readiness) : [{ name: 'host', message: 'The host is starting' }];
      return missing.length === 0
        ? context.json({ status: 'ready' })
        : context.json({ status: 'not ready', missing }, 503);
    });
  const server = serve({ fetch: app.fetch, hostname: host, port }) as Server;
  await once(server, 'listening');
  const { port: chosen } = server.address() as AddressInfo;
  return {
    url: `http://${host.includes(':') ? `[${host}]` : host}:${chosen}`,
    declareStarted: (checks) => void (readiness = checks),
    async close() {
      const closed = new Promise((resolve) => server.close(resolve));
      server.closeAllConnections();
      await closed;
    },
  };
}
