/** The API on a port: Node's HTTP server with limits against slow, large, and malformed requests. */
import { createServer } from 'node:http';
import type { IncomingMessage, Server } from 'node:http';
import type { Socket } from 'node:net';
import { getRequestListener } from '@hono/node-server';
import { serverURL } from '@perdure/lib/server-url.js';
import { chooseRequestID } from './http/request/request-id.js';
import { securityHeaders } from './http/request/headers.js';
import { problem, problemCodes, problemDocument } from './contract/problem.js';

/** The part of the Hono application that serving needs. */
export interface Servable {
  fetch(request: Request, bindings: object): Response | Promise<Response>;
}

export interface ServedApi {
  readonly url: string;
  /** From now on, every response asks its client to reconnect, so that a load balancer moves it to another host. */
  startDraining(): void;
  /** Refuses new connections, gives requests in progress a grace period, then cuts the remaining ones. */
  close(): Promise<void>;
}

/**
 * Node returns 431 for header sections above 16 KiB, 408 for headers that take longer than 10 s or requests that take
 * longer than 30 s, and 400 for malformed HTTP (two lengths, a bare line feed, no Host).
 */
const serverOptions = {
  maxHeaderSize: 16 * 1024,
  headersTimeout: 10_000,
  requestTimeout: 30_000,
  keepAliveTimeout: 65_000,
  connectionsCheckingInterval: 2_000,
  requireHostHeader: true,
} as const;

const graceMilliseconds = 5_000;

/**
 * Serves the application. Resolves when the port is open; rejects when it is in use.
 * @param address `mostConnections`: further ones are closed
 */
export async function serveApi(
  app: Servable,
  { host, port, mostConnections }: { host: string; port: number; mostConnections?: number },
): Promise<ServedApi> {
  const listener = getRequestListener((request, bindings) => app.fetch(request, bindings), {
    overrideGlobalObjects: false,
    errorHandler: () => malformedRequest(),
  });
  let isDraining = false;
  const server = createServer(serverOptions, (incoming, outgoing) => {
    if (isDraining) outgoing.setHeader('Connection', 'close');
    if (namesTwoHosts(incoming)) outgoing.writeHead(400, { Connection: 'close' }).end();
    else void listener(incoming, outgoing);
  });
  server.maxHeadersCount = 100;
  if (mostConnections !== undefined) server.maxConnections = mostConnections;
  refuseUpgrades(server);
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, host, resolve);
  });
  return {
    url: serverURL(server, host),
    startDraining: () => void (isDraining = true),
    close: () => close(server),
  };
}

/** RFC 9112 section 3.2 requires 400, but Node takes the first Host header and drops the others. */
function namesTwoHosts({ rawHeaders }: IncomingMessage): boolean {
  return rawHeaders.filter((name, index) => index % 2 === 0 && name.toLowerCase() === 'host').length > 1;
}

/** A Host header or a target that is not a URL: the adapter cannot build a request from it. */
function malformedRequest(): Response {
  const requestID = chooseRequestID(null);
  const found = problem('BAD_REQUEST', 'The request line or the Host header is not valid');
  return new Response(JSON.stringify(problemDocument(found, requestID)), {
    status: problemCodes[found.code].status,
    headers: { ...securityHeaders, 'Content-Type': 'application/problem+json', 'X-Request-Id': requestID },
  });
}

/** CONNECT and protocol upgrades are not supported; without a listener, Node would leave the socket open. */
function refuseUpgrades(server: Server): void {
  const refuse = (_: IncomingMessage, socket: Socket) => {
    socket.end('HTTP/1.1 405 Method Not Allowed\r\nContent-Length: 0\r\nConnection: close\r\n\r\n');
  };
  server.on('connect', refuse);
}

async function close(server: Server): Promise<void> {
  const closed = new Promise<void>((resolve) => server.close(() => resolve()));
  server.closeIdleConnections();
  const timer = setTimeout(() => server.closeAllConnections(), graceMilliseconds);
  await closed;
  clearTimeout(timer);
}
