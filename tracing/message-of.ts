/**
 * What a log line or a span tells of whatever was thrown, with its causes: Temporal's client only says what it could not do, and leaves why to the cause.
 * Node reports a refused connection to a name with several addresses as an error without a message.
 */
export function messageOf(thrown: unknown): string {
  if (!(thrown instanceof Error)) return String(thrown);
  if (thrown instanceof AggregateError && thrown.message === '') return thrown.errors.map(messageOf).join(', ');
  return thrown.cause === undefined ? thrown.message : `${thrown.message}: ${messageOf(thrown.cause)}`;
}
