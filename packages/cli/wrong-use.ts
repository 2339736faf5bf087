/** The command line or the environment is wrong; the message says how to correct it. */
export class WrongUse extends Error {
  override name = 'WrongUse';
}
