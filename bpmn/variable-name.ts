/** Names that a model may give to variables. */

const NAME = /^[\p{L}_][\p{L}\p{N}_]*$/u;

/** Letters, digits and _, not beginning with a digit. `__proto__` is no key of storable JSON. */
export function isVariableName(name: string): boolean {
  return NAME.test(name) && name !== '__proto__';
}
