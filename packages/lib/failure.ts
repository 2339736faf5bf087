/** A problem that a person must solve before the command can work; only its message is shown. */
export class Failure extends Error {
  override name = 'Failure';
}
