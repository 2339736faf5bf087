/** One delivery on its way from the bytes to the response, and what all deliveries share. */
import type { ApiContext } from '../context.js';
import type { Exchange } from '../http/exchange.js';
import type { TokenBuckets } from '../http/rate-limits.js';
import type { KnownHook, KnownHooks } from './known-hooks.js';
import type { EvaluatedHook } from './message.js';
import type { Recorded } from './publish.js';
import { DeliveredHeaders } from './headers.js';
import type { DeliveryIdentity } from './signatures.js';

export class Delivery {
  readonly headers: DeliveredHeaders;
  target!: Target;
  bytes: Uint8Array<ArrayBuffer> | undefined;
  known!: KnownHook;
  /** Of an authentic delivery. */
  identity: DeliveryIdentity | undefined;
  /** When the expressions were evaluated, in epoch milliseconds. */
  evaluatedAt = 0;
  evaluated!: EvaluatedHook;
  /** Undefined if the hook was changed between its authentication and the transaction. */
  recorded: Recorded | undefined;

  constructor(readonly exchange: Exchange) {
    this.headers = new DeliveredHeaders(exchange.rawHeaders);
  }
}

export interface Target {
  /** As in the path. */
  readonly projectID: string;
  readonly hookID: string;
  /** Without the question mark. */
  readonly search: string;
}

export interface HookHost {
  readonly context: ApiContext;
  readonly clocks: Clocks;
  readonly known: KnownHooks;
  /** Per hook. */
  readonly deliveries: TokenBuckets;
}

export interface Clocks {
  /** Epoch milliseconds. */
  time(): number;
  /** Milliseconds of a monotonic clock. */
  monotonic(): number;
}
