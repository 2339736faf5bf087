/** How values of the store are spelled on the wire. */

/** RFC 3339 in UTC. */
export function time(date: Date): string {
  return date.toISOString();
}

export function optionalTime(date: Date | null | undefined): string | undefined {
  return date?.toISOString();
}

/** What the store has as null is left out on the wire. */
export function optional<Value>(value: Value | null | undefined): Value | undefined {
  return value ?? undefined;
}

/** A timestamp of a request, which the door has checked. */
export function dateOf(timestamp: string | undefined): Date | undefined {
  return timestamp === undefined ? undefined : new Date(timestamp);
}
