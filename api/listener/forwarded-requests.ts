/** Requests at once of the addresses behind trusted proxies, whose connections say nothing about their clients. */
import type { IncomingMessage } from 'node:http';
import { createSimultaneousLimit } from '../http/rate-limits.js';
import { networkOf, type ClientAddresses } from '../http/request/client-address.js';

export class ForwardedRequests {
  readonly #addresses: ClientAddresses;
  readonly #limit: ReturnType<typeof createSimultaneousLimit>;

  constructor(addresses: ClientAddresses, maxPerAddress: number) {
    this.#addresses = addresses;
    this.#limit = createSimultaneousLimit(maxPerAddress);
  }

  /**
   * Takes a place for the request. Requests that no proxy has forwarded need none: their connections are counted.
   * @returns a function that gives the place back, once; or the address that has no place left
   */
  enter({ socket, headers }: IncomingMessage): (() => void) | string {
    const peer = socket.remoteAddress ?? '';
    if (!this.#addresses.isTrusted(peer)) return () => undefined;
    const forwardedFor = headers['x-forwarded-for'];
    const client = this.#addresses.find(peer, typeof forwardedFor === 'string' ? forwardedFor : null);
    if (this.#addresses.isTrusted(client)) return () => undefined;
    const key = networkOf(client);
    if (!this.#limit.enter(key)) return client;
    let isInside = true;
    return () => {
      if (isInside) this.#limit.leave(key);
      isInside = false;
    };
  }
}
