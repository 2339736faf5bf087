/** Raw clients of a listener: they send what they like, from any loopback address, and may not read. */
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { vi } from 'vitest';
import { apiTimes, type ListenerTimes } from '../../../api/listener/limits.js';
import type { RefusalReason } from '../../../api/listener/refusals.js';

/** Fast enough for a test; as generous as possible otherwise. */
export const shortTimes: ListenerTimes = { ...apiTimes, readingGrace: 300, check: 50 };

export interface Client {
  readonly socket: Socket;
  /** Everything received so far. */
  text(): string;
  /** Resolves when the connection is closed, however it ended. */
  readonly closed: Promise<unknown>;
}

/** @param from the source address: all of 127.0.0.0/8 is this machine */
export async function open(url: string, from = '127.0.0.1'): Promise<Client> {
  const socket = connect({ port: Number(new URL(url).port), host: '127.0.0.1', localAddress: from });
  let received = '';
  socket.on('error', () => undefined);
  const closed = new Promise((resolve) => socket.once('close', resolve));
  socket.setEncoding('utf8').on('data', (chunk: string) => (received += chunk));
  await once(socket, 'connect');
  return { socket, text: () => received, closed };
}

/** Opens connections and waits until the server has answered one request on each, so that it counts them. */
export async function openIdle(url: string, count: number, from: string, headers: string[] = []): Promise<Client[]> {
  const clients = await Promise.all(Array.from({ length: count }, () => open(url, from)));
  for (const { socket } of clients) socket.write(head('GET', '/version', headers));
  await Promise.all(clients.map((client) => statusOf(client)));
  return clients;
}

export const head = (method: string, path: string, headers: string[] = []) =>
  [`${method} ${path} HTTP/1.1`, 'Host: localhost', ...headers, '', ''].join('\r\n');

/** The status of the first answer. */
export async function statusOf({ text, closed }: Client): Promise<number> {
  let isClosed = false;
  void closed.then(() => (isClosed = true));
  await vi.waitFor(
    () => {
      if (!/\r\n\r\n/.test(text()) && !isClosed) throw new Error('no answer yet');
    },
    { timeout: 20_000 },
  );
  return Number(text().split(' ')[1]);
}

export function drop(clients: readonly Client[]): void {
  for (const { socket } of clients) socket.destroy();
}

/** Records what a listener refuses. */
export function recordRefusals(): { readonly reasons: RefusalReason[]; report(reason: RefusalReason): void } {
  const reasons: RefusalReason[] = [];
  return { reasons, report: (reason) => void reasons.push(reason) };
}
