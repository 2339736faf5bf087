/** What a log line or a span tells of whatever was thrown. Node reports a refused connection to a name with several addresses as an error without a message. */
export function messageOf(thrown: unknown): string {
  if (thrown instanceof AggregateError && thrown.message === '') return thrown.errors.map(messageOf).join(', ');
  return thrown instanceof Error ? thrown.message : String(thrown);
}
