/** Connections by the network that they come from, so that none of them takes all places of a listener. */
import { createSimultaneousLimit } from '../http/rate-limits.js';
import { neighborhoodOf, networkOf } from '../http/request/client-address.js';
import { SHARES_OF_NETWORK, type ConnectionLimits } from './limits.js';

/** The limit that a new connection exceeds: of the listener, of its address, or of its neighbors' network. */
export type Exhausted = 'total' | 'address' | 'network';

export class ConnectionShares {
  readonly #most: number;
  readonly #addresses: ReturnType<typeof createSimultaneousLimit>;
  readonly #networks: ReturnType<typeof createSimultaneousLimit>;
  #count = 0;

  constructor({ connections, perAddress }: ConnectionLimits) {
    this.#most = connections;
    this.#addresses = createSimultaneousLimit(perAddress);
    this.#networks = createSimultaneousLimit(perAddress * SHARES_OF_NETWORK);
  }

  get count(): number {
    return this.#count;
  }

  /**
   * Takes a place for a connection, or says what has none.
   * @param address undefined for a trusted proxy, which has no share
   * @returns a function that gives the place back, once
   */
  enter(address: string | undefined): (() => void) | Exhausted {
    if (this.#count >= this.#most) return 'total';
    if (address === undefined) return this.#entered(() => undefined);
    const [own, neighbors] = [networkOf(address), neighborhoodOf(address)];
    if (!this.#addresses.enter(own)) return 'address';
    if (!this.#networks.enter(neighbors)) {
      this.#addresses.leave(own);
      return 'network';
    }
    return this.#entered(() => {
      this.#addresses.leave(own);
      this.#networks.leave(neighbors);
    });
  }

  #entered(leave: () => void): () => void {
    this.#count += 1;
    return () => {
      this.#count -= 1;
      leave();
    };
  }
}
