/** A TCP proxy on loopback whose traffic can be cut, slowed, stalled, or lost after it has been delivered. */
import { once } from 'node:events';
import { connect, createServer, type AddressInfo, type Socket } from 'node:net';
import type { Place } from '../../dev/topology/plan.js';

export type Trouble =
  /** Connections break, and no new one is made. */
  | { kind: 'cut' }
  /** Bytes arrive this much later, in both directions. */
  | { kind: 'slow'; milliseconds: number }
  /** Connections stay open and carry nothing. */
  | { kind: 'stalled' }
  /** The request is delivered. As soon as a response comes, the connection breaks. */
  | { kind: 'unanswered' };

export interface Proxy {
  place: Place;
  /** Undefined: all is well again. */
  afflict(trouble: Trouble | undefined): void;
  close(): Promise<void>;
}

export async function openProxy(to: Place): Promise<Proxy> {
  const sockets = new Set<Socket>();
  let trouble: Trouble | undefined;

  const carry = (from: Socket, other: Socket, isAnswer: boolean) => {
    from.on('data', (bytes) => {
      if (isAnswer && trouble?.kind === 'unanswered') return void from.destroy();
      if (trouble?.kind === 'slow')
        return void setTimeout(() => other.writable && other.write(bytes), trouble.milliseconds);
      if (!other.write(bytes)) {
        from.pause();
        other.once('drain', () => trouble?.kind !== 'stalled' && from.resume());
      }
    });
    from.on('error', () => undefined);
    from.on('close', () => {
      sockets.delete(from);
      other.destroy();
    });
  };
  const server = createServer((client) => {
    if (trouble?.kind === 'cut') return void client.destroy();
    const target = connect(to);
    sockets.add(client).add(target);
    carry(client, target, false);
    carry(target, client, true);
    if (trouble?.kind === 'stalled') for (const socket of [client, target]) socket.pause();
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    place: { host: '127.0.0.1', port: (server.address() as AddressInfo).port },
    afflict(next) {
      trouble = next;
      for (const socket of sockets) {
        if (next?.kind === 'cut') socket.destroy();
        else if (next?.kind === 'stalled') socket.pause();
        else socket.resume();
      }
    },
    async close() {
      for (const socket of sockets) socket.destroy();
      server.close();
      await once(server, 'close');
    },
  };
}
