/**
 * The error text for a log line or a span, including causes: Temporal's client reports only what it could not do and
 * leaves the reason to the cause. Node reports a refused connection to a name with several addresses as an error
 * without a message.
 */
export function errorMessage(thrown: unknown): string {
  if (!(thrown instanceof Error)) return String(thrown);
  if (thrown instanceof AggregateError && thrown.message === '') return thrown.errors.map(errorMessage).join(', ');
  return thrown.cause === undefined ? thrown.message : `${thrown.message}: ${errorMessage(thrown.cause)}`;
}
