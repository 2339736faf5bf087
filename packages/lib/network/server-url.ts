import type { AddressInfo, Server } from 'node:net';

/** The address of a listening server, for people and for clients on this machine. */
export function serverURL(server: Server, host: string): string {
  const { port } = server.address() as AddressInfo;
  return `http://${host.includes(':') ? `[${host}]` : host}:${port}`;
}
