/** Valid variable names in a model. */

/** Longer names have no benefit, and every copy of the variables repeats them as keys. */
const MAX_NAME_LENGTH = 255;
const NAME = /^[\p{L}_][\p{L}\p{N}_]*$/u;

/** Letters, digits and _, not starting with a digit. `__proto__` is not a valid key of storable JSON. */
export function isVariableName(name: string): boolean {
  return name.length <= MAX_NAME_LENGTH && NAME.test(name) && name !== '__proto__';
}
