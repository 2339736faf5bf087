/** Names that a model may give to variables. */

/** Longer names help nobody, and every one of them is a key of every copy of the variables. */
const LONGEST_NAME = 255;
const NAME = /^[\p{L}_][\p{L}\p{N}_]*$/u;

/** Letters, digits and _, not beginning with a digit. `__proto__` is no key of storable JSON. */
export function isVariableName(name: string): boolean {
  return name.length <= LONGEST_NAME && NAME.test(name) && name !== '__proto__';
}
