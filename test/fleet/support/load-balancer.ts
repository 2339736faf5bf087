/** A load balancer as fleets have it: new connections go to the hosts in turn that are ready. */
import { once } from 'node:events';
import { connect, createServer, type AddressInfo, type Socket } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';

export interface LoadBalancer {
  url: string;
  /**
   * From now on it asks this API whether it is ready.
   * @param served where connections go: the API, or another listener of its host
   */
  add(api: string, served?: string): void;
  /** The checks that each API reported as failed when it left; an API that disappeared reported nothing. */
  farewells: ReadonlyMap<string, string>;
  close(): Promise<void>;
}

const BETWEEN_LOOKS_MS = 100;

export async function openLoadBalancer(): Promise<LoadBalancer> {
  const known = new Map<string, string>();
  const ready = new Set<string>();
  const farewells = new Map<string, string>();
  const sockets = new Set<Socket>();
  const closing = new AbortController();

  const look = async (api: string) => {
    const answer = await fetch(`${api}/ready`, { headers: { connection: 'close' } }).catch(() => undefined);
    const said = (await answer?.text().catch(() => undefined)) ?? 'nothing';
    if (answer?.ok) return void ready.add(api);
    if (ready.delete(api)) farewells.set(api, said);
    if (!answer) known.delete(api);
  };
  const looking = (async () => {
    while (!closing.signal.aborted) {
      await Promise.all([...known.keys()].map(look));
      await pause(BETWEEN_LOOKS_MS);
    }
  })();

  const server = createServer((near) => {
    const [next] = ready;
    if (next === undefined) return void near.destroy();
    // To the end of the line, so that they take turns.
    ready.delete(next);
    ready.add(next);
    const { hostname, port } = new URL(known.get(next)!);
    const far = connect(Number(port), hostname);
    for (const [socket, other] of [
      [near, far],
      [far, near],
    ] as const) {
      sockets.add(socket);
      socket
        .on('error', () => undefined)
        .on('close', () => {
          sockets.delete(socket);
          other.destroy();
        });
    }
    near.pipe(far).pipe(near);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    add: (api, served = api) => void known.set(api, served),
    farewells,
    async close() {
      closing.abort();
      await looking;
      for (const socket of sockets) socket.destroy();
      server.close();
      await once(server, 'close');
    },
  };
}
