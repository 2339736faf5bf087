import { randomUUID } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { forgetOldKeys, idempotencyStore, type KeyClaim, type KeyedRequest } from '../../store/projects/idempotency.js';
import { useStore, valueOf } from './support/store.js';

const store = useStore();

const request = (more: Partial<KeyedRequest> = {}): KeyedRequest => ({
  projectID: 'p',
  operationID: 'Start',
  subject: 'eda',
  key: randomUUID(),
  fingerprint: 'f',
  ...more,
});

/** Claims the key and, when it is the first, answers with `body`. */
function handle(keyed: KeyedRequest, body: unknown): Promise<KeyClaim> {
  return store.database.transaction(async (transaction) => {
    const claim = await idempotencyStore.claim(transaction, keyed);
    if (claim.kind === 'first') await idempotencyStore.remember(transaction, keyed, { status: 201, body });
    return claim;
  });
}

describe('an idempotency key', () => {
  it('gives the first answer to the same request, and nothing to another one', async () => {
    const keyed = request();
    expect(await handle(keyed, { workflowID: 'w' })).toEqual({ kind: 'first' });
    expect(await handle(keyed, 'other')).toEqual({
      kind: 'repeated',
      answer: { status: 201, body: { workflowID: 'w' } },
    });
    expect(await handle({ ...keyed, fingerprint: 'g' }, 'other')).toEqual({ kind: 'reused' });
    expect(await handle({ ...keyed, subject: 'ben' }, 'mine')).toEqual({ kind: 'first' });
    expect(await handle({ ...keyed, operationID: 'Publish' }, 'mine')).toEqual({ kind: 'first' });
  });

  it('makes one of many requests at once the first', async () => {
    const keyed = request();
    const claims = await Promise.all(Array.from({ length: 20 }, (_, index) => handle(keyed, index)));
    const winner = claims.findIndex(({ kind }) => kind === 'first');
    for (const [index, claim] of claims.entries()) {
      if (index !== winner) expect(claim).toEqual({ kind: 'repeated', answer: { status: 201, body: winner } });
    }
  });

  it('is free again when the first request failed', async () => {
    const keyed = request();
    const failing = store.database.transaction(async (transaction) => {
      await idempotencyStore.claim(transaction, keyed);
      throw new Error('no');
    });
    await expect(failing).rejects.toThrow('no');
    expect(await handle(keyed, 1)).toEqual({ kind: 'first' });
  });

  it('is forgotten after 24 hours', async () => {
    const [keyed, swept] = [request(), request()];
    await handle(keyed, 1);
    await handle(swept, 1);
    await store.database.query(
      "UPDATE idempotency_keys SET created_at = now() - interval '25 hours' WHERE key IN ($1, $2)",
      [keyed.key, swept.key],
    );
    expect(await handle({ ...keyed, fingerprint: 'new' }, 2)).toEqual({ kind: 'first' });
    await forgetOldKeys(store.database);
    expect(
      await valueOf(store, 'SELECT array_agg(key) AS value FROM idempotency_keys WHERE key IN ($1, $2)', [
        keyed.key,
        swept.key,
      ]),
    ).toEqual([keyed.key]);
  });
});
