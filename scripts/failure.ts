/** Something a person has to put right before the command can work; its message is all they are shown. */
export class Failure extends Error {
  override name = 'Failure';
}

/** One sentence about any error, for a person. */
export function describe(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  if (error instanceof AggregateError && error.message === '') return error.errors.map(describe).join('; ');
  return error.message;
}
