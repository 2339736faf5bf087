/** The value as it is after a journey as JSON, which is how a store and a worker know it. */
export function roundTrip<T>(value: T): T {
  return JSON.parse(JSON.stringify(value)) as T;
}
