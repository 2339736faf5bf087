/**
 * First responses of requests with an Idempotency-Key, kept for 24 hours.
 *
 * The key's row is inserted in the transaction that has the effect. A concurrent request with the same key waits at the
 * unique index until that transaction ends. It then finds the response or, after a rollback, proceeds itself.
 */
import { createHash } from 'node:crypto';
import { firstRow, type Transaction, type Queryable } from '../sql/database.js';

/**
 * Identity of the request for an `Idempotency-Key` header. Two requests are the same if all fields are equal; the same
 * key with another fingerprint is a client error.
 */
export interface KeyedRequest {
  readonly projectID: string;
  readonly operationID: string;
  readonly subject: string;
  readonly key: string;
  /** SHA-256, hexadecimal, over the path and the body with sorted keys. */
  readonly fingerprint: string;
  /** The 24 hours are counted from here if it is later than now. */
  readonly repeatedUntil?: Date | undefined;
}

/** For keys that are not kept for 24 hours. */
export interface Retention {
  readonly seconds: number;
  /** Counted from here if it is later than now. */
  readonly from: Date;
}

export interface CachedResponse {
  readonly status: number;
  readonly body: unknown;
}

/** `reused`: the key was used for another request. */
export type ClaimedBefore =
  { readonly kind: 'repeated'; readonly answer: CachedResponse } | { readonly kind: 'reused' };

export type KeyClaim = { readonly kind: 'first' } | ClaimedBefore;

type KeptKey = CachedResponse & Pick<KeyedRequest, 'fingerprint'>;

const MAX_KEY_LENGTH = 255;

const RETENTION_SECONDS = 24 * 60 * 60;
const RETENTION = `make_interval(secs => ${RETENTION_SECONDS})`;

const ofRequest = 'project_id = $1 AND operation_id = $2 AND subject = $3 AND key = $4';

export const idempotencyStore = {
  /** Claims the key for this request, or returns the outcome of the first request that claimed it. */
  async claim(transaction: Transaction, request: KeyedRequest, retention?: Retention): Promise<KeyClaim> {
    const key = keyOf(request);
    const { rowCount } = await transaction.query(
      `INSERT INTO idempotency_keys (project_id, operation_id, subject, key, fingerprint, created_at)
       VALUES ($1, $2, $3, $4, $5, greatest(now(), $6::timestamptz))
       ON CONFLICT (project_id, operation_id, subject, key) DO UPDATE
         SET fingerprint = excluded.fingerprint, status = NULL, body = NULL, created_at = excluded.created_at
         WHERE idempotency_keys.created_at < now() - make_interval(secs => $7)`,
      [
        ...key,
        request.fingerprint,
        retention?.from ?? request.repeatedUntil ?? null,
        retention?.seconds ?? RETENTION_SECONDS,
      ],
    );
    if (rowCount === 1) return { kind: 'first' };
    const first = await firstRow<KeptKey>(
      transaction,
      `SELECT fingerprint, status, body FROM idempotency_keys WHERE ${ofRequest}`,
      key,
    );
    return comparedWith(request, first);
  },

  /** The outcome of the request that claimed the key within the last 24 hours. */
  async find(database: Queryable, request: KeyedRequest): Promise<ClaimedBefore | undefined> {
    const first = await firstRow<KeptKey>(
      database,
      `SELECT fingerprint, status, body FROM idempotency_keys WHERE ${ofRequest} AND created_at >= now() - ${RETENTION}`,
      keyOf(request),
    );
    return first && comparedWith(request, first);
  },

  /** Stores the response with the key. */
  async remember(transaction: Transaction, request: KeyedRequest, answer: CachedResponse): Promise<void> {
    await transaction.query(`UPDATE idempotency_keys SET status = $5, body = $6 WHERE ${ofRequest}`, [
      ...keyOf(request),
      answer.status,
      JSON.stringify(answer.body),
    ]);
  },
};

const MAX_FORGOTTEN = 5_000;

/**
 * Deletes keys older than 24 hours.
 * @returns how many, at most 5,000
 */
export async function forgetOldKeys(database: Queryable): Promise<number> {
  const { rowCount } = await database.query(
    `DELETE FROM idempotency_keys WHERE ctid = ANY (ARRAY (
       SELECT ctid FROM idempotency_keys WHERE created_at < now() - ${RETENTION} ORDER BY created_at LIMIT ${MAX_FORGOTTEN} FOR UPDATE SKIP LOCKED))`,
  );
  return rowCount ?? 0;
}

function comparedWith({ fingerprint }: KeyedRequest, first: KeptKey | undefined): ClaimedBefore {
  if (first?.fingerprint !== fingerprint) return { kind: 'reused' };
  return { kind: 'repeated', answer: { status: first.status, body: first.body } };
}

function keyOf({ projectID, operationID, subject, key }: KeyedRequest): string[] {
  return [projectID, operationID, shortened(subject), shortened(key)];
}

/** An index has no room for long text, such as a key that a hook computes. */
function shortened(text: string): string {
  return text.length <= MAX_KEY_LENGTH ? text : `sha256:${createHash('sha256').update(text).digest('base64url')}`;
}
