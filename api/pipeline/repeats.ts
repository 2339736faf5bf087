/**
 * Repeats under an `Idempotency-Key`. The key is looked up before the handler looks for what the request names, which may
 * have been deleted since.
 */
import { idempotencyStore, type ClaimedBefore, type KeyedRequest } from '../../store/projects/idempotency.js';
import { ClaimedMeanwhile } from '../commands/with-idempotency-key.js';
import { isProblem, problem } from '../contract/problem.js';
import type { Call } from './call.js';
import type { Response } from './steps.js';

/** Responds as to the first request with the key, or runs the handler. */
export async function answerOnce(call: Call, run: () => Promise<Response>): Promise<Response> {
  const { idempotency } = call.headers;
  if (idempotency === undefined) return run();
  const before = await answeredBefore(call, idempotency);
  if (before !== undefined) return before;
  try {
    const response = await run();
    if (!isProblem(response)) return response;
    // The obstacle can be the effect of a request with the same key that ended since.
    return (await answeredBefore(call, idempotency)) ?? response;
  } catch (error) {
    if (error instanceof ClaimedMeanwhile) return answerTo(call, error.claim);
    throw error;
  }
}

async function answeredBefore(call: Call, request: KeyedRequest): Promise<Response | undefined> {
  const claim = await idempotencyStore.find(call.store, request);
  return claim && answerTo(call, claim);
}

async function answerTo(call: Call, claim: ClaimedBefore): Promise<Response> {
  if (claim.kind === 'reused')
    return problem('IDEMPOTENCY_KEY_REUSED', 'The Idempotency-Key was already used with a different request');
  const { answerAgain } = call.operation;
  return answerAgain ? answerAgain(call, claim.answer) : claim.answer;
}
