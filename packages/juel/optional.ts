/** Applies `then` to what is defined. */
export function map<T>(value: string | undefined, then: (value: string) => T | undefined): T | undefined {
  return value === undefined ? undefined : then(value);
}
