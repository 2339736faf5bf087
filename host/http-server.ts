/** A small HTTP server of the host, for operators: it has no connections worth draining. */
import { once } from 'node:events';
import type { Server } from 'node:http';
import { serve } from '@hono/node-server';
import type { Hono } from 'hono';
import { serverURL } from '@perdure/lib/server-url.js';

export interface HttpServer {
  url: string;
  close(): Promise<void>;
}

/** @throws when the port is in use */
export async function openHttpServer(
  app: Hono,
  { host, port }: { readonly host: string; readonly port: number },
): Promise<HttpServer> {
  const server = serve({ fetch: app.fetch, hostname: host, port }) as Server;
  await once(server, 'listening');
  return {
    url: serverURL(server, host),
    async close() {
      const closed = new Promise((resolve) => server.close(resolve));
      server.closeAllConnections();
      await closed;
    },
  };
}
