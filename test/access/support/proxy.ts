/** A door in front of a provider that can be shut while requests run. */
import { connect, createServer, type Socket } from 'node:net';
import type { AddressInfo } from 'node:net';

export interface Proxy {
  /** The same address behind the door. */
  through(url: string): string;
  /** Ends every connection and takes no new one. */
  shut(): void;
  open(): void;
  /** How many connections were asked for. */
  connections(): number;
  close(): Promise<void>;
}

/** @param url any address of the server behind the proxy */
export async function startProxy(url: string): Promise<Proxy> {
  const { hostname, port } = new URL(url);
  const sockets = new Set<Socket>();
  let isOpen = true;
  let count = 0;
  const server = createServer((client) => {
    count += 1;
    if (!isOpen) return void client.destroy();
    const target = connect(Number(port), hostname);
    for (const [socket, other] of [
      [client, target],
      [target, client],
    ] as const) {
      sockets.add(socket);
      socket.on('error', () => other.destroy());
      socket.on('close', () => {
        sockets.delete(socket);
        other.destroy();
      });
      socket.pipe(other);
    }
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const endAll = () => {
    for (const socket of sockets) socket.destroy();
  };
  return {
    through: (address) => address.replace(new URL(address).origin, origin),
    shut() {
      isOpen = false;
      endAll();
    },
    open() {
      isOpen = true;
    },
    connections: () => count,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        endAll();
      }),
  };
}
