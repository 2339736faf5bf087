/** Any value that survives a JSON round trip. */
export type Json = null | boolean | number | string | Json[] | { [key: string]: Json };

/** Variables of one scope by name. Names come from users, so look them up only with `Object.hasOwn`. */
export type Variables = { [name: string]: Json };

/**
 * Structural equality of two JSON values; the order of object members does not matter.
 */
export function equalJson(left: Json, right: Json): boolean {
  if (left === right) return true;
  if (left === null || right === null || typeof left !== 'object' || typeof right !== 'object') return false;
  if (Array.isArray(left) || Array.isArray(right)) {
    return (
      Array.isArray(left) &&
      Array.isArray(right) &&
      left.length === right.length &&
      left.every((item, index) => equalJson(item, right[index]!))
    );
  }
  const names = Object.keys(left);
  return (
    names.length === Object.keys(right).length &&
    names.every((name) => Object.hasOwn(right, name) && equalJson(left[name]!, right[name]!))
  );
}

/**
 * Sets a member by any name. An assignment to `__proto__` would set the prototype, and the facts would not contain it.
 */
export function setMember(target: Variables, name: string, value: Json): void {
  Object.defineProperty(target, name, { value, enumerable: true, configurable: true, writable: true });
}

/** Maximum bytes of one character in JSON: `\u0001`. Estimates of numbers are too low, but by less than this factor. */
export const MAX_BYTES_PER_CHARACTER = 6;

/** A quick estimate of the length of `value` as JSON, in characters. */
export function estimatedLength(value: Json): number {
  if (typeof value === 'string') return value.length + 2;
  if (value === null || typeof value !== 'object') return 6;
  let length = 2;
  if (Array.isArray(value)) for (const item of value) length += estimatedLength(item) + 1;
  else for (const name in value) length += name.length + 4 + estimatedLength(value[name]!);
  return length;
}
