/**
 * An HTTP server on a port, the same for all listeners of a host: with limits on connections, on the time that a client
 * may take, and on requests that it sends without reading answers.
 */
import { createServer } from 'node:http';
import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { serverURL } from '@perdure/lib/network/server-url.js';
import { createClientAddresses } from '../http/request/client-address.js';
import { ConnectionShares } from './connection-shares.js';
import { ForwardedRequests } from './forwarded-requests.js';
import { apiLimits, apiTimes, type ConnectionLimits, type ListenerTimes } from './limits.js';
import type { RefusalReason, ReportRefusal } from './refusals.js';
import { ConnectionRefusals, MAX_LINGERING } from './refuse-connection.js';
import { RequestTurns } from './request-turns.js';
import { SlowReaders } from './slow-readers.js';

export interface ListenerOptions {
  readonly host: string;
  readonly port: number;
  readonly limits?: ConnectionLimits;
  readonly times?: ListenerTimes;
  /** Addresses and CIDR ranges. */
  readonly trustedProxies?: readonly string[];
  readonly report?: ReportRefusal;
}

export interface ListenerHandlers {
  /** @param identified to be called once the token is known: then the request counts for its caller only */
  handle(incoming: IncomingMessage, outgoing: ServerResponse, identified: () => void): void;
  /** Answers a request of an address that has too many at once. */
  refuse(outgoing: ServerResponse): void;
}

/**
 * Opens the port.
 *
 * Node returns 431 for header sections above 16 KiB, 408 for headers or requests that take too long, and 400 for
 * malformed HTTP (two lengths, a bare line feed, no Host).
 * @throws when the port is in use
 */
export async function openListener(
  { handle, refuse }: ListenerHandlers,
  { host, port, limits = apiLimits, times = apiTimes, trustedProxies = [], report = () => undefined }: ListenerOptions,
): Promise<{ readonly server: Server; readonly url: string }> {
  const addresses = createClientAddresses(trustedProxies);
  const forwarded = new ForwardedRequests(addresses, limits.perAddress);
  const cutOff = (socket: Socket, reason: RefusalReason) => {
    report(reason, socket.remoteAddress ?? '');
    // Closing would leave what the client does not read with the kernel, which keeps offering it for minutes.
    socket.resetAndDestroy();
  };
  const turns = new RequestTurns(
    (incoming, outgoing) => {
      const place = forwarded.enter(incoming);
      if (typeof place === 'string') {
        report('requests', place);
        refuse(outgoing);
        return;
      }
      outgoing.once('close', place);
      handle(incoming, outgoing, place);
    },
    (socket) => cutOff(socket, 'pipelining'),
  );
  const server = createServer(serverOptions(times), (incoming, outgoing) => turns.take(incoming, outgoing));
  server.maxHeadersCount = 100;
  server.timeout = times.noProgress;
  server.on('timeout', (socket: Socket) => (turns.has(socket) ? cutOff(socket, 'no_progress') : closeIdle(socket)));
  const readers = new SlowReaders(times.readingGrace, (socket) => cutOff(socket, 'slow_reader'));
  admitWithin(server, new ConnectionShares(limits), {
    shareOf: (address) => (addresses.isTrusted(address) ? undefined : address),
    report,
    admitted(socket) {
      readers.add(socket);
      socket.once('close', () => readers.remove(socket));
    },
  });
  server.maxConnections = limits.connections + MAX_LINGERING;
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, host, resolve);
  });
  const checking = setInterval(() => readers.check(performance.now()), times.check).unref();
  server.once('close', () => clearInterval(checking));
  return { server, url: serverURL(server, host) };
}

/** Bytes that may be left with the kernel when an idle connection is closed. */
const MAX_UNSENT_BYTES = 64 * 1024;

/**
 * Closes a connection at the end of its keep-alive. What was sent may still wait in the kernel, for a client that has
 * never read it.
 */
function closeIdle(socket: Socket): void {
  if (socket.bytesWritten > MAX_UNSENT_BYTES) socket.resetAndDestroy();
  else socket.destroy();
}

function serverOptions({ headers, request, keepAlive, check }: ListenerTimes) {
  return {
    maxHeaderSize: 16 * 1024,
    headersTimeout: headers,
    requestTimeout: request,
    keepAliveTimeout: keepAlive,
    connectionsCheckingInterval: check,
    requireHostHeader: true,
  } as const;
}

interface Admission {
  /** The address whose share a connection takes; undefined for a trusted proxy. */
  shareOf(address: string): string | undefined;
  report: ReportRefusal;
  admitted(socket: Socket): void;
}

/** Decides about a connection before Node's HTTP server, which would set up a parser for it. */
function admitWithin(server: Server, shares: ConnectionShares, { shareOf, report, admitted }: Admission): void {
  const serve = server.listeners('connection') as ((socket: Socket) => void)[];
  const refusals = new ConnectionRefusals();
  server.removeAllListeners('connection');
  server.on('connection', (socket: Socket) => {
    const address = socket.remoteAddress ?? '';
    const place = shares.enter(shareOf(address));
    if (typeof place === 'string') {
      report(place, address);
      refusals.refuse(socket, place);
      return;
    }
    socket.once('close', place);
    admitted(socket);
    for (const listener of serve) listener.call(server, socket);
  });
}
