/** A problem that a person must solve before the command can work; only its message is shown. */
export class Failure extends Error {
  override name = 'Failure';
}

/** One sentence about any error, for people. */
export function describe(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  if (error instanceof AggregateError && error.message === '') return error.errors.map(describe).join('; ');
  return error.message;
}
