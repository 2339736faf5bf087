import { connect, createServer, type AddressInfo, type Socket } from 'node:net';

export interface TcpProxy {
  /** Host and port that stand for the target. */
  address: string;
  /** Breaks every connection and refuses new ones. */
  cut(): void;
  restore(): void;
  close(): Promise<void>;
}

/** A proxy between two programs, so that a test can disconnect them. */
export async function openTcpProxy(target: { host: string; port: number }): Promise<TcpProxy> {
  const sockets = new Set<Socket>();
  let isCut = false;
  const keep = (socket: Socket) => {
    sockets.add(socket);
    socket.on('error', () => undefined).on('close', () => sockets.delete(socket));
  };
  const server = createServer((near) => {
    if (isCut) return void near.destroy();
    const far = connect(target.port, target.host);
    keep(near);
    keep(far);
    near.pipe(far).pipe(near);
    near.on('close', () => far.destroy());
    far.on('close', () => near.destroy());
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const destroyAll = () => sockets.forEach((socket) => socket.destroy());
  return {
    address: `127.0.0.1:${(server.address() as AddressInfo).port}`,
    cut() {
      isCut = true;
      destroyAll();
    },
    restore() {
      isCut = false;
    },
    close() {
      destroyAll();
      return new Promise((resolve) => server.close(() => resolve()));
    },
  };
}

/** Host and port of an address such as `127.0.0.1:7233` or of a URL. */
export function endpointOf(address: string): { host: string; port: number } {
  const { hostname, port } = new URL(address.includes('://') ? address : `tcp://${address}`);
  return { host: hostname, port: Number(port) };
}
