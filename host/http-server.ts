/** A small HTTP server of the host, for operators: it has no connections worth draining. */
import { getRequestListener } from '@hono/node-server';
import type { Hono } from 'hono';
import { openListener, type ListenerOptions } from '../api/listener/listener.js';

export interface HttpServer {
  url: string;
  close(): Promise<void>;
}

/** @throws when the port is in use */
export async function openHttpServer(app: Hono, options: ListenerOptions): Promise<HttpServer> {
  const listener = getRequestListener((request, bindings) => app.fetch(request, bindings), {
    overrideGlobalObjects: false,
  });
  const { server, url } = await openListener(
    {
      handle: (incoming, outgoing) => void listener(incoming, outgoing),
      refuse: (outgoing) => outgoing.writeHead(429, { 'Retry-After': '1' }).end(),
    },
    options,
  );
  return {
    url,
    async close() {
      const closed = new Promise((resolve) => server.close(resolve));
      server.closeAllConnections();
      await closed;
    },
  };
}
