/**
 * Aborted with `signal`, or after `milliseconds`. Node 20 collects a timeout that only `AbortSignal.any` refers to,
 * and the time limit is gone; a listener keeps it.
 */
export function withTimeLimit(signal: AbortSignal, milliseconds: number): AbortSignal {
  const limit = AbortSignal.timeout(milliseconds);
  limit.addEventListener('abort', () => undefined);
  return AbortSignal.any([signal, limit]);
}
