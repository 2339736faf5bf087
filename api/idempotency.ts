import { createHash } from 'node:crypto';
import type { PoolClient } from 'pg';

/**
 * What the `Idempotency-Key` header of one request stands for. Two requests are the same request when all fields
 * are equal; the same key with another fingerprint is a mistake of the client (409 IDEMPOTENCY_KEY_REUSED).
 */
export interface IdempotencyRequest {
  readonly projectID: string;
  readonly operationID: string;
  readonly subject: string;
  readonly key: string;
  /** SHA-256, hexadecimal, over the path and the body with its keys in order. */
  readonly fingerprint: string;
}

export interface IdempotentAnswer {
  readonly status: number;
  readonly body: unknown;
}

export type IdempotencyClaim =
  | { readonly kind: 'first' }
  | { readonly kind: 'repeated'; readonly answer: IdempotentAnswer }
  | { readonly kind: 'reused' };

/**
 * Where first answers are kept for 24 hours. Both calls run inside the transaction that has the effect, so that the
 * key and the effect are committed together or not at all; a concurrent request with the same key waits in `claim`
 * for that transaction to end.
 */
export interface IdempotencyStore {
  claim(transaction: PoolClient, request: IdempotencyRequest): Promise<IdempotencyClaim>;
  remember(transaction: PoolClient, request: IdempotencyRequest, answer: IdempotentAnswer): Promise<void>;
}

/** The fingerprint of a request: what must be equal for a repeated key to mean a repeated request. */
export function requestFingerprint(path: string, body: unknown): string {
  return createHash('sha256').update(`${path}\n${JSON.stringify(withSortedKeys(body))}`).digest('hex');
}

function withSortedKeys(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withSortedKeys);
  if (typeof value !== 'object' || value === null) return value;
  const entries = Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1));
  return Object.fromEntries(entries.map(([key, member]) => [key, withSortedKeys(member)]));
}
