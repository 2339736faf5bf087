/** The API on a port: Node's HTTP server with limits against slow, large and malformed requests. */
import { createServer } from 'node:http';
import type { IncomingMessage, Server } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { getRequestListener } from '@hono/node-server';
import { chooseRequestID } from './doors/request-id.js';
import { securityHeaders } from './doors/headers.js';
import { problem, problemCodes, problemDocument } from './problem.js';

/** All of the Hono application that serving needs. */
export interface Servable {
  fetch(request: Request, bindings: object): Response | Promise<Response>;
}

export interface ServedApi {
  readonly url: string;
  /** From now on each answer asks its caller to come back on a new connection, which a load balancer takes elsewhere. */
  sendAway(): void;
  /** Refuses new connections, lets requests in progress finish for a while, then cuts what is left. */
  close(): Promise<void>;
}

/**
 * Node answers 431 to header sections above 16 KiB, 408 to headers that take longer than 10 s or a request longer
 * than 30 s, and 400 to what is no HTTP (two lengths, a bare line feed, no Host).
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

/** Serves the application. Resolves when the port is open; rejects when it is taken. */
export async function serveApi(app: Servable, { host, port }: { host: string; port: number }): Promise<ServedApi> {
  const listener = getRequestListener((request, bindings) => app.fetch(request, bindings), {
    overrideGlobalObjects: false,
    errorHandler: () => malformedRequest(),
  });
  let isSendingAway = false;
  const server = createServer(serverOptions, (incoming, outgoing) => {
    if (isSendingAway) outgoing.setHeader('Connection', 'close');
    if (namesTwoHosts(incoming)) outgoing.writeHead(400, { Connection: 'close' }).end();
    else void listener(incoming, outgoing);
  });
  server.maxHeadersCount = 100;
  refuseUpgrades(server);
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, host, resolve);
  });
  const address = server.address() as AddressInfo;
  return {
    url: `http://${host.includes(':') ? `[${host}]` : host}:${address.port}`,
    sendAway: () => void (isSendingAway = true),
    close: () => close(server),
  };
}

/** RFC 9112 section 3.2 asks for 400; Node takes the first and drops the rest. */
function namesTwoHosts({ rawHeaders }: IncomingMessage): boolean {
  return rawHeaders.filter((name, index) => index % 2 === 0 && name.toLowerCase() === 'host').length > 1;
}

/** A Host header or a target that is no URL: the adapter cannot build a request from it. */
function malformedRequest(): Response {
  const requestID = chooseRequestID(null);
  const found = problem('BAD_REQUEST', 'The request line or the Host header is not valid.');
  return new Response(JSON.stringify(problemDocument(found, requestID)), {
    status: problemCodes[found.code].status,
    headers: { ...securityHeaders, 'Content-Type': 'application/problem+json', 'X-Request-Id': requestID },
  });
}

/** CONNECT and protocol upgrades have no use here; without a listener Node would leave the socket to itself. */
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
