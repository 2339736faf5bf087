/** Requests with an `Idempotency-Key`: the effect and the row of the key are committed together, or not at all. */
import type { Database } from '../../store/sql/database.js';
import {
  idempotencyStore,
  type CachedResponse,
  type ClaimedBefore,
  type KeyedRequest,
} from '../../store/projects/idempotency.js';
import type { ApiContext } from '../context.js';

/** The result of one attempt: an effect with its response, or nothing. */
export type Attempt<Effect, Refused> =
  | { readonly kind: 'done'; readonly effect: Effect; readonly answer: CachedResponse }
  | { readonly kind: 'nothing'; readonly refused: Refused };

/**
 * Runs `attempt`. An attempt without an effect does not record the key, so the same request can be sent again once the
 * obstacle is removed.
 *
 * @param request undefined when the caller sent no key
 * @throws ClaimedMeanwhile
 */
export async function withIdempotencyKey<Effect, Refused>(
  { store }: ApiContext,
  request: KeyedRequest | undefined,
  attempt: (database: Database) => Promise<Attempt<Effect, Refused>>,
): Promise<Attempt<Effect, Refused>> {
  if (request === undefined) return attempt(store);
  try {
    return await store.transaction(async (transaction) => {
      const claim = await idempotencyStore.claim(transaction, request);
      if (claim.kind !== 'first') throw new ClaimedMeanwhile(claim);
      const result = await attempt(transaction);
      if (result.kind === 'nothing') throw new NothingDone(result);
      await idempotencyStore.remember(transaction, request, result.answer);
      return result;
    });
  } catch (error) {
    if (error instanceof NothingDone) return error.attempt as Attempt<Effect, Refused>;
    throw error;
  }
}

/** A request with the same key has ended since the request pipeline looked for one, which answers for this one too. */
export class ClaimedMeanwhile extends Error {
  constructor(readonly claim: ClaimedBefore) {
    super('the Idempotency-Key was claimed by another request');
  }
}

/** Rolls the transaction back; never leaves this file. */
class NothingDone extends Error {
  constructor(readonly attempt: unknown) {
    super('the attempt had no effect');
  }
}
