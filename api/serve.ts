/** The API on a port: Node's HTTP server with limits against slow, large, and malformed requests. */
import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import { randomUUID } from 'node:crypto';
import type { Socket } from 'node:net';
import { getRequestListener } from '@hono/node-server';
import { tooMany } from './http/refusals.js';
import { securityHeaders } from './http/request/headers.js';
import { problem, problemCodes, problemDocument } from './contract/problem.js';
import { openListener, type ListenerOptions } from './listener/listener.js';

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

const graceMilliseconds = 5_000;
/** A client that has just connected to send a request sends it within this time. */
const unusedGraceMilliseconds = 200;

/** A property, because the garbage collector has to look at every entry of a weak map. */
const IDENTIFIED = Symbol('identified');
type Identifiable = IncomingMessage & { [IDENTIFIED]?: () => void };

/** Serves the application. Resolves when the port is open; rejects when it is in use. */
export async function serveApi(app: Servable, options: ListenerOptions): Promise<ServedApi> {
  let isDraining = false;
  const listener = getRequestListener(
    (request, bindings) =>
      app.fetch(request, { ...bindings, identified: (bindings.incoming as Identifiable)[IDENTIFIED] }),
    { overrideGlobalObjects: false, errorHandler: () => malformedRequest() },
  );
  const { server, url } = await openListener(
    {
      handle(incoming, outgoing, identified) {
        if (isDraining) outgoing.setHeader('Connection', 'close');
        if (namesTwoHosts(incoming)) outgoing.writeHead(400, { Connection: 'close' }).end();
        else {
          (incoming as Identifiable)[IDENTIFIED] = identified;
          void listener(incoming, outgoing);
        }
      },
      refuse: refuseRequest,
    },
    options,
  );
  refuseUpgrades(server);
  const closeUnused = trackUnused(server);
  return { url, startDraining: () => void (isDraining = true), close: () => close(server, closeUnused) };
}

function refuseRequest(outgoing: ServerResponse): void {
  const requestID = randomUUID();
  const found = tooMany('too many requests at once from this address without a valid token', 1);
  outgoing
    .writeHead(problemCodes[found.code].status, {
      ...securityHeaders,
      ...found.headers,
      'Content-Type': 'application/problem+json',
      'X-Request-Id': requestID,
    })
    .end(JSON.stringify(problemDocument(found, requestID)));
}

/** RFC 9112 section 3.2 requires 400, but Node takes the first Host header and drops the others. */
function namesTwoHosts({ rawHeaders }: IncomingMessage): boolean {
  return rawHeaders.filter((name, index) => index % 2 === 0 && name.toLowerCase() === 'host').length > 1;
}

/** A Host header or a target that is not a URL: the adapter cannot build a request from it. */
function malformedRequest(): Response {
  const requestID = randomUUID();
  const found = problem('BAD_REQUEST', 'The request line or the Host header is not valid');
  return new Response(JSON.stringify(problemDocument(found, requestID)), {
    status: problemCodes[found.code].status,
    headers: { ...securityHeaders, 'Content-Type': 'application/problem+json', 'X-Request-Id': requestID },
  });
}

/** CONNECT and protocol upgrades are not supported; without a listener, Node would leave the socket open. */
function refuseUpgrades(server: Server): void {
  const refuse = (_: IncomingMessage, socket: Socket) => {
    socket.write('HTTP/1.1 405 Method Not Allowed\r\nContent-Length: 0\r\nConnection: close\r\n\r\n');
    socket.on('error', () => undefined).destroySoon();
  };
  server.on('connect', refuse);
}

/**
 * Browsers open connections in reserve. Node takes one on which nothing has arrived for a request in progress.
 *
 * @returns closes those connections
 */
function trackUnused(server: Server): () => void {
  const sockets = new Set<Socket>();
  server.on('connection', (socket: Socket) => {
    sockets.add(socket);
    socket.once('close', () => sockets.delete(socket));
  });
  return () => {
    for (const socket of sockets) if (socket.bytesRead === 0) socket.destroy();
  };
}

async function close(server: Server, closeUnused: () => void): Promise<void> {
  const closed = new Promise<void>((resolve) => server.close(() => resolve()));
  server.closeIdleConnections();
  const timers = [
    setTimeout(closeUnused, unusedGraceMilliseconds),
    setTimeout(() => server.closeAllConnections(), graceMilliseconds),
  ];
  await closed;
  for (const timer of timers) clearTimeout(timer);
}
